// SPDX-License-Identifier: MIT
// How many blocks fit with each preference for the split between shared memory
// and L1. A kernel gets the least share that is as much as it prefers and holds
// one of its blocks; the numbers are an H200's.
// arch: 90
#include "../check.h"

enum { THREADS = 256 };

__global__ void __launch_bounds__(THREADS, 2) reverse(int *x)
{
    __shared__ int all[THREADS];
    all[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = all[THREADS - 1 - threadIdx.x];
}

static const int percents[] = {-1, 0, 1, 4, 10, 25, 50, 75, 90, 100};
enum { PERCENTS = sizeof percents / sizeof *percents };

static const struct {
    int dynamic;
    int of_percent[PERCENTS];
    int of_cache[4]; // none, shared, L1, equal
} cases[] = {
    {0, {8, 4, 4, 8, 8, 8, 8, 8, 8, 8}, {8, 8, 4, 8}},
    {3000, {8, 1, 1, 3, 6, 8, 8, 8, 8, 8}, {8, 8, 1, 8}},
    {8000, {8, 1, 1, 1, 3, 6, 8, 8, 8, 8}, {8, 8, 1, 8}},
    {40000, {5, 1, 1, 1, 1, 1, 3, 4, 5, 5}, {5, 5, 1, 3}},
};

static void fits(int dynamic, int wanted)
{
    int blocks = -1;
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse,
                                                       THREADS, dynamic));
    CHECK_OF(blocks == wanted, blocks, wanted);
}

static void percent(int value)
{
    CUDA(cudaFuncSetAttribute(
        reverse, cudaFuncAttributePreferredSharedMemoryCarveout, value));
    cudaFuncAttributes about;
    CUDA(cudaFuncGetAttributes(&about, reverse));
    CHECK_OF(about.preferredShmemCarveout == value,
             about.preferredShmemCarveout, value);
}

static void cache(int config)
{
    CUDA(cudaFuncSetCacheConfig(reverse, (cudaFuncCache)config));
}

// What outweighs what: the percentage, then the kernel's configuration, then
// the device's.
static void orders(void)
{
    cudaFuncCache now;
    percent(100);
    cache(cudaFuncCachePreferL1);
    fits(0, 8);
    percent(0);
    cache(cudaFuncCachePreferShared);
    fits(0, 4);
    percent(-1);
    cache(cudaFuncCachePreferL1);
    fits(0, 4);
    CUDA(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    fits(0, 4);
    cache(cudaFuncCachePreferNone);
    fits(0, 8);
    CUDA(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    CUDA(cudaDeviceGetCacheConfig(&now));
    CHECK_OF(now == cudaFuncCachePreferL1, (int)now, cudaFuncCachePreferL1);
    fits(0, 4);
    CUDA(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
}

static void room(void)
{
    size_t bytes = 0;
    cache(cudaFuncCachePreferL1);
    CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, reverse, 4,
                                                   THREADS));
    CHECK_OF(bytes == 1024, (int)bytes, 1024);
    FAILS(cudaErrorInvalidValue,
          cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, reverse, 8,
                                                    THREADS));
    cache(cudaFuncCachePreferNone);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int p = PERCENTS - 1; p >= 0; p--) {
            percent(percents[p]);
            fits(cases[i].dynamic, cases[i].of_percent[p]);
        }
        for (int c = 3; c >= 0; c--) {
            cache(c);
            fits(cases[i].dynamic, cases[i].of_cache[c]);
        }
    }
    orders();
    room();
    printf("carve-outs as on an H200\n");
    return 0;
}
