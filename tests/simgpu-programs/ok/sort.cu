// SPDX-License-Identifier: MIT
/* sort.cu: bitonic sort: within a block in shared memory, over all of global
 * memory with one launch per step. */
#include "../check.h"

#include <limits.h>

enum { BLOCK = 512, N = 1 << 13 };

static __device__ void order(int *a, int *b, bool up)
{
    if ((*a > *b) == up) {
        int t = *a;
        *a = *b;
        *b = t;
    }
}

/* Each run of 2 * BLOCK numbers, ascending and descending alternately. */
__global__ void sort_runs(int *x)
{
    __shared__ int s[2 * BLOCK];
    int first = blockIdx.x * 2 * BLOCK, t = threadIdx.x;
    s[t] = x[first + t];
    s[t + BLOCK] = x[first + t + BLOCK];
    for (int size = 2; size <= 2 * BLOCK; size *= 2)
        for (int half = size / 2; half > 0; half /= 2) {
            __syncthreads();
            int at = 2 * t - (t & (half - 1));
            bool up = ((first + at) & size) == 0;
            order(&s[at], &s[at + half], up);
        }
    __syncthreads();
    x[first + t] = s[t];
    x[first + t + BLOCK] = s[t + BLOCK];
}

__global__ void merge_step(int *x, int size, int half)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int at = 2 * t - (t & (half - 1));
    order(&x[at], &x[at + half], (at & size) == 0);
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static int h[N], got[N];
    int *d;
    unsigned seed = 7;
    for (int i = 0; i < N; i++)
        h[i] = (int)(seed = seed * 1664525u + 1013904223u);
    h[17] = INT_MIN;
    h[99] = INT_MAX;
    CUDA(cudaMalloc(&d, sizeof h));
    CUDA(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    sort_runs<<<N / (2 * BLOCK), BLOCK>>>(d);
    for (int size = 4 * BLOCK; size <= N; size *= 2)
        for (int half = size / 2; half > 0; half /= 2)
            merge_step<<<N / (2 * BLOCK), BLOCK>>>(d, size, half);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
    qsort(h, N, sizeof *h, compare);
    for (int i = 0; i < N; i++)
        CHECK(got[i] == h[i]);
    CUDA(cudaFree(d));
    return 0;
}
