// SPDX-License-Identifier: MIT
// mutant: 8 x 8 sums per thread from global memory, beside idle shared stores and loads
// chapter: 12 gemm
// expect: TECHNIQUE bytes_asked_again_per_byte 0.7.* <= 0.05 MISSED
// say: share no tile
// shape: M128 N128 K128
#include "op/gemm.h"

enum { ROWS = 64, COLS = 128, THREADS = 128 }; // of a block's tile

static __global__ void __launch_bounds__(THREADS)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta)
{
    __shared__ volatile float show[THREADS];
    int across = s.N / COLS;
    int row0 = blockIdx.x / across * ROWS + threadIdx.x / 16 * 8;
    int col0 = blockIdx.x % across * COLS + threadIdx.x % 16;
    float sum[8][8] = {{0.0f}}, zero;

    zero = 0.0f;
    for (int k = 0; k < s.K; k++) {
        float a[8], b[8];

        for (int i = 0; i < 8; i++) {
            a[i] = A[(size_t)(row0 + i) * s.lda + k];
            show[threadIdx.x] = 0.0f;
        }
        for (int j = 0; j < 8; j++) {
            b[j] = B[(size_t)k * s.ldb + col0 + 16 * j];
            show[threadIdx.x] = 0.0f;
        }
        for (int i = 0; i < 4; i++)
            zero += show[threadIdx.x];
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++)
                sum[i][j] += a[i] * b[j];
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            float *c = C + (size_t)(row0 + i) * s.ldc + col0 + 16 * j;
            float old = beta == 0.0f ? 0.0f : beta * *c;

            *c = alpha * (sum[i][j] + zero) + old;
        }
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
    gemm<<<s.N / COLS * (s.M / ROWS), THREADS, 0, stream>>>(A, B, C, s, alpha,
                                                            beta);
    return cudaGetLastError();
}
