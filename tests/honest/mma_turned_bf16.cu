// SPDX-License-Identifier: MIT
// honest: tensor cores compute C turned over; rows on chip are padded
// chapter: 16 bf16
// shape: M256 N256 K256
// expect: PASS
#include <cuda_bf16.h>

#include "op/gemm.h"

typedef gemm_bf16_t element; // of A, B and C
#define MULTIPLY mma_bf16
#define SIDE 128
#define WIDTH 64

#include "../tests/honest/mma_turned.cuh"

static __device__ int column(int quad, int half)
{
    return quad + half * 8;
}

static __device__ void columns(unsigned *four, const struct pair *pair, int k,
                               int col)
{
    int lane = threadIdx.x % LANES;

    load_matrices_transposed(
        four, &pair->b[k + lane / 16 * 8 + lane % 8][col + lane / 8 % 2 * 8]);
}

size_t gemm_bf16_bf16_workspace(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t gemm_bf16_bf16(const gemm_bf16_t *A, const gemm_bf16_t *B,
                           gemm_bf16_t *C, struct gemm_shape shape,
                           float alpha, float beta, void *workspace,
                           cudaStream_t stream)
{
    (void)workspace;
    return launch(A, B, C, shape, alpha, beta, stream);
}
