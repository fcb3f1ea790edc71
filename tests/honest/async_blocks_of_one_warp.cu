// SPDX-License-Identifier: MIT
// honest: blocks of one warp, which needs no barrier of a block
// chapter: 15 registers
// shape: M256 N256 K128
// also: 15 copies, 15 stages, 15 pointers
// expect: PASS
#include <cuda_pipeline_primitives.h>

#include "op/gemm.h"

enum {
    SIDE = 64, // rows and columns of C per warp: 8 x 16 elements per thread
    BK = 8,
    LANES = 32,
    PITCH = SIDE + 4, // 8 values of k of 4 rows, 32 banks
    STAGES = 4
};

struct pair {
    float a[BK][PITCH], b[BK][SIDE]; // a: its columns are rows here
};

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
    int a_m = threadIdx.x / BK, a_k = threadIdx.x % BK;
    int b_k = threadIdx.x / 16, n = threadIdx.x % 16 * 4;
    const float *a = A + (size_t)(row0 + a_m) * s.lda + first + a_k;
    const float *b = B + (size_t)(first + b_k) * s.ldb + col0 + n;
    bool inside = row0 + SIDE <= s.M && first + BK <= s.K;

#pragma unroll
    for (int m = 0; m < SIDE; m += LANES / BK) {
        bool exists = inside || (row0 + a_m + m < s.M && first + a_k < s.K);

        __pipeline_memcpy_async(&to->a[a_k][a_m + m], a, 4, exists ? 0 : 4);
        a += (size_t)(LANES / BK) * s.lda;
    }
#pragma unroll
    for (int k = 0; k < BK; k += LANES / 16) {
        copy(&to->b[b_k + k][n], b, first + b_k + k < s.K ? s.N - col0 - n : 0,
             wide);
        b += (size_t)(LANES / 16) * s.ldb;
    }
}

static __device__ void get(float *four, const float *from)
{
    float4 v = *(const float4 *)from;

    four[0] = v.x;
    four[1] = v.y;
    four[2] = v.z;
    four[3] = v.w;
}

static __global__ void __launch_bounds__(LANES)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta, bool wide)
{
    __shared__ __align__(16) struct pair pair[STAGES];

    int across = (s.N - 1) / SIDE + 1, steps = (s.K - 1) / BK + 1;
    int row0 = blockIdx.x / across * SIDE, col0 = blockIdx.x % across * SIDE;
    int lane = threadIdx.x;
    int row = lane / 2 % 8 * 4;                // and 32 below
    int col = (lane / 16 * 2 + lane % 2) * 4;  // and 16, 32 and 48 behind
    float sum[8][16] = {{0.0f}};

    for (int i = 0; i < STAGES - 1; i++) {
        if (i < steps)
            stage(&pair[i], A, B, s, row0, col0, i * BK, wide);
        __pipeline_commit();
    }
    for (int step = 0; step < steps; step++) {
        const struct pair *now = &pair[step % STAGES];
        int ahead = step + STAGES - 1;

        __pipeline_wait_prior(STAGES - 2);
        __syncwarp(); // all lanes' copies are there; the pair before was read
        if (ahead < steps)
            stage(&pair[ahead % STAGES], A, B, s, row0, col0, ahead * BK, wide);
        __pipeline_commit(); // it may be empty
#pragma unroll
        for (int k = 0; k < BK; k++) {
            float a[8], b[16];

            for (int i = 0; i < 8; i += 4)
                get(a + i, &now->a[k][row + i * 8]);
            for (int j = 0; j < 16; j += 4)
                get(b + j, &now->b[k][col + j * 4]);
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 16; j++)
                    sum[i][j] += a[i] * b[j];
        }
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 16; j++) {
            int m = row0 + row + i / 4 * 32 + i % 4;
            int n = col0 + col + j / 4 * 16 + j % 4;
            float *c = C + (size_t)m * s.ldc + n;

            if (m < s.M && n < s.N)
                *c = alpha * sum[i][j] + (beta != 0.0f ? beta * *c : 0.0f);
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
    unsigned across = (shape.N - 1) / SIDE + 1, down = (shape.M - 1) / SIDE + 1;
    bool wide = (size_t)B % sizeof(float4) == 0 &&
                (shape.N | shape.ldb) % 4 == 0;

    (void)workspace;
    gemm<<<across * down, LANES, 0, stream>>>(A, B, C, shape, alpha, beta,
                                              wide);
    return cudaGetLastError();
}
