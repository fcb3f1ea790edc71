// SPDX-License-Identifier: MIT
// mutant: each row is copied to the chip once for its sums, and once for dx
// chapter: 21 layer_norm_backward
// expect: TECHNIQUE input_reads 2 <= 1.1 MISSED
// say: moves 1.83 times the bytes that must move
// shape: R1056 C2048
#include <cuda_pipeline_primitives.h>

#include "op/layer_norm.h"

enum { THREADS = 256, HELD = 8, BLOCKS = 128 };

static __device__ float over_block(float x, float *shared)
{
    for (int step = 16; step > 0; step /= 2)
        x += __shfl_xor_sync(~0u, x, step);
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = x;
    __syncthreads(); // each warp's sum is there
    x = 0.0f;
    for (int warp = 0; warp < THREADS / 32; warp++)
        x += shared[warp];
    __syncthreads(); // all have read
    return x;
}

// A row of each, by asynchronous copies.
static __device__ void fetch(float (*to)[THREADS * HELD], const float *x,
                             const float *dy, size_t row)
{
    __syncthreads(); // all have read what was there
    for (int c = threadIdx.x * 4; c < THREADS * HELD; c += THREADS * 4) {
        __pipeline_memcpy_async(to[0] + c, x + row + c, 16);
        __pipeline_memcpy_async(to[1] + c, dy + row + c, 16);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads(); // everybody's are there
}

// A block has every BLOCKS-th row, of C = THREADS * HELD columns.
static __global__ void rows(const float *x, const float *dy,
                            const float *gamma, float *dx, float *part,
                            struct layer_norm_shape s, float eps)
{
    __shared__ float shared[THREADS / 32];
    __shared__ __align__(16) float on_chip[2][THREADS * HELD];
    float scale[HELD], of_x[HELD], of_dy[HELD], a[HELD], b[HELD];

    for (int i = 0; i < HELD; i++) {
        scale[i] = gamma[threadIdx.x + i * THREADS];
        a[i] = b[i] = 0.0f;
    }
    for (int r = blockIdx.x; r < s.R; r += BLOCKS) {
        size_t row = (size_t)r * s.C + threadIdx.x;
        float sum = 0.0f, squares = 0.0f, g1 = 0.0f, g2 = 0.0f;

        fetch(on_chip, x, dy, (size_t)r * s.C);
        for (int i = 0; i < HELD; i++) {
            of_x[i] = on_chip[0][threadIdx.x + i * THREADS];
            of_dy[i] = on_chip[1][threadIdx.x + i * THREADS];
            sum += of_x[i];
        }
        sum = over_block(sum, shared) / s.C;
        for (int i = 0; i < HELD; i++) {
            of_x[i] -= sum;
            squares += of_x[i] * of_x[i];
        }
        squares = rsqrtf(over_block(squares, shared) / s.C + eps);
        for (int i = 0; i < HELD; i++) {
            of_x[i] *= squares;
            a[i] += of_dy[i] * of_x[i];
            b[i] += of_dy[i];
            of_dy[i] *= scale[i];
            g1 += of_dy[i];
            g2 += of_dy[i] * of_x[i];
        }
        g1 = over_block(g1, shared) / s.C;
        g2 = over_block(g2, shared) / s.C;
        fetch(on_chip, x, dy, (size_t)r * s.C);
        for (int i = 0; i < HELD; i++) {
            int c = threadIdx.x + i * THREADS;
            float z = (on_chip[0][c] - sum) * squares;

            dx[row + i * THREADS] =
                (on_chip[1][c] * scale[i] - g1 - z * g2) * squares;
        }
    }
    part += (size_t)blockIdx.x * 2 * s.C + threadIdx.x;
    for (int i = 0; i < HELD; i++) {
        part[i * THREADS] = a[i];
        part[s.C + i * THREADS] = b[i];
    }
}

static __global__ void join(const float *part, float *dgamma, float *dbeta,
                            int C)
{
    int c = blockIdx.x * THREADS + threadIdx.x;
    float a = 0.0f, b = 0.0f;

    for (int i = 0; i < BLOCKS; i++) {
        a += part[(size_t)i * 2 * C + c];
        b += part[(size_t)i * 2 * C + C + c];
    }
    dgamma[c] = a;
    dbeta[c] = b;
}

size_t layer_norm_backward_f32_workspace(struct layer_norm_shape shape)
{
    return (size_t)BLOCKS * 2 * shape.C * sizeof(float);
}

cudaError_t layer_norm_backward_f32(const float *x, const float *dy,
                                    const float *gamma, float *dx,
                                    float *dgamma, float *dbeta,
                                    struct layer_norm_shape shape, float eps,
                                    void *workspace, cudaStream_t stream)
{
    float *part = (float *)workspace;

    rows<<<BLOCKS, THREADS, 0, stream>>>(x, dy, gamma, dx, part, shape, eps);
    join<<<shape.C / THREADS, THREADS, 0, stream>>>(part, dgamma, dbeta,
                                                    shape.C);
    return cudaGetLastError();
}
