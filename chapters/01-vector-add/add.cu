// SPDX-License-Identifier: MIT
// Stage 01, vector addition: a kernel of your own.
// New: thousands of threads run one function, each on elements of its own.
// Since program.cu: a thread adds EACH elements, so more loads are under way.
// Counter: global_load_sectors_per_request is 4, the least for 32 floats.

#include "op/vector_add.h"

enum {
    THREADS = 256, // per block
    EACH = 4       // elements a thread adds
};

// c[i] = a[i] + b[i] for i < n. __restrict__: no array overlaps another, so a
// thread may begin all its loads before its first store.
static __global__ void add(const float *__restrict__ a,
                           const float *__restrict__ b,
                           float *__restrict__ c, int n)
{
    //> todo kernel (about 9 lines)
    // Add EACH elements: the first at this thread's number in its block, plus
    // the elements of all blocks before; the others blockDim.x apart. None at
    // n or beyond.
    //
    // A thread knows threadIdx.x, its number in its block; blockIdx.x, its
    // block's number; and blockDim.x, how many threads each block has.
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
    //> todo launch (about 4 lines)
    // Launch add on this stream: THREADS per block, blocks enough for shape.N.
    //
    //   add<<<blocks, threads per block, 0, stream>>>(a, b, c, shape.N);
    //< todo
    return cudaGetLastError();
}
