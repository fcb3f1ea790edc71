// SPDX-License-Identifier: MIT
/* launch_limits.cu: launches that reach each limit and do not exceed it. */
#include "../check.h"

__global__ void plain(int *x)
{
    extern __shared__ int shared[];
    shared[threadIdx.x] = (int)threadIdx.x;
    if (blockIdx.x + blockIdx.y == 0)
        x[threadIdx.x] = shared[threadIdx.x];
}

__global__ void __launch_bounds__(256) bounded(int *x)
{
    x[threadIdx.x] = 1;
}

int main(void)
{
    int *x;
    CHECK(cudaMalloc(&x, 1024 * sizeof *x) == cudaSuccess);
    plain<<<1, 1024, 48 << 10>>>(x);
    plain<<<dim3(1, 65535), 1, 64>>>(x);
    bounded<<<1, 256>>>(x);
    CHECK(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               100 << 10) == cudaSuccess);
    plain<<<1, 32, 100 << 10>>>(x);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    cudaFree(x);
    return 0;
}
