// SPDX-License-Identifier: MIT
// mutant: a row of C per block along y, of which a grid has 65,535
// chapter: 11 gemm
// expect: LAUNCH
// say: 65600
#include "op/gemm.h"

enum { WIDE = 256 }; // columns of a block

static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    int row = blockIdx.y, col = blockIdx.x * WIDE + threadIdx.x;
    float *c = C + (size_t)row * s.ldc + col;
    float sum = 0.0f;

    if (col >= s.N)
        return;
    for (int k = 0; k < s.K; k++)
        sum += A[(size_t)row * s.lda + k] * B[(size_t)k * s.ldb + col];
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
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
    dim3 grid((shape.N - 1) / WIDE + 1, shape.M);

    (void)workspace;
    gemm<<<grid, WIDE, 0, stream>>>(A, B, C, shape, alpha, beta);
    return cudaGetLastError();
}
