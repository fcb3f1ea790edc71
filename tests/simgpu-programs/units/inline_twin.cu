// SPDX-License-Identifier: MIT
/* inline_twin.cu: of ok/units_inline.cu. */
#include "../check.h"
#include "inline.h"

static __global__ void note()
{
    notes[1] = table_entry(3) + total_of_shared(6);
    printf("unit %d says %d\n", 1, notes[1]);
}

void twin_add(int *x)
{
    add_to<3><<<1, THREADS>>>(x);
    add_to<4><<<1, THREADS>>>(x);
    CUDA(cudaGetLastError());
}

void twin_note()
{
    note<<<1, 1>>>();
    CUDA(cudaGetLastError());
}
