// SPDX-License-Identifier: MIT
/*
 * gemm_shared_out.cuh: what two honest kernels of chapter 15 have in common:
 * the sums of a tile over a stretch of k, and its way into C. How the work is
 * shared out is their own.
 *
 *   tile_sums    SIDE x SIDE sums, 4 x 4 of them per thread, k from `begin` to
 *                `end` - 1; all THREADS threads of a block call it
 *   tile_store   stores a thread's sums in C
 *   tile_part, tile_add   the same sums to a part of the workspace; and back,
 *                         added to those that are there
 */
#ifndef GEMM_SHARED_OUT_CUH
#define GEMM_SHARED_OUT_CUH

#include "op/gemm.h"

enum { SIDE = 64, THREADS = 256, DEEP = 16, CELLS = SIDE * SIDE };

static __device__ void tile_sums(float (*sum)[4], const float *A,
                                 const float *B, struct gemm_shape s, int row0,
                                 int col0, int begin, int end)
{
    __shared__ float a_tile[DEEP][SIDE + 1], b_tile[DEEP][SIDE];
    int row = threadIdx.x / 16, col = threadIdx.x % 16; // and every 16th

    for (int i = 0; i < 16; i++)
        sum[i / 4][i % 4] = 0.0f;
    for (int first = begin; first < end; first += DEEP) {
        __syncthreads(); // the tiles before have been read
        for (int i = threadIdx.x; i < SIDE * DEEP; i += THREADS) {
            int m = row0 + i / DEEP, k = first + i % DEEP;

            a_tile[i % DEEP][i / DEEP] =
                m < s.M && k < end ? A[(size_t)m * s.lda + k] : 0.0f;
        }
        for (int i = threadIdx.x; i < SIDE * DEEP; i += THREADS) {
            int n = col0 + i % SIDE, k = first + i / SIDE;

            b_tile[i / SIDE][i % SIDE] =
                n < s.N && k < end ? B[(size_t)k * s.ldb + n] : 0.0f;
        }
        __syncthreads(); // the tiles are there
#pragma unroll
        for (int k = 0; k < DEEP; k++) {
            float a[4], b[4];

            for (int i = 0; i < 4; i++) {
                a[i] = a_tile[k][row + i * 16];
                b[i] = b_tile[k][col + i * 16];
            }
            for (int i = 0; i < 16; i++)
                sum[i / 4][i % 4] += a[i / 4] * b[i % 4];
        }
    }
}

static __device__ void tile_store(float *C, float (*sum)[4],
                                  struct gemm_shape s, int row0, int col0,
                                  float alpha, float beta)
{
    for (int i = 0; i < 16; i++) {
        int m = row0 + threadIdx.x / 16 + i / 4 * 16;
        int n = col0 + threadIdx.x % 16 + i % 4 * 16;
        float *c = C + (size_t)m * s.ldc + n;

        if (m < s.M && n < s.N)
            *c = alpha * sum[i / 4][i % 4] + (beta != 0.0f ? beta * *c : 0.0f);
    }
}

static __device__ void tile_part(float *part, float (*sum)[4])
{
    for (int i = 0; i < 16; i++)
        part[i * THREADS + threadIdx.x] = sum[i / 4][i % 4];
}

static __device__ void tile_add(float (*sum)[4], const float *part)
{
    for (int i = 0; i < 16; i++)
        sum[i / 4][i % 4] += part[i * THREADS + threadIdx.x];
}

static inline int multiprocessors(void)
{
    int device = 0, n = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device);
    return n;
}

static __device__ __host__ int tiles_of(struct gemm_shape s)
{
    return ((s.M - 1) / SIDE + 1) * ((s.N - 1) / SIDE + 1);
}

#endif
