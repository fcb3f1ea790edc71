// SPDX-License-Identifier: MIT
// cheat: does some of the work in the workspace query, and all of it again
// chapter: 01 add
// expect: REFUSED
// say: before the launcher was called
// shape: N1000
#include "op/vector_add.h"

static __global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

static __global__ void early(void)
{
}

size_t vector_add_workspace(struct vector_add_shape shape)
{
    (void)shape;
    early<<<1, 1>>>();
    return 0;
}

cudaError_t vector_add(const float *a, const float *b, float *c,
                       struct vector_add_shape shape, void *workspace,
                       cudaStream_t stream)
{
    int n = shape.N, blocks = (n + 255) / 256;

    (void)workspace;
    add<<<blocks, 256, 0, stream>>>(a, b, c, n);
    return cudaGetLastError();
}
