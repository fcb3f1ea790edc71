// SPDX-License-Identifier: MIT
/*
 * gpuphase.c: one stage on a GPU.
 */
#include "phase.h"

void gpu_phase(const struct phase *phase)
{
    struct text *t = blame(phase->result, VERDICT_LAUNCH, OWNER_MACHINE, -1);

    if (t)
        text_add(t, "no GPU\n");
}
