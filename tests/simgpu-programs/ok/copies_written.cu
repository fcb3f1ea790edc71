// SPDX-License-Identifier: MIT
/* copies_written.cu: copies to the host of what a kernel, a memset or a copy
 * wrote, all of it or a part, and of variables that begin as zeros. */
#include "../check.h"

__device__ int zeros[64];

__global__ void fill(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}

int main(void)
{
    enum { N = 64, PITCH = 128 };
    int *a, *b, *managed, host[N];
    CUDA(cudaMalloc(&a, sizeof host));
    CUDA(cudaMalloc(&b, 2 * sizeof host));
    CUDA(cudaMallocManaged(&managed, sizeof host));
    fill<<<1, N>>>(a);
    CUDA(cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
    CHECK_OF(host[N - 1] == N - 1, host[N - 1], N - 1);
    fill<<<1, 1>>>(b); /* the rest is copied, and nobody reads it */
    CUDA(cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy2D(host, sizeof host / 2, b, sizeof host, sizeof host / 2,
                      2, cudaMemcpyDeviceToHost));
    CUDA(cudaMemset(b, 1, sizeof host));
    CUDA(cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpyFromSymbol(host, zeros, sizeof zeros));
    CHECK_OF(host[1] == 0, host[1], 0);
    CUDA(cudaMemcpy(host, managed, sizeof host, cudaMemcpyDefault));
    return 0;
}
