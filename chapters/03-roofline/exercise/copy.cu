// SPDX-License-Identifier: MIT
// An exercise of chapter 03: this kernel is wrong. Its author tried n =
// 1,000,000 and 1,000,003. Let the checker say where it is wrong, then say why.

#include "op/roof.h"

enum {
    THREADS = 256, // per block
    VECTOR = 4     // floats a thread moves at once: 16 bytes, the widest
};

static __global__ void copy(const float *from, float *to, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned vectors = n / VECTOR, rest = n % VECTOR;
    unsigned done = vectors * VECTOR;

    if (i < vectors)
        ((float4 *)to)[i] = ((const float4 *)from)[i];
    if (i < rest) // up to three floats, by the first threads
        to[done + i] = from[done + i];
}

cudaError_t roof_copy(const float *from, float *to, struct roof_shape shape,
                      void *workspace, cudaStream_t stream)
{
    (void)workspace;
    unsigned vectors = shape.N / VECTOR; // a thread for each
    unsigned blocks = (vectors + THREADS - 1) / THREADS;

    copy<<<blocks, THREADS, 0, stream>>>(from, to, shape.N);
    return cudaGetLastError();
}
