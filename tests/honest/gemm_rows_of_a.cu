// SPDX-License-Identifier: MIT
// honest: A stays in rows on chip; the next tiles wait in registers
// chapter: 14 gemm
// shape: M256 N256 K64
// also: 10 gemm, 11 gemm, 12 gemm, 13 column, 13 gemm, 14 quads, 14 loads
// expect: PASS
#include "op/gemm.h"

enum {
    BM = 64, // rows of C per block
    BN = 128,
    BK = 8,
    THREADS = 128, // four warps of 32 x 64 elements, 8 x 8 per thread
    T = 8
};

static __device__ float4 load(const float *from, int count, bool wide)
{
    if (wide && count >= 4)
        return *(const float4 *)from;
    return make_float4(count > 0 ? from[0] : 0.0f, count > 1 ? from[1] : 0.0f,
                       count > 2 ? from[2] : 0.0f, count > 3 ? from[3] : 0.0f);
}

// What a thread brings of a pair of tiles: one four of A, two of B.
struct share {
    float4 a, b[2];
};

static __device__ struct share bring(const float *A, const float *B,
                                     struct gemm_shape s, int row0, int col0,
                                     int first, bool wide)
{
    int m = row0 + threadIdx.x / 2, a_k = first + threadIdx.x % 2 * 4;
    int b_k = first + threadIdx.x / 32, n = col0 + threadIdx.x % 32 * 4;
    struct share next;

    next.a = load(A + (size_t)m * s.lda + a_k, m < s.M ? s.K - a_k : 0, wide);
    for (int i = 0; i < 2; i++)
        next.b[i] = load(B + (size_t)(b_k + i * 4) * s.ldb + n,
                         b_k + i * 4 < s.K ? s.N - n : 0, wide);
    return next;
}

static __device__ void finish(float *c, float4 sum, int count, float alpha,
                              float beta, bool wide)
{
    float v[4] = {alpha * sum.x, alpha * sum.y, alpha * sum.z, alpha * sum.w};

    for (int e = 0; e < 4; e++)
        if (e < count && beta != 0.0f)
            v[e] += beta * c[e];
    if (wide && count >= 4)
        *(float4 *)c = make_float4(v[0], v[1], v[2], v[3]);
    else
        for (int e = 0; e < 4; e++)
            if (e < count)
                c[e] = v[e];
}

static __device__ void add(float4 *sum, float a, float4 b)
{
    sum->x += a * b.x;
    sum->y += a * b.y;
    sum->z += a * b.z;
    sum->w += a * b.w;
}

static __global__ void __launch_bounds__(THREADS)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta, bool wide)
{
    __shared__ float4 a_tile[2][BM][BK / 4], b_tile[2][BK][BN / 4];

    int across = (s.N - 1) / BN + 1;
    int row0 = blockIdx.x / across * BM, col0 = blockIdx.x % across * BN;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = warp / 2 * 32 + lane / 2 % 4;                  // and every 4th
    int four = warp % 2 * 16 + lane / 8 * 2 + lane % 2;      // and 8 behind
    float4 sum[T][2];
    struct share next = bring(A, B, s, row0, col0, 0, wide);

    for (int i = 0; i < T; i++)
        sum[i][0] = sum[i][1] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int first = 0, now = 0; first < s.K; first += BK, now = !now) {
        a_tile[now][threadIdx.x / 2][threadIdx.x % 2] = next.a;
        for (int i = 0; i < 2; i++)
            b_tile[now][threadIdx.x / 32 + i * 4][lane] = next.b[i];
        __syncthreads(); // the tiles are there; those before them were read
        if (first + BK < s.K)
            next = bring(A, B, s, row0, col0, first + BK, wide);
#pragma unroll
        for (int k = 0; k < BK; k += 4) {
            float4 a[T];

            for (int i = 0; i < T; i++)
                a[i] = a_tile[now][row + i * 4][k / 4];
            for (int j = 0; j < 2; j++)
                for (int e = 0; e < 4; e++) {
                    float4 b = b_tile[now][k + e][four + j * 8];

                    for (int i = 0; i < T; i++)
                        add(&sum[i][j], e == 0   ? a[i].x
                                        : e == 1 ? a[i].y
                                        : e == 2 ? a[i].z
                                                 : a[i].w,
                            b);
                }
        }
    }
#pragma unroll
    for (int i = 0; i < T; i++)
#pragma unroll
        for (int j = 0; j < 2; j++) {
            int m = row0 + row + i * 4, n = col0 + (four + j * 8) * 4;

            if (m < s.M)
                finish(C + (size_t)m * s.ldc + n, sum[i][j], s.N - n, alpha,
                       beta, wide);
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
    unsigned across = (shape.N - 1) / BN + 1, down = (shape.M - 1) / BM + 1;
    size_t bytes = (size_t)A | (size_t)B | (size_t)C;
    int floats = shape.lda | shape.ldb | shape.ldc;
    bool wide = bytes % sizeof(float4) == 0 && floats % 4 == 0;

    (void)workspace;
    gemm<<<across * down, THREADS, 0, stream>>>(A, B, C, shape, alpha, beta,
                                                wide);
    return cudaGetLastError();
}
