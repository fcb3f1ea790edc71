// SPDX-License-Identifier: MIT
// honest: tiles of 32 columns and rows, 64 deep, each thread fills two cells
// chapter: 12 gemm
// expect: PASS
#include "op/gemm.h"

enum { SIDE = 32, DEEP = 64 };

static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    __shared__ float a[SIDE][DEEP], b[DEEP][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    int strips = (s.N + SIDE - 1) / SIDE;
    int row = blockIdx.x / strips * SIDE + y;
    int col = blockIdx.x % strips * SIDE + x;
    float sum = 0;

    for (int k0 = 0; k0 < s.K; k0 += DEEP) {
        for (int k = x; k < DEEP; k += SIDE)
            a[y][k] = row < s.M && k0 + k < s.K
                          ? A[(size_t)row * s.lda + k0 + k] : 0;
        for (int k = y; k < DEEP; k += SIDE)
            b[k][x] = col < s.N && k0 + k < s.K
                          ? B[(size_t)(k0 + k) * s.ldb + col] : 0;
        __syncthreads(); // both tiles are there
        for (int k = 0; k < DEEP; k++)
            sum = fmaf(a[y][k], b[k][x], sum);
        __syncthreads(); // nobody reads them any more
    }
    if (row < s.M && col < s.N) {
        float *c = C + (size_t)row * s.ldc + col;
        *c = beta == 0 ? alpha * sum : fmaf(beta, *c, alpha * sum);
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
    unsigned strips = (shape.N + SIDE - 1) / SIDE;
    unsigned bands = (shape.M + SIDE - 1) / SIDE;

    gemm<<<strips * bands, dim3(SIDE, SIDE), 0, stream>>>(A, B, C, shape,
                                                          alpha, beta);
    return cudaGetLastError();
}
