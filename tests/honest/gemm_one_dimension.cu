// SPDX-License-Identifier: MIT
// honest: a thread per cell of C, counted along its rows
// chapter: 10 gemm
// expect: PASS
#include "op/gemm.h"

enum { THREADS = 128 };

static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    long long cell = (long long)blockIdx.x * THREADS + threadIdx.x;
    if (cell >= (long long)s.M * s.N)
        return;
    long long row = cell / s.N, col = cell % s.N;
    float sum = 0;

    for (int k = 0; k < s.K; k++)
        sum = fmaf(A[row * s.lda + k], B[(long long)k * s.ldb + col], sum);
    float *c = C + row * s.ldc + col;
    if (beta == 0)
        *c = alpha * sum;
    else
        *c = alpha * sum + beta * *c;
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
    long long cells = (long long)shape.M * shape.N;

    gemm<<<(unsigned)((cells + THREADS - 1) / THREADS), THREADS, 0, stream>>>(
        A, B, C, shape, alpha, beta);
    return cudaGetLastError();
}
