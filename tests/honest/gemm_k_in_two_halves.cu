// SPDX-License-Identifier: MIT
// honest: two halves of a block share k, and the tile of A is swizzled
// chapter: 14 gemm
// shape: M256 N256 K64
// also: 10 gemm, 11 gemm, 12 gemm, 13 column, 13 gemm, 14 quads, 14 loads
// expect: PASS
#include "op/gemm.h"

enum {
    SIDE = 64, // rows and columns of C per block
    BK = 16,   // of k on chip: 8 for each half
    HALF = 64, // threads: two warps of 32 x 64 elements, 8 x 8 per thread
    THREADS = 2 * HALF
};

union on_chip {
    struct {
        float a[BK][SIDE], b[BK][SIDE]; // a: its columns are rows here
    } tile;
    float4 sums[16][HALF];
};

// Where row m stands in column k of A's tile: eights change places with k, so
// that 8 rows of 4 fours of k are stored to 32 banks.
static __device__ int swizzled(int m, int k)
{
    return m ^ k / 4 % 4 * 8;
}

static __device__ void load(float *four, const float *from, int count,
                            bool wide)
{
    if (wide && count >= 4) {
        float4 v = *(const float4 *)from;

        four[0] = v.x;
        four[1] = v.y;
        four[2] = v.z;
        four[3] = v.w;
    } else
        for (int e = 0; e < 4; e++)
            four[e] = e < count ? from[e] : 0.0f;
}

static __device__ void bring(union on_chip *chip, const float *A,
                             const float *B, struct gemm_shape s, int row0,
                             int col0, int first, bool wide)
{
    for (int i = threadIdx.x; i < SIDE * BK / 4; i += THREADS) {
        int m = i / (BK / 4), k = i % (BK / 4) * 4;
        float four[4];

        load(four, A + (size_t)(row0 + m) * s.lda + first + k,
             row0 + m < s.M ? s.K - first - k : 0, wide);
        for (int e = 0; e < 4; e++)
            chip->tile.a[k + e][swizzled(m, k)] = four[e];
    }
    for (int i = threadIdx.x; i < SIDE * BK / 4; i += THREADS) {
        int k = i / (SIDE / 4), n = i % (SIDE / 4) * 4;
        float four[4];

        load(four, B + (size_t)(first + k) * s.ldb + col0 + n,
             first + k < s.K ? s.N - col0 - n : 0, wide);
        *(float4 *)&chip->tile.b[k][n] =
            make_float4(four[0], four[1], four[2], four[3]);
    }
}

static __device__ void finish(float *c, const float *sum, int count,
                              float alpha, float beta, bool wide)
{
    float v[4];

    for (int e = 0; e < 4; e++)
        v[e] = alpha * sum[e];
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

static __global__ void __launch_bounds__(THREADS)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta, bool wide)
{
    __shared__ union on_chip chip;

    int across = (s.N - 1) / SIDE + 1;
    int row0 = blockIdx.x / across * SIDE, col0 = blockIdx.x % across * SIDE;
    int half = threadIdx.x / HALF, thread = threadIdx.x % HALF;
    int lane = thread % 32;
    int row = thread / 32 * 32 + lane / 2 % 4 * 4;   // and 16 below
    int col = (lane / 8 * 2 + lane % 2) * 4;         // and 32 behind
    float sum[8][8] = {{0.0f}};

    for (int first = 0; first < s.K; first += BK) {
        bring(&chip, A, B, s, row0, col0, first, wide);
        __syncthreads(); // the tiles are there
#pragma unroll
        for (int i = 0; i < BK / 2; i++) {
            int k = half * (BK / 2) + i;
            float a[8], b[8];

            for (int e = 0; e < 2; e++) {
                load(a + e * 4, &chip.tile.a[k][swizzled(row + e * 16, k)], 4,
                     true);
                load(b + e * 4, &chip.tile.b[k][col + e * 32], 4, true);
            }
            for (int m = 0; m < 8; m++)
                for (int n = 0; n < 8; n++)
                    sum[m][n] += a[m] * b[n];
        }
        __syncthreads(); // the tiles have been read
    }
#pragma unroll
    for (int i = 0; half == 1 && i < 16; i++)
        chip.sums[i][thread] =
            make_float4(sum[i / 2][i % 2 * 4], sum[i / 2][i % 2 * 4 + 1],
                        sum[i / 2][i % 2 * 4 + 2], sum[i / 2][i % 2 * 4 + 3]);
    __syncthreads(); // the second half's sums are there
    if (half == 1)
        return;
#pragma unroll
    for (int i = 0; i < 16; i++) {
        int m = row0 + row + i / 8 * 16 + i / 2 % 4;
        int n = col0 + col + i % 2 * 32;
        float other[4];

        load(other, (const float *)&chip.sums[i][thread], 4, true);
        for (int e = 0; e < 4; e++)
            other[e] += sum[i / 2][i % 2 * 4 + e];
        if (m < s.M)
            finish(C + (size_t)m * s.ldc + n, other, s.N - n, alpha, beta,
                   wide);
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
    size_t bytes = (size_t)A | (size_t)B | (size_t)C;
    int floats = shape.lda | shape.ldb | shape.ldc;
    bool wide = bytes % sizeof(float4) == 0 && floats % 4 == 0;

    (void)workspace;
    gemm<<<across * down, THREADS, 0, stream>>>(A, B, C, shape, alpha, beta,
                                                wide);
    return cudaGetLastError();
}
