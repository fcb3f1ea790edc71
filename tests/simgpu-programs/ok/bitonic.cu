// SPDX-License-Identifier: MIT
/* bitonic.cu: a bitonic sort of keys with their places: steps within a tile in
 * shared memory, longer ones in global memory. Equal keys keep apart by their
 * places, so that the result is unique. */
#include "../check.h"

#include <algorithm>
#include <vector>

enum { TILE = 256, N = 16 * TILE };
typedef unsigned long long item; /* key, then place */

/* Puts a and b into ascending or descending order. */
__device__ void order(item &a, item &b, bool up)
{
    if ((a > b) == up) {
        item t = a;
        a = b;
        b = t;
    }
}

/* Steps of distance d and below, of runs of `run` items. */
__global__ void in_tile(item *x, int run, int d)
{
    __shared__ item tile[TILE];
    int t = threadIdx.x, base = blockIdx.x * TILE;
    tile[t] = x[base + t];
    tile[t + TILE / 2] = x[base + t + TILE / 2];
    for (; d; d /= 2) {
        __syncthreads(); /* the step before is complete */
        int low = 2 * t - t % d;
        order(tile[low], tile[low + d], ((base + low) & run) == 0);
    }
    __syncthreads(); /* so is the last one */
    x[base + t] = tile[t];
    x[base + t + TILE / 2] = tile[t + TILE / 2];
}

__global__ void across_tiles(item *x, int run, int d)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int low = 2 * t - t % d;
    order(x[low], x[low + d], (low & run) == 0);
}

int main()
{
    std::vector<item> h(N), got(N);
    item *x;
    for (int i = 0; i < N; i++)
        h[i] = (item)(i * 2654435761u >> 24) << 32 | (unsigned)i;
    CUDA(cudaMalloc(&x, N * sizeof *x));
    CUDA(cudaMemcpy(x, h.data(), N * sizeof *x, cudaMemcpyHostToDevice));
    for (int run = 2; run <= N; run *= 2) {
        int d = run / 2;
        for (; d >= TILE; d /= 2)
            across_tiles<<<N / TILE, TILE / 2>>>(x, run, d);
        in_tile<<<N / TILE, TILE / 2>>>(x, run, d);
    }
    CUDA(cudaMemcpy(got.data(), x, N * sizeof *x, cudaMemcpyDeviceToHost));
    std::sort(h.begin(), h.end());
    CHECK(got == h);
    printf("%d items in order\n", N);
    return 0;
}
