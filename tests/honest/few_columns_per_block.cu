// SPDX-License-Identifier: MIT
// honest: a block has 16 columns and all of their k, shared by 64 threads each
// chapter: 15 few
// expect: PASS
#include "op/gemm.h"

enum {
    ROWS = 8,
    WIDTH = 16, // columns per block: four threads, and 64 bytes of B
    THREADS = 256,
    TURNS = THREADS * 4 / WIDTH // threads that share a column's k
};

static __global__ void __launch_bounds__(THREADS)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta, bool wide)
{
    __shared__ float sums[TURNS][ROWS * WIDTH + 1];

    int row0 = blockIdx.y * ROWS, turn = threadIdx.x / 4;
    int place = threadIdx.x % 4 * 4, col = blockIdx.x * WIDTH + place;
    float sum[ROWS][4] = {{0.0f}};

#pragma unroll 4
    for (int k = turn; k < s.K; k += TURNS) {
        const float *from = B + (size_t)k * s.ldb + col;
        float b[4];

        if (wide && col < s.N) {
            float4 v = *(const float4 *)from;

            b[0] = v.x;
            b[1] = v.y;
            b[2] = v.z;
            b[3] = v.w;
        } else
            for (int e = 0; e < 4; e++)
                b[e] = col + e < s.N ? from[e] : 0.0f;
        for (int r = 0; r < ROWS; r++) {
            float a = row0 + r < s.M ? A[(size_t)(row0 + r) * s.lda + k] : 0.0f;

            for (int e = 0; e < 4; e++)
                sum[r][e] += a * b[e];
        }
    }
    for (int r = 0; r < ROWS; r++)
        for (int e = 0; e < 4; e++)
            sums[turn][r * WIDTH + place + e] = sum[r][e];
    for (int half = TURNS / 2; half > 0; half /= 2) {
        __syncthreads(); // the sums are there
        for (int i = threadIdx.x; i < half * ROWS * WIDTH; i += THREADS)
            sums[i / (ROWS * WIDTH)][i % (ROWS * WIDTH)] +=
                sums[i / (ROWS * WIDTH) + half][i % (ROWS * WIDTH)];
    }
    __syncthreads(); // and the last of them
    int row = row0 + threadIdx.x / WIDTH;
    int n = blockIdx.x * WIDTH + threadIdx.x % WIDTH;

    if (threadIdx.x < ROWS * WIDTH && row < s.M && n < s.N) {
        float *c = C + (size_t)row * s.ldc + n;

        *c = alpha * sums[0][threadIdx.x] + (beta != 0.0f ? beta * *c : 0.0f);
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
    dim3 grid((shape.N - 1) / WIDTH + 1, (shape.M - 1) / ROWS + 1);
    bool wide = (size_t)B % sizeof(float4) == 0 &&
                (shape.N | shape.ldb) % 4 == 0;

    (void)workspace;
    gemm<<<grid, THREADS, 0, stream>>>(A, B, C, shape, alpha, beta, wide);
    return cudaGetLastError();
}
