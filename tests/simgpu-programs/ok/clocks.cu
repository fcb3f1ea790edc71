// SPDX-License-Identifier: MIT
/* clocks.cu: clock, clock64, the global timer, __nanosleep, and the special
 * registers that say where a thread runs. */
#include <cooperative_groups.h>

#include "../check.h"

enum { BLOCKS = 5, THREADS = 96 };

struct where {
    long long begin, end;
    unsigned lane, warp, sm, sms, grid_threads, slept;
};

static __device__ unsigned lane_id(void)
{
    unsigned x;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(x));
    return x;
}

static __device__ unsigned sm_id(void)
{
    unsigned x;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(x));
    return x;
}

static __device__ unsigned sm_count(void)
{
    unsigned x;
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(x));
    return x;
}

static __device__ unsigned long long now(void)
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void look(struct where *to, float *x)
{
    unsigned long long t = now();
    clock_t first = clock();
    struct where w;
    w.begin = clock64();
    float v = x[blockIdx.x * blockDim.x + threadIdx.x];
    for (int i = 0; i < 100; i++)
        v = v * 0.5f + 1;
    x[blockIdx.x * blockDim.x + threadIdx.x] = v;
    __nanosleep(100);
    w.end = clock64();
    w.lane = lane_id();
    w.warp = threadIdx.x / warpSize;
    w.sm = sm_id();
    w.sms = sm_count();
    w.grid_threads = (unsigned)cooperative_groups::this_grid().size();
    w.slept = (int)(clock() - first) >= 0 && now() >= t;
    to[blockIdx.x * blockDim.x + threadIdx.x] = w;
}

int main(void)
{
    struct where *to;
    float *x;
    int sms;
    CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CUDA(cudaMallocManaged(&to, BLOCKS * THREADS * sizeof *to));
    CUDA(cudaMallocManaged(&x, BLOCKS * THREADS * sizeof *x));
    for (int i = 0; i < BLOCKS * THREADS; i++)
        x[i] = 2;
    look<<<1, THREADS>>>(to, x);
    look<<<BLOCKS, THREADS>>>(to, x);
    cudaError_t error = cudaDeviceSynchronize();
    CHECK(error == cudaSuccess);
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        CHECK(to[i].end > to[i].begin);
        CHECK(to[i].lane == (unsigned)i % THREADS % 32);
        CHECK(to[i].warp == (unsigned)i % THREADS / 32);
        CHECK(to[i].sm < to[i].sms && to[i].sms >= (unsigned)sms);
        CHECK(to[i].grid_threads == BLOCKS * THREADS);
        CHECK(to[i].slept);
        CHECK(x[i] == 2);
    }
    return 0;
}
