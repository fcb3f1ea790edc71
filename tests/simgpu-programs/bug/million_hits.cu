// SPDX-License-Identifier: MIT
/* million_hits.cu: a histogram that forgets its atomics: over a million times a
 * thread meets another's update. That is one finding, and takes at most three
 * times as long as the histogram that is right. */
// says: : 1 finding
#include "../check.h"
#include "../device_time.h"

enum { THREADS = 256, BLOCKS = 256, N = 1 << 19, BINS = 256, TIMES = 5 };

__global__ void racy(const int *x, int *bins)
{
    int step = BLOCKS * THREADS;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += step)
        bins[x[i]]++; // finds: race
}

__global__ void right(const int *x, int *bins)
{
    int step = BLOCKS * THREADS;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += step)
        atomicAdd(&bins[x[i]], 1);
}

/* What the launch takes of the machine's processors. */
static double takes(void (*kernel)(const int *, int *), const int *x, int *bins)
{
    double start = device_seconds();
    kernel<<<BLOCKS, THREADS>>>(x, bins);
    CUDA(cudaDeviceSynchronize());
    return device_seconds() - start;
}

int main(void)
{
    static int h[N];
    int *x, *bins;
    double with = 0, without = 0;
    for (int i = 0; i < N; i++)
        h[i] = (int)(i * 2654435761u >> 13) % BINS;
    CUDA(cudaMalloc(&x, sizeof h));
    CUDA(cudaMalloc(&bins, BINS * sizeof *bins));
    CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    CUDA(cudaMemset(bins, 0, BINS * sizeof *bins));
    for (int n = 0; n < TIMES; n++) { /* alternately: the machine is shared */
        without += takes(right, x, bins);
        with += takes(racy, x, bins);
    }
    printf("%.3f s with hits, %.3f s without\n", with, without);
    CHECK(with <= 3 * without);
    return 0;
}
