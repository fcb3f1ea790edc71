// SPDX-License-Identifier: MIT
// mutant: one block computes all of C, in a loop
// chapter: 10 gemm
// expect: SLOW PREDICTED to take .* times as long as its flops need
#include "op/gemm.h"

enum { THREADS = 256 };

static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    for (int row = 0; row < s.M; row++)
        for (int col = threadIdx.x; col < s.N; col += THREADS) {
            float sum = 0.0f;
            float *c = C + (size_t)row * s.ldc + col;

            for (int k = 0; k < s.K; k++)
                sum += A[(size_t)row * s.lda + k] * B[(size_t)k * s.ldb + col];
            *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
        }
}

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    (void)workspace;
    gemm<<<1, THREADS, 0, stream>>>(A, B, C, shape, alpha, beta);
    return cudaGetLastError();
}
