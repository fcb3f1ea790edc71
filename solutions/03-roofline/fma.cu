// SPDX-License-Identifier: MIT
// Stage 03, the compute roof: nothing but multiply-adds.
// New: a thread works on several values at once, none waiting for another.
// Since copy.cu: each value is loaded once, and used R times.
// Counter: warp_instructions_per_flop is close to 1/64, the least for fp32.

#include "op/roof.h"

enum {
    THREADS = 256, // per block
    CHAINS = 8     // values a thread works on at once
};

// One step of a chain; the next step of the same chain has to wait for it.
static __device__ inline float step(float value)
{
    return fmaf(value, ROOF_TIMES, ROOF_PLUS);
}

// to[i] = from[i], stepped `rounds` times, for i < n.
static __global__ void chains(const float *from, float *to, int n, int rounds)
{
    //> todo kernel (about 16 lines)
    unsigned first = blockIdx.x * blockDim.x * CHAINS + threadIdx.x;
    unsigned end = n;
    float value[CHAINS];

#pragma unroll
    for (int j = 0; j < CHAINS; j++) {
        unsigned i = first + j * blockDim.x; // may pass n in the last block

        value[j] = i < end ? from[i] : 0;
    }
#pragma unroll 16 // the loop's own instructions, once in 16 rounds
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int j = 0; j < CHAINS; j++)
            value[j] = step(value[j]);
#pragma unroll
    for (int j = 0; j < CHAINS; j++) {
        unsigned i = first + j * blockDim.x;

        if (i < end)
            to[i] = value[j];
    }
    //< todo
}

cudaError_t roof_fma(const float *from, float *to, struct roof_shape shape,
                     void *workspace, cudaStream_t stream)
{
    (void)workspace;
    //> todo launch (about 4 lines)
    unsigned in_block = THREADS * CHAINS;
    unsigned blocks = ((unsigned)shape.N + in_block - 1) / in_block;

    chains<<<blocks, THREADS, 0, stream>>>(from, to, shape.N, shape.R);
    //< todo
    return cudaGetLastError();
}
