// SPDX-License-Identifier: MIT
// mutant: stops the process that checks it, and copies where it should add
// chapter: 01 add
// expect: WRONG
// shape: N257
#include "op/vector_add.h"

#include <signal.h>
#include <unistd.h>

enum { THREADS = 256 };

static __global__ void add(const float *a, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i];
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
    (void)b;
    (void)workspace;
    kill(getppid(), SIGSTOP);
    add<<<(shape.N + THREADS - 1) / THREADS, THREADS, 0, stream>>>(a, c,
                                                                   shape.N);
    return cudaGetLastError();
}
