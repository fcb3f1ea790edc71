// SPDX-License-Identifier: MIT
/*
 * roofs.cu: measures the ceilings of memory and of arithmetic lane by lane;
 * tensor_roofs.cu has those of tensor cores.
 * The idea: nothing but memory traffic in one, nothing but arithmetic in the
 * others, each spread over the whole device.
 */
#include "op/roof.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "loaded.cuh"

enum {
    BLOCK = 256,
    VECTOR = 4,  /* floats a thread moves at once: 16 bytes, the widest */
    CHAINS = 8,  /* independent multiply-adds per thread: hides their latency */
};

/* One vector per thread: on an H200 faster than two, four or eight, than a grid
 * of persistent blocks, and than cudaMemcpyAsync. */
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

/* What a chain is made of: a `Value` is a register or two, of PER elements.
 * LEAST is the virtual architecture that has its instruction. */
struct Fp32 {
    typedef float Value;
    enum { PER = 1, LEAST = 75 };
    static __device__ Value step(Value v)
    {
        return fmaf(v, ROOF_TIMES, ROOF_PLUS);
    }
};

struct Fp64 {
    typedef double Value;
    enum { PER = 1, LEAST = 75 };
    static __device__ Value step(Value v)
    {
        return fma(v, (double)ROOF_TIMES, (double)ROOF_PLUS);
    }
};

struct Fp16 {
    typedef __half2 Value;
    enum { PER = 2, LEAST = 75 };
    static __device__ Value step(Value v)
    {
        return __hfma2(v, __float2half2_rn(ROOF_TIMES),
                       __float2half2_rn(ROOF_PLUS));
    }
};

struct Bf16 {
    typedef __nv_bfloat162 Value;
    enum { PER = 2, LEAST = 80 };
    static __device__ Value step(Value v)
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        v = __hfma2(v, __float2bfloat162_rn(ROOF_TIMES),
                    __float2bfloat162_rn(ROOF_PLUS));
#endif
        return v;
    }
};

struct Int8 {
    typedef int Value;
    enum { PER = 1, LEAST = 75 };
    static __device__ Value step(Value v)
    {
        return __dp4a(v, ROOF_BYTES, v);
    }
};

/* n values, the last of which may be half filled: `odd` says so. */
template <class T>
static __global__ void chains(const typename T::Value *from,
                              typename T::Value *to, int n, bool odd,
                              int rounds)
{
    typedef typename T::Value Value;
    long long first = (long long)blockIdx.x * (BLOCK * CHAINS) + threadIdx.x;
    Value v[CHAINS] = {};

#pragma unroll
    for (int i = 0; i < CHAINS; i++) {
        long long at = first + i * BLOCK;
        if (at < n - odd)
            v[i] = from[at];
        else if (at < n)
            memcpy(&v[i], &from[at], sizeof(Value) / T::PER);
    }
#pragma unroll 16
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int i = 0; i < CHAINS; i++)
            v[i] = T::step(v[i]);
#pragma unroll
    for (int i = 0; i < CHAINS; i++) {
        long long at = first + i * BLOCK;
        if (at < n - odd)
            to[at] = v[i];
        else if (at < n)
            memcpy(&to[at], &v[i], sizeof(Value) / T::PER);
    }
}

template <class T>
static cudaError_t run(const void *from, void *to, struct roof_shape shape,
                       cudaStream_t stream)
{
    typedef typename T::Value Value;
    int n = (shape.N + T::PER - 1) / T::PER;
    long long blocks = ((long long)n + BLOCK * CHAINS - 1) / (BLOCK * CHAINS);
    cudaError_t error = loaded_for((const void *)chains<T>, T::LEAST);

    if (error != cudaSuccess)
        return error;
    chains<T><<<(unsigned)blocks, BLOCK, 0, stream>>>(
        (const Value *)from, (Value *)to, n, shape.N % T::PER != 0, shape.R);
    return cudaGetLastError();
}

cudaError_t roof_fma(const float *from, float *to, struct roof_shape shape,
                     void *workspace, cudaStream_t stream)
{
    (void)workspace;
    return run<Fp32>(from, to, shape, stream);
}

#define LAUNCHER(name, T)                                                     \
    cudaError_t name(const void *from, void *to, struct roof_shape shape,     \
                     void *workspace, cudaStream_t stream)                    \
    {                                                                         \
        (void)workspace;                                                      \
        return run<T>(from, to, shape, stream);                               \
    }

LAUNCHER(roof_fma_fp64, Fp64)
LAUNCHER(roof_fma_fp16, Fp16)
LAUNCHER(roof_fma_bf16, Bf16)
LAUNCHER(roof_dp4a, Int8)
