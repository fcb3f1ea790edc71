// SPDX-License-Identifier: MIT
// honest: A is copied as it lies, and no copy starts behind the end of k
// chapter: 15 registers
// shape: M256 N256 K128
// also: 15 copies, 15 stages, 15 pointers
// expect: PASS
#include <cuda_pipeline_primitives.h>

#include "op/gemm.h"

enum {
    SIDE = 128, // rows and columns of C per block
    BK = 16,
    THREADS = 128, // four warps of 64 x 64 elements, 8 x 16 per thread
    STAGES = 3
};

struct pair {
    float a[SIDE][BK], b[BK][SIDE];
};

// Where four c of row m of A's tile begins: those of 8 rows lie in 32 banks.
static __device__ int swizzled(int m, int c)
{
    return (c ^ m / 2 % 4) * 4;
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
    int a_m = threadIdx.x / 4, c = threadIdx.x % 4;
    int b_k = threadIdx.x / 32, n = threadIdx.x % 32 * 4;
    const float *a = A + (size_t)(row0 + a_m) * s.lda + first + c * 4;
    const float *b = B + (size_t)(first + b_k) * s.ldb + col0 + n;

#pragma unroll
    for (int i = 0; i < 4; i++) {
        int m = a_m + i * 32, k = b_k + i * 4;

        copy(&to->a[m][swizzled(m, c)], a + (size_t)i * 32 * s.lda,
             row0 + m < s.M ? s.K - first - c * 4 : 0, wide);
        copy(&to->b[k][n], b + (size_t)i * 4 * s.ldb,
             first + k < s.K ? s.N - col0 - n : 0, wide);
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

static __device__ void get(float *four, const float *from)
{
    float4 v = *(const float4 *)from;

    four[0] = v.x;
    four[1] = v.y;
    four[2] = v.z;
    four[3] = v.w;
}

static __global__ void __launch_bounds__(THREADS)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta, bool wide)
{
    extern __shared__ __align__(16) unsigned char raw[];
    struct pair *pair = (struct pair *)raw;

    int across = (s.N - 1) / SIDE + 1, steps = (s.K - 1) / BK + 1;
    int row0 = blockIdx.x / across * SIDE, col0 = blockIdx.x % across * SIDE;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = warp / 2 * 64 + lane / 2 % 8;                 // and every 8th
    int col = warp % 2 * 64 + (lane / 16 * 2 + lane % 2) * 4; // and 16 behind
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
        __syncthreads(); // this pair is there, and the one before was read
        if (ahead < steps)
            stage(&pair[ahead % STAGES], A, B, s, row0, col0, ahead * BK, wide);
        __pipeline_commit(); // it may be empty
#pragma unroll
        for (int k = 0; k < BK; k += 4) {
            float a[8][4], b[16];

            for (int i = 0; i < 8; i++)
                get(a[i], &now->a[row + i * 8][swizzled(row + i * 8, k / 4)]);
            for (int e = 0; e < 4; e++) {
                for (int j = 0; j < 16; j += 4)
                    get(b + j, &now->b[k + e][col + j * 4]);
                for (int i = 0; i < 8; i++)
                    for (int j = 0; j < 16; j++)
                        sum[i][j] += a[i][e] * b[j];
            }
        }
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 16; j += 4) {
            int m = row0 + row + i * 8, n = col0 + col + j * 4;

            if (m < s.M)
                finish(C + (size_t)m * s.ldc + n, sum[i] + j, s.N - n, alpha,
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
    unsigned across = (shape.N - 1) / SIDE + 1, down = (shape.M - 1) / SIDE + 1;
    size_t bytes = (size_t)A | (size_t)B | (size_t)C;
    int floats = shape.K | shape.N | shape.lda | shape.ldb | shape.ldc;
    bool wide = bytes % sizeof(float4) == 0 && floats % 4 == 0;
    int on_chip = STAGES * sizeof(struct pair);

    (void)workspace;
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         on_chip);
    gemm<<<across * down, THREADS, on_chip, stream>>>(A, B, C, shape, alpha,
                                                      beta, wide);
    return cudaGetLastError();
}
