// SPDX-License-Identifier: MIT
// cheat: leaves the work to a function that runs at exit
// chapter: 01 add
// expect: WRONG|REFUSED
// shape: N1000
#include <stdlib.h>

#include "op/vector_add.h"

static __global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

static struct {
    const float *a, *b;
    float *c;
    int n;
    cudaStream_t stream;
} last;
static int told;

static void later(void)
{
    add<<<(last.n + 255) / 256, 256, 0, last.stream>>>(last.a, last.b, last.c,
                                                       last.n);
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
    last = {a, b, c, n, stream};
    if (!told++)
        atexit(later);
    return cudaSuccess;
}
