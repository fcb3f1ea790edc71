// SPDX-License-Identifier: MIT
/*
 * main.c: all rows and programs, as TAP.
 */
#include "conformance.h"

int main(void)
{
    rows_int();
    rows_bits();
    rows_compare();
    rows_float();
    rows_round();
    rows_convert();
    rows_half();
    rows_warp();
    programs_memory();
    programs_atomic();
    programs_control();
    programs_call();
    programs_sync();
    return tap_end();
}
