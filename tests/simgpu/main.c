// SPDX-License-Identifier: MIT
/*
 * main.c: all rows and programs, as TAP: once for each vector width of the
 * simulator's handlers, with other inputs and another order of blocks.
 */
#include "conformance.h"

static void all(void)
{
    rows_int();
    rows_bits();
    rows_compare();
    rows_float();
    rows_round();
    rows_convert();
    rows_half();
    rows_packed();
    rows_twins();
    rows_newer();
    rows_spelt();
    rows_approx();
    rows_warp();
    programs_memory();
    programs_access();
    rows_matrix();
    rows_group();
    programs_atomic();
    programs_vector();
    programs_control();
    programs_call();
    programs_sync();
    programs_async();
    programs_cluster();
    programs_bulk();
    programs_tensor();
}

/* [FILE]: where to record what was done; see record.h. */
int main(int argc, char **argv)
{
    if (argc > 1)
        record_open(argv[1]);
    static const struct {
        const char *isa;
        uint64_t seed;
    } runs[] = {{"", 0}, {"avx2", 7}, {"base", 11}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        engine_use(runs[i].isa, runs[i].seed);
        all();
    }
    record_close();
    every_row_is_tested();
    every_form_is_tested();
    return tap_end();
}
