// SPDX-License-Identifier: MIT
/*
 * gemm.cu: what `make bench-sim` times beside the workbook's own kernels: the
 * inner loop of a register-tiled fp32 product, C = A B, row-major.
 *
 * A block owns TILE x TILE cells of C, a thread OWN x OWN of them. The sizes
 * are multiples of the tiles: this is a load for the simulator, no example.
 */
#include <cuda_runtime.h>

#include "gemm.h"

enum { TILE = 128, DEPTH = 8, OWN = 8, THREADS_X = TILE / OWN, PART = 4 };

static_assert(TILE * DEPTH == THREADS_X * THREADS_X * PART,
              "each thread stages one float4 of each tile");

static __global__ void multiply(const float *a, const float *b, float *c,
                                struct gemm_size s)
{
    __shared__ float as[DEPTH][TILE];
    __shared__ float bs[DEPTH][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int thread = ty * THREADS_X + tx;
    int a_row = thread * PART / DEPTH, a_k = thread * PART % DEPTH;
    int b_k = thread * PART / TILE, b_col = thread * PART % TILE;
    const float *a_tile = a + (size_t)blockIdx.y * TILE * s.k;
    const float *b_tile = b + blockIdx.x * TILE;
    float sum[OWN][OWN] = {};
    for (int k0 = 0; k0 < s.k; k0 += DEPTH) {
        float4 va = *(const float4 *)&a_tile[(size_t)a_row * s.k + k0 + a_k];
        float4 vb = *(const float4 *)&b_tile[(size_t)(k0 + b_k) * s.n + b_col];
        as[a_k + 0][a_row] = va.x;
        as[a_k + 1][a_row] = va.y;
        as[a_k + 2][a_row] = va.z;
        as[a_k + 3][a_row] = va.w;
        *(float4 *)&bs[b_k][b_col] = vb;
        __syncthreads(); /* the tiles are whole */
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            float ra[OWN], rb[OWN];
#pragma unroll
            for (int i = 0; i < OWN; i += PART) {
                *(float4 *)&ra[i] = *(const float4 *)&as[k][ty * OWN + i];
                *(float4 *)&rb[i] = *(const float4 *)&bs[k][tx * OWN + i];
            }
#pragma unroll
            for (int i = 0; i < OWN; i++)
#pragma unroll
                for (int j = 0; j < OWN; j++)
                    sum[i][j] += ra[i] * rb[j];
        }
        __syncthreads(); /* all have read them */
    }
    float *c_tile = c + (size_t)(blockIdx.y * TILE + ty * OWN) * s.n +
                    blockIdx.x * TILE + tx * OWN;
#pragma unroll
    for (int i = 0; i < OWN; i++)
#pragma unroll
        for (int j = 0; j < OWN; j += PART)
            *(float4 *)&c_tile[(size_t)i * s.n + j] =
                *(const float4 *)&sum[i][j];
}

extern "C" __attribute__((visibility("default")))
cudaError_t bench_gemm(const float *a, const float *b, float *c,
                       struct gemm_size s, void *workspace,
                       cudaStream_t stream)
{
    (void)workspace;
    dim3 grid(s.n / TILE, s.m / TILE), block(THREADS_X, THREADS_X);
    multiply<<<grid, block, 0, stream>>>(a, b, c, s);
    return cudaGetLastError();
}
