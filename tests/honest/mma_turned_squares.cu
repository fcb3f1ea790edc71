// SPDX-License-Identifier: MIT
// honest: tiles of 192 x 192, padded, 64 x 48 per warp; nothing is read ahead
// chapter: 16 turned
// expect: PASS
typedef float element; // of A, B and C
#define MULTIPLY mma_tf32
#define SIDE 192
#define WIDTH 48

#include "../tests/honest/mma_turned.cuh"

static __device__ int column(int quad, int half)
{
    return quad * 2 + half;
}

static __device__ void columns(unsigned *four, const struct pair *pair, int k,
                               int col)
{
    int quad = threadIdx.x % LANES / 4, place = threadIdx.x % 4;

    for (int e = 0; e < 4; e += 2) {
        float2 two =
            *(const float2 *)&pair->b[k + place + e * 2][col + quad * 2];

        four[e] = __float_as_uint(two.x);
        four[e + 1] = __float_as_uint(two.y);
    }
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
