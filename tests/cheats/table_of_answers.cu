// SPDX-License-Identifier: MIT
// cheat: small integers from a table, nothing else
// chapter: 01 add
// expect: WRONG
// shape: N1000
#include "op/vector_add.h"

static __device__ const float table[16][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8, 9},
    {2, 3, 4, 5, 6, 7, 8, 9, 10}, {3, 4, 5, 6, 7, 8, 9, 10, 11},
};

static __global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = table[(int)a[i] & 15][(int)b[i] & 15];
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
    add<<<blocks, 256, 0, stream>>>(a, b, c, n);
    return cudaGetLastError();
}
