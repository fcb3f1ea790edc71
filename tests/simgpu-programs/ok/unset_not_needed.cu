// SPDX-License-Identifier: MIT
/* unset_not_needed.cu: variables without a first value of which nobody needs
 * one: set by the first round, chosen away, half of a pair, given to a function
 * that ignores it. */
#include "../check.h"

#include <cuda_fp16.h>

// options: -lineinfo -diag-suppress 549

__global__ void rounds(const int *x, int *y, int n)
{
    int sum, best;
    for (int i = threadIdx.x, k = 0; i < n; i += 32, k++) {
        if (k == 0) {
            sum = 0;
            best = i;
        }
        sum += x[i];
        best = x[i] > x[best] ? i : best;
    }
    y[threadIdx.x] = n > 0 ? sum : 0;
    y[threadIdx.x + 32] = n > 0 ? best : -1;
}

__global__ void halves(const __half *x, __half *y, int n)
{
    __half2 pair;
    for (int i = threadIdx.x; i < n; i += 32) {
        pair.x = x[i];
        pair = __hadd2(pair, pair);
        y[i] = pair.x;
    }
}

__device__ __noinline__ int first(int a, int b, bool second)
{
    return second ? b : a;
}

__global__ void ignored(int *y, int n)
{
    int a, b;
    if (n > 1)
        a = n;
    else
        b = n;
    y[threadIdx.x] = first(a, b, n <= 1);
}

int main(void)
{
    int *x, *y, host[64];
    __half *h;
    CHECK(cudaMalloc(&x, 320 * sizeof *x) == cudaSuccess);
    CHECK(cudaMalloc(&y, 64 * sizeof *y) == cudaSuccess);
    CHECK(cudaMalloc(&h, 640 * sizeof *h) == cudaSuccess);
    cudaMemset(x, 0, 320 * sizeof *x);
    cudaMemset(h, 0, 640 * sizeof *h);
    rounds<<<1, 32>>>(x, y, 320);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    CHECK(host[0] == 0 && host[32] == 0 && host[63] == 31);
    halves<<<1, 32>>>(h, h + 320, 320);
    ignored<<<1, 32>>>(y, 320);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    CHECK(host[0] == 320);
    ignored<<<1, 32>>>(y, 1);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    CHECK(host[31] == 1);
    return 0;
}
