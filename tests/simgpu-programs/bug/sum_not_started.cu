// SPDX-License-Identifier: MIT
/* sum_not_started.cu: a sum without a first value, and a maximum that decides a
 * branch. */
// says: reads a variable that nothing has set before
// says: what is stored at sum_not_started.cu:17 depends on it
// says: a branch at sum_not_started.cu:26 depends on it
#include "../check.h"

// options: -lineinfo -diag-suppress 549

__global__ void add_up(const int *x, int *y, int n)
{
    int sum;
#pragma unroll 1
    for (int i = threadIdx.x; i < n; i += 32)
        sum += x[i]; // finds: uninitialised
    y[threadIdx.x] = sum;
}

__global__ void largest(const int *x, int *y, int n)
{
    int most;
#pragma unroll 1
    for (int i = threadIdx.x; i < n; i += 32)
        most = max(most + 1, x[i] + most); // finds: uninitialised
    if (most > 7)
        y[threadIdx.x] = 1;
}

int main(void)
{
    int *x, *y;
    CHECK(cudaMalloc(&x, 320 * sizeof *x) == cudaSuccess);
    CHECK(cudaMalloc(&y, 32 * sizeof *y) == cudaSuccess);
    cudaMemset(x, 0, 320 * sizeof *x);
    add_up<<<1, 32>>>(x, y, 320);
    largest<<<1, 32>>>(x, y, 320);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    return 0;
}
