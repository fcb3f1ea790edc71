// SPDX-License-Identifier: MIT
/*
 * quick.c: what is quick of the conformance programs, for one vector width:
 * control flow, memory, barriers and copies; not each instruction's rows.
 */
#include "../simgpu/conformance.h"

int main(void)
{
    engine_use("", 0);
    rows_warp();
    programs_memory();
    programs_access();
    programs_atomic();
    programs_vector();
    programs_control();
    programs_call();
    programs_sync();
    programs_async();
    return tap_end();
}
