// SPDX-License-Identifier: MIT
// honest: no ldmatrix: k takes another order, in which a lane's words are fours
// chapter: 16 gemm
// shape: M256 N256 K256
// also: 16 fragments, 16 matrices, 16 pointers
// expect: PASS
#include <cuda_pipeline_primitives.h>

#include "op/gemm.h"
#include "op/gemm_tensor.cuh"

enum {
    SIDE = 128, // rows and columns of C per block; a warp has 64 x 64
    BK = 16,
    LANES = 32,
    THREADS = 128,
    STAGES = 4
};

struct pair {
    float a[SIDE][BK], b[BK][SIDE];
};

// Where column n of row k of B's tile stands. Eights change places, so that 8
// columns of the rows 0, 4, 8 and 12, or of those behind them, lie in 32 banks.
static __device__ int swizzled(int k, int n)
{
    return n ^ k / 4 % 4 * 8;
}

static __device__ void copy(float *to, const float *from, int count, bool wide)
{
    if (wide)
        __pipeline_memcpy_async(to, from, 16, count > 0 ? 0 : 16);
    else
        for (int e = 0; e < 4; e++)
            __pipeline_memcpy_async(to + e, from + e, 4, e < count ? 0 : 4);
}

static __device__ void stage(struct pair *to, const float *A, const float *B,
                             struct gemm_shape s, int row0, int col0,
                             int first, bool wide)
{
    int a_m = threadIdx.x / 4, a_k = threadIdx.x % 4 * 4;
    int b_k = threadIdx.x / 32, n = threadIdx.x % 32 * 4;
    const float *a = A + (size_t)(row0 + a_m) * s.lda + first + a_k;
    const float *b = B + (size_t)(first + b_k) * s.ldb + col0 + n;

#pragma unroll
    for (int i = 0; i < 4; i++) {
        int m = a_m + i * 32, k = b_k + i * 4;

        copy(&to->a[m][a_k], a, row0 + m < s.M ? s.K - first - a_k : 0, wide);
        copy(&to->b[k][swizzled(k, n)], b,
             first + k < s.K ? s.N - col0 - n : 0, wide);
        a += (size_t)32 * s.lda;
        b += (size_t)4 * s.ldb;
    }
}

// Of 16 values of k, a lane has 4 place ... 4 place + 3: two for each of two
// multiplications. Both operands count them so, hence no sum changes.
static __device__ void multiply(float (*sum)[8][4], const struct pair *pair,
                                int w_row, int w_col)
{
    int quad = threadIdx.x % LANES / 4, place = threadIdx.x % 4;
    unsigned a[4][2][4], b[8][4];

#pragma unroll
    for (int i = 0; i < 8; i++) {
        uint4 v = *(const uint4 *)&pair->a[w_row + i * 8 + quad][place * 4];

        a[i / 2][0][i % 2] = v.x;
        a[i / 2][0][i % 2 + 2] = v.y;
        a[i / 2][1][i % 2] = v.z;
        a[i / 2][1][i % 2 + 2] = v.w;
    }
#pragma unroll
    for (int j = 0; j < 8; j++)
#pragma unroll
        for (int e = 0; e < 4; e++) {
            int k = place * 4 + e;

            b[j][e] = __float_as_uint(
                pair->b[k][swizzled(k, w_col + j * 8 + quad)]);
        }
#pragma unroll
    for (int half = 0; half < 2; half++)
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 8; j++)
                mma_tf32(sum[i][j], a[i][half], b[j] + half * 2);
}

static __global__ void __launch_bounds__(THREADS)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta, bool wide)
{
    extern __shared__ __align__(16) unsigned char raw[];
    struct pair *pair = (struct pair *)raw;

    int across = (s.N - 1) / SIDE + 1, steps = (s.K - 1) / BK + 1;
    int row0 = blockIdx.x / across * SIDE, col0 = blockIdx.x % across * SIDE;
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int w_row = warp / 2 * 64, w_col = warp % 2 * 64;
    float sum[4][8][4] = {{{0.0f}}};

    for (int i = 0; i < STAGES - 1; i++) {
        if (i < steps)
            stage(&pair[i], A, B, s, row0, col0, i * BK, wide);
        __pipeline_commit();
    }
    for (int step = 0; step < steps; step++) {
        int ahead = step + STAGES - 1;

        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); // this pair is there, and the one before was read
        if (ahead < steps)
            stage(&pair[ahead % STAGES], A, B, s, row0, col0, ahead * BK, wide);
        __pipeline_commit(); // it may be empty
        multiply(sum, &pair[step % STAGES], w_row, w_col);
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                int m = row0 + w_row + i * 16 + lane / 4 + e / 2 * 8;
                int n = col0 + w_col + j * 8 + lane % 4 * 2 + e % 2;
                float *c = C + (size_t)m * s.ldc + n;

                if (m < s.M && n < s.N)
                    *c = alpha * sum[i][j][e] +
                         (beta != 0.0f ? beta * *c : 0.0f);
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
    unsigned across = (shape.N - 1) / SIDE + 1, down = (shape.M - 1) / SIDE + 1;
    size_t bytes = (size_t)A | (size_t)B;
    int floats = shape.K | shape.N | shape.lda | shape.ldb;
    bool wide = bytes % sizeof(float4) == 0 && floats % 4 == 0;
    int on_chip = STAGES * sizeof(struct pair);

    (void)workspace;
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         on_chip);
    gemm<<<across * down, THREADS, on_chip, stream>>>(A, B, C, shape, alpha,
                                                      beta, wide);
    return cudaGetLastError();
}
