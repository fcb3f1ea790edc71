// SPDX-License-Identifier: MIT
/* wraps.cu: shared addresses of 32 bits wrap. nvcc leaves a stage of a ring as a
 * negative number in the register, and adds what is missing in the instruction;
 * stores, atomic operations and asynchronous copies do so here, too. */
// arch: 80
#include <cuda_pipeline.h>

#include "../check.h"

enum { THREADS = 256, STAGES = 3, STEPS = 9, QUAD = 4, FAR = 65536 };

__global__ void ring(const float *x, float *y, int steps)
{
    extern __shared__ float s[];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < steps; i++) {
        s[i % STAGES * THREADS + t] = x[i * THREADS + t];
        __syncthreads();
        sum += s[i % STAGES * THREADS + THREADS - 1 - t];
    }
    y[t] = sum;
}

static __device__ void bring(float4 *s, const float4 *x, int i, int steps)
{
    int t = threadIdx.x;
    if (i < steps)
        __pipeline_memcpy_async(s + i % STAGES * THREADS + t,
                                x + i * THREADS + t, sizeof *s);
    __pipeline_commit();
}

__global__ void copied_ring(const float4 *x, float4 *y, int steps)
{
    extern __shared__ float4 quads[];
    int t = threadIdx.x;
    float4 sum = {};
    bring(quads, x, 0, steps);
    bring(quads, x, 1, steps);
    for (int i = 0; i < steps; i++) {
        __pipeline_wait_prior(1);
        __syncthreads();
        bring(quads, x, i + 2, steps);
        float4 v = quads[i % STAGES * THREADS + THREADS - 1 - t];
        sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
    }
    y[t] = sum;
}

__global__ void by_hand(const float *x, float *y)
{
    __shared__ __align__(16) float s[QUAD * THREADS];
    unsigned at = (unsigned)__cvta_generic_to_shared(s + QUAD * threadIdx.x) -
                  FAR;
    asm volatile("cp.async.ca.shared.global [%0 + 65536], [%1], 16;\n"
                 "cp.async.wait_all;\n"
                 "red.shared.add.f32 [%0 + 65540], 0f3F800000;\n"
                 "st.volatile.shared.f32 [%0 + 65544], 0f40000000;"
                 : : "r"(at), "l"(x + QUAD * threadIdx.x) : "memory");
    for (int i = 0; i < QUAD; i++)
        y[QUAD * threadIdx.x + i] = s[QUAD * threadIdx.x + i];
}

int main(void)
{
    enum { N = STEPS * QUAD * THREADS };
    static float x[N], y[QUAD * THREADS];
    float *in, *out;
    for (int i = 0; i < N; i++)
        x[i] = (float)(i % 1000);
    CUDA(cudaMalloc(&in, sizeof x));
    CUDA(cudaMalloc(&out, sizeof y));
    CUDA(cudaMemcpy(in, x, sizeof x, cudaMemcpyDefault));

    ring<<<1, THREADS, STAGES * THREADS * sizeof(float)>>>(in, out, STEPS);
    CUDA(cudaMemcpy(y, out, THREADS * sizeof *y, cudaMemcpyDefault));
    for (int t = 0; t < THREADS; t++) {
        float sum = 0;
        for (int i = 0; i < STEPS; i++)
            sum += x[i * THREADS + THREADS - 1 - t];
        CHECK_OF(y[t] == sum, t, y[t]);
    }

    copied_ring<<<1, THREADS, STAGES * THREADS * sizeof(float4)>>>(
        (const float4 *)in, (float4 *)out, STEPS);
    CUDA(cudaMemcpy(y, out, sizeof y, cudaMemcpyDefault));
    for (int t = 0; t < QUAD * THREADS; t++) {
        int from = QUAD * (THREADS - 1 - t / QUAD) + t % QUAD;
        float sum = 0;
        for (int i = 0; i < STEPS; i++)
            sum += x[i * QUAD * THREADS + from];
        CHECK_OF(y[t] == sum, t, y[t]);
    }

    by_hand<<<1, THREADS>>>(in, out);
    CUDA(cudaMemcpy(y, out, sizeof y, cudaMemcpyDefault));
    for (int t = 0; t < QUAD * THREADS; t++)
        CHECK_OF(y[t] == (t % QUAD == 1   ? x[t] + 1
                          : t % QUAD == 2 ? 2 : x[t]), t, y[t]);
    return 0;
}
