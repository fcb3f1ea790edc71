// SPDX-License-Identifier: MIT
/*
 * fetched_test.c: what L2 has of an array, of which one multiprocessor alone is
 * watched.
 */
#include "engine_sample.h"

enum { LOADS = 64, BLOCKS_OF_ONE = 8, SMS = 132 };

/* Clocks of a block alone, of one warp: a chain of 64 loads, each of 32
 * sectors. shared: all over an array of so many KiB, in an order that no
 * cache foresees; else each thread has its own part of it. */
static double chain(size_t kib, bool shared)
{
    static char text[2048];
    uint32_t mask = (uint32_t)(kib * 1024 / 32 - 1);
    snprintf(text, sizeof text,
             PTX_HEAD ".visible .entry k(.param .u64 k_x) {\n"
             ".reg .b32 %%r<16>; .reg .b64 %%rd<8>; .reg .pred %%p<2>;\n"
             "ld.param.u64 %%rd1, [k_x]; mov.u32 %%r1, %%tid.x;\n"
             "mov.u32 %%r2, %%ctaid.x; mad.lo.u32 %%r3, %%r2, 32, %%r1;\n"
             "mov.u32 %%r4, 0; mov.u32 %%r9, 0;\n"
             "L: mad.lo.u32 %%r5, %%r4, %d, %%r3; add.u32 %%r5, %%r5, %%r9;\n"
             "mul.lo.u32 %%r5, %%r5, %s; and.b32 %%r5, %%r5, %u;\n"
             "mul.wide.u32 %%rd2, %%r5, 32; add.s64 %%rd3, %%rd1, %%rd2;\n"
             "ld.global.u32 %%r9, [%%rd3]; add.u32 %%r4, %%r4, 1;\n"
             "setp.lt.u32 %%p1, %%r4, %d; bar.warp.sync -1; @%%p1 bra L;\n"
             "add.u32 %%r9, %%r9, 1; st.global.u32 [%%rd1], %%r9; ret; }\n",
             SMS * BLOCKS_OF_ONE * 32, shared ? "0x9e3779b1" : "1", mask,
             LOADS);
    struct sample s = sample_open(text, CHECK_TRAFFIC);
    void *zeros = calloc(kib, 1024);
    uint64_t params[1] = {sample_array(&s, zeros, kib * 1024)};
    struct launch l = {.grid = {SMS * BLOCKS_OF_ONE, 1, 1},
                       .block = {32, 1, 1}, .sample = true,
                       .params = params};
    engine_launch(s.engine, s.kernel, &l, &s.report);
    free(zeros);
    assert_int_equal(s.report.fault, FAULT_NONE);
    const struct traffic *t = s.report.traffic;
    double clocks = (double)t->alone_clocks / (double)t->blocks / LOADS;
    sample_close(&s);
    return clocks;
}

/* A table of 2 MiB: when all multiprocessors have asked for a 132nd of it, L2
 * has it. One of 128 MiB does not fit; and what each thread has for itself is
 * fetched anew, whatever the array's size. */
static void a_table_that_all_read_is_near(void **state)
{
    (void)state;
    assert_true(chain(2 << 10, true) < 280 + 60);
    assert_true(chain(128 << 10, true) > 658);
    assert_true(chain(128 << 10, false) > 658);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_that_all_read_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
