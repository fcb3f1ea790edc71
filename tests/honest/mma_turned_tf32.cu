// SPDX-License-Identifier: MIT
// honest: tensor cores compute C turned over; rows on chip are padded
// chapter: 16 gemm
// shape: M256 N256 K256
// also: 16 fragments, 16 matrices, 16 pointers
// expect: PASS
typedef float element; // of A, B and C
#define MULTIPLY mma_tf32
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
    int quad = threadIdx.x % LANES / 4, place = threadIdx.x % 4;

    for (int e = 0; e < 4; e++)
        four[e] = __float_as_uint(
            pair->b[k + place + e / 2 * 4][col + quad + e % 2 * 8]);
}

size_t gemm_tf32_workspace(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t gemm_tf32(const float *A, const float *B, float *C,
                      struct gemm_shape shape, float alpha, float beta,
                      void *workspace, cudaStream_t stream)
{
    (void)workspace;
    return launch(A, B, C, shape, alpha, beta, stream);
}
