// SPDX-License-Identifier: MIT
/*
 * gemm_unshared.cuh: a matrix product without shared memory. A thread computes
 * 8 x 8 elements, and loads all that it needs for them from global memory, four
 * floats at a time. For whole tiles alone.
 *
 * PREPARE and STEP, if defined, are done once, and for each four of k.
 */
#include "op/gemm.h"

#ifndef PREPARE
#define PREPARE
#define STEP
#endif

enum { SIDE = 128, THREADS = 256 }; // of a block's tile

static __device__ void get(float *four, const float *from)
{
    float4 v = *(const float4 *)from;

    four[0] = v.x;
    four[1] = v.y;
    four[2] = v.z;
    four[3] = v.w;
}

static __device__ void put(float *c, const float *sum, float alpha, float beta)
{
    float old[4] = {0.0f};

    if (beta != 0.0f)
        get(old, c);
    for (int e = 0; e < 4; e++)
        old[e] = alpha * sum[e] + beta * old[e];
    *(float4 *)c = make_float4(old[0], old[1], old[2], old[3]);
}

static __global__ void __launch_bounds__(THREADS, 2)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta)
{
    int across = s.N / SIDE;
    int row0 = blockIdx.x / across * SIDE + threadIdx.x / 16 * 8;
    int col0 = blockIdx.x % across * SIDE + threadIdx.x % 16 * 4;
    const float *a[8], *b = B + col0;
    float sum[8][8] = {{0.0f}};
    PREPARE

#pragma unroll
    for (int i = 0; i < 8; i++)
        a[i] = A + (size_t)(row0 + i) * s.lda;
#pragma unroll 1
    for (int k = 0; k < s.K; k += 4) {
        float of_b[4][8];

        STEP
#pragma unroll
        for (int e = 0; e < 4; e++, b += s.ldb) {
            get(of_b[e], b);
            get(of_b[e] + 4, b + SIDE / 2);
        }
#pragma unroll
        for (int i = 0; i < 8; i++, a[i - 1] += 4) {
            float of_a[4];

            get(of_a, a[i]);
#pragma unroll
            for (int e = 0; e < 4; e++)
#pragma unroll
                for (int j = 0; j < 8; j++)
                    sum[i][j] += of_a[e] * of_b[e][j];
        }
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 2; j++)
            put(C + (size_t)(row0 + i) * s.ldc + col0 + SIDE / 2 * j,
                sum[i] + 4 * j, alpha, beta);
}

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape s, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    (void)workspace;
    gemm<<<s.N / SIDE * (s.M / SIDE), THREADS, 0, stream>>>(A, B, C, s, alpha,
                                                            beta);
    return cudaGetLastError();
}
