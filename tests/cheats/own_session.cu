// SPDX-License-Identifier: MIT
// cheat: leaves the group and the session of the checker, then hangs
// chapter: 01 add
// expect: TIMEOUT|WRONG
// shape: N1000
// patience: 3
#include <signal.h>
#include <unistd.h>

#include "op/vector_add.h"

static __global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

size_t vector_add_workspace(struct vector_add_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t vector_add(const float *a, const float *b, float *c,
                       struct vector_add_shape shape, void *workspace,
                       cudaStream_t stream)
{
    int n = shape.N, blocks = (n + 255) / 256;

    (void)workspace;
    (void)blocks;
    setsid();
    signal(SIGTERM, SIG_IGN);
    for (;;)
        pause();
    return cudaGetLastError();
}
