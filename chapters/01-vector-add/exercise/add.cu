// SPDX-License-Identifier: MIT
// An exercise of chapter 01: this kernel is wrong. Its author tried n = 2^20
// and got the right numbers. Let the checker say where it is wrong, then say
// why.

#include "op/vector_add.h"

enum {
    THREADS = 256, // per block
    EACH = 4       // elements a thread adds
};

static __global__ void add(const float *__restrict__ a,
                           const float *__restrict__ b,
                           float *__restrict__ c, int n)
{
    unsigned i = blockIdx.x * blockDim.x * EACH + threadIdx.x;

    if (i >= n) // the last block has threads to spare
        return;
    for (int j = 0; j < EACH; j++, i += blockDim.x)
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
    (void)workspace;
    unsigned n = shape.N, in_block = THREADS * EACH;
    unsigned blocks = (n + in_block - 1) / in_block;

    add<<<blocks, THREADS, 0, stream>>>(a, b, c, n);
    return cudaGetLastError();
}
