// SPDX-License-Identifier: MIT
//
// costs.cu: clocks that an instruction takes which orders memory, sleeps or
// reads a clock: in a loop of one warp (its latency), and per warp with 32
// warps on one multiprocessor and 64 on all (its cost). With a store before
// each where it says so: what a fence waits for.
#include <stdio.h>

enum { ROUNDS = 256 };

#define KERNEL(name, code, stores)                                           \
    __global__ void name(float *out, long long *clocks)                      \
    {                                                                        \
        float *at = out + blockIdx.x * blockDim.x + threadIdx.x;             \
        long long begun = clock64();                                         \
                                                                             \
        for (int i = 0; i < ROUNDS; i++) {                                   \
            if (stores)                                                      \
                *(volatile float *)at = (float)i;                            \
            code;                                                            \
        }                                                                    \
        if (threadIdx.x == 0)                                                \
            clocks[blockIdx.x] = clock64() - begun;                          \
    }

KERNEL(nothing, asm volatile("" ::: "memory"), false)
KERNEL(store, asm volatile("" ::: "memory"), true)
KERNEL(fence_block, __threadfence_block(), false)
KERNEL(fence_gpu, __threadfence(), false)
KERNEL(fence_system, __threadfence_system(), false)
KERNEL(store_fence_block, __threadfence_block(), true)
KERNEL(store_fence_gpu, __threadfence(), true)
KERNEL(store_fence_system, __threadfence_system(), true)
KERNEL(acq_rel_gpu, asm volatile("fence.acq_rel.gpu;" ::: "memory"), false)
KERNEL(sleep_0, __nanosleep(0), false)
KERNEL(sleep_20, __nanosleep(20), false)
KERNEL(sleep_100, __nanosleep(100), false)
KERNEL(sleep_1000, __nanosleep(1000), false)
KERNEL(sleep_10000, __nanosleep(10000), false)
KERNEL(read_clock, asm volatile("{.reg .u32 t; mov.u32 t, %clock;}"), false)
KERNEL(read_clock64, asm volatile("{.reg .u64 t; mov.u64 t, %clock64;}"), false)
KERNEL(read_globaltimer,
       asm volatile("{.reg .u64 t; mov.u64 t, %globaltimer;}"), false)

typedef void kernel(float *, long long *);

static double clocks_of(kernel *k, int blocks, int threads)
{
    static float *out;
    static long long *clocks;
    long long best = 0, now;

    if (!out && (cudaMalloc(&out, 1 << 24) || cudaMalloc(&clocks, 8192)))
        return -1;
    for (int i = 0; i < 5; i++) {
        k<<<blocks, threads>>>(out, clocks);
        if (cudaMemcpy(&now, clocks, sizeof now, cudaMemcpyDefault))
            return -1;
        if (i == 0 || now < best)
            best = now;
    }
    return (double)best / ROUNDS;
}

int main(void)
{
    static const struct {
        const char *name;
        kernel *k;
    } all[] = {
#define ROW(name) {#name, name}
        ROW(nothing), ROW(store), ROW(fence_block), ROW(fence_gpu),
        ROW(fence_system), ROW(store_fence_block), ROW(store_fence_gpu),
        ROW(store_fence_system), ROW(acq_rel_gpu), ROW(sleep_0), ROW(sleep_20),
        ROW(sleep_100), ROW(sleep_1000), ROW(sleep_10000), ROW(read_clock),
        ROW(read_clock64), ROW(read_globaltimer)};
    struct cudaDeviceProp p;
    int n = cudaGetDeviceProperties(&p, 0) ? 0 : p.multiProcessorCount;

    printf("%s: clocks per round\n%-20s %10s %10s %10s\n", p.name, "",
           "1 warp", "32 warps", "64 on all");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        printf("%-20s %10.1f %10.1f %10.1f\n", all[i].name,
               clocks_of(all[i].k, 1, 32), clocks_of(all[i].k, 1, 1024) / 32,
               clocks_of(all[i].k, 2 * n, 1024) / 64);
    return n == 0;
}
