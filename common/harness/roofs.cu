// SPDX-License-Identifier: MIT
/*
 * roofs.cu: measures the two ceilings of the roofline.
 * The idea: nothing but memory traffic in one, nothing but arithmetic in the
 * other, each spread over the whole device.
 */
#include "op/roof.h"

enum {
    BLOCK = 256,
    VECTOR = 4,  /* floats a thread moves at once: 16 bytes, the widest */
    CHAINS = 8,  /* independent multiply-adds a thread: hides their latency */
};

/* One vector a thread: on an H200 faster than two, four or eight a thread, than
 * a grid of persistent blocks, and than cudaMemcpyAsync. */
static __global__ void copy(const float4 *from, float4 *to, long long vectors,
                            const float *rest_from, float *rest_to, int rest)
{
    long long i = (long long)blockIdx.x * BLOCK + threadIdx.x;

    if (i < vectors)
        to[i] = from[i];
    if (blockIdx.x == 0 && (int)threadIdx.x < rest) /* up to three floats */
        rest_to[threadIdx.x] = rest_from[threadIdx.x];
}

cudaError_t roof_copy(const float *from, float *to, struct roof_shape shape,
                      void *workspace, cudaStream_t stream)
{
    long long vectors = shape.N / VECTOR;
    int rest = shape.N % VECTOR;
    long long done = vectors * VECTOR;
    long long blocks = (vectors + BLOCK - 1) / BLOCK;

    (void)workspace;
    copy<<<blocks ? (unsigned)blocks : 1, BLOCK, 0, stream>>>(
        (const float4 *)from, (float4 *)to, vectors, from + done, to + done,
        rest);
    return cudaGetLastError();
}

static __global__ void fma_chains(const float *from, float *to, int n,
                                  int rounds)
{
    long long first = (long long)blockIdx.x * (BLOCK * CHAINS) + threadIdx.x;
    float v[CHAINS];

#pragma unroll
    for (int i = 0; i < CHAINS; i++)
        v[i] = first + i * BLOCK < n ? from[first + i * BLOCK] : 0;
#pragma unroll 16
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int i = 0; i < CHAINS; i++)
            v[i] = fmaf(v[i], ROOF_TIMES, ROOF_PLUS);
#pragma unroll
    for (int i = 0; i < CHAINS; i++)
        if (first + i * BLOCK < n)
            to[first + i * BLOCK] = v[i];
}

cudaError_t roof_fma(const float *from, float *to, struct roof_shape shape,
                     void *workspace, cudaStream_t stream)
{
    long long blocks = ((long long)shape.N + BLOCK * CHAINS - 1) /
                       (BLOCK * CHAINS);

    (void)workspace;
    fma_chains<<<(unsigned)blocks, BLOCK, 0, stream>>>(from, to, shape.N,
                                                       shape.R);
    return cudaGetLastError();
}
