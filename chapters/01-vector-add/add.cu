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
    // Compute i, this thread's number in the whole grid; if i < n, add.
    //
    // A thread knows threadIdx.x, its number in its block; blockIdx.x, its
    // block's number; and blockDim.x, how many threads a block has.
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
    // Launch add on this stream: THREADS a block, blocks enough for shape.N.
    //
    //   add<<<blocks, threads in a block, 0, stream>>>(a, b, c, shape.N);
    //< todo
    return cudaGetLastError();
}
