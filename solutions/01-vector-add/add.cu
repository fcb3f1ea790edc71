// SPDX-License-Identifier: MIT
// Stage 01, vector addition: the first kernel.
// New: thousands of threads run the same function, each on its own element.
// Before: nothing; this is where the workbook begins.
// Counter: global_load_sectors_per_request is 4, the least for 32 floats.

#include "op/vector_add.h"

enum { THREADS = 256 }; // a block

// c[i] = a[i] + b[i] for i < n.
static __global__ void add(const float *a, const float *b, float *c, int n)
{
    //> todo kernel (about 4 lines)
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
    //< todo
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
    //> todo launch (about 3 lines)
    unsigned blocks = ((unsigned)shape.N + THREADS - 1) / THREADS;

    add<<<blocks, THREADS, 0, stream>>>(a, b, c, shape.N);
    //< todo
    return cudaGetLastError();
}
