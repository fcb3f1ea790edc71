// SPDX-License-Identifier: MIT
// honest: blocks of 128 columns and two rows
// chapter: 11 gemm
// expect: PASS
#include "op/gemm.h"

enum { ACROSS = 128, DOWN = 2 };

static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    unsigned strips = (s.N + ACROSS - 1) / ACROSS;
    size_t row = (size_t)(blockIdx.x / strips) * DOWN + threadIdx.y;
    size_t col = (size_t)(blockIdx.x % strips) * ACROSS + threadIdx.x;
    float even = 0, odd = 0;

    if (row >= s.M || col >= s.N)
        return;
    const float *a = A + row * s.lda, *b = B + col;
    int k = 0;
    for (; k + 1 < s.K; k += 2) {
        even = fmaf(a[k], b[(size_t)k * s.ldb], even);
        odd = fmaf(a[k + 1], b[(size_t)(k + 1) * s.ldb], odd);
    }
    if (k < s.K)
        even = fmaf(a[k], b[(size_t)k * s.ldb], even);
    float sum = alpha * (even + odd);
    float *c = C + row * s.ldc + col;
    *c = beta == 0 ? sum : fmaf(beta, *c, sum);
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
    unsigned strips = (shape.N + ACROSS - 1) / ACROSS;
    unsigned pairs = (shape.M + DOWN - 1) / DOWN;

    gemm<<<strips * pairs, dim3(ACROSS, DOWN), 0, stream>>>(A, B, C, shape,
                                                            alpha, beta);
    return cudaGetLastError();
}
