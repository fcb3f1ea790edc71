// SPDX-License-Identifier: MIT
// honest: tiles along y, which go on gridDim.y further in a long matrix
// chapter: 10 gemm
// expect: PASS
#include "op/gemm.h"

enum {
    TILE = 32,   // a block computes TILE x TILE elements of C at once
    MOST = 65535 // blocks along y
};

// One element of C. With beta = 0 it is not read: it may hold anything.
static __device__ void finish(float *c, float sum, float alpha, float beta)
{
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
}

// The lanes of a warp take neighbouring rows, so what they load from A and
// store to C lies whole rows apart: slow on purpose, chapter 11 mends it.
static __global__ void gemm(const float *A, const float *B, float *C,
                            struct gemm_shape s, float alpha, float beta)
{
    int row = blockIdx.y * TILE + threadIdx.x; // may pass M
    int col = blockIdx.x * TILE + threadIdx.y; // may pass N

    for (; row < s.M && col < s.N; row += gridDim.y * TILE) {
        float sum = 0.0f;

        for (int k = 0; k < s.K; k++)
            sum += A[(size_t)row * s.lda + k] * B[(size_t)k * s.ldb + col];
        finish(C + (size_t)row * s.ldc + col, sum, alpha, beta);
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
    unsigned across = (shape.N - 1) / TILE + 1, down = (shape.M - 1) / TILE + 1;
    dim3 block(TILE, TILE);

    down = down < MOST ? down : MOST;

    (void)workspace; // none was asked for
    gemm<<<dim3(across, down), block, 0, stream>>>(A, B, C, shape, alpha, beta);
    return cudaGetLastError();
}
