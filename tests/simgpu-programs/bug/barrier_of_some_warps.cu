// SPDX-License-Identifier: MIT
/* barrier_of_some_warps.cu: two warps of four wait at a barrier, and meet the
 * others at the next one. That alone is no finding (the second kernel). */
// says: other warps of the block wait at line 12, and go on with those that
#include "../check.h"

__global__ void reverse(int *x)
{
    __shared__ int tile[128];
    tile[threadIdx.x] = x[threadIdx.x];
    if (threadIdx.x < 64)
        __syncthreads();
    x[threadIdx.x] = tile[127 - threadIdx.x]; // finds: race
    __syncthreads(); // finds: parted_warps
}

__global__ void apart(int *x)
{
    __shared__ int tile[128];
    tile[threadIdx.x] = x[threadIdx.x];
    if (threadIdx.x < 64)
        __syncthreads();
    else
        __syncthreads();
    x[threadIdx.x] += tile[127 - threadIdx.x];
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, 128 * sizeof *x));
    CUDA(cudaMemset(x, 0, 128 * sizeof *x));
    reverse<<<1, 128>>>(x);
    apart<<<1, 128>>>(x);
    CUDA(cudaDeviceSynchronize());
    return 0;
}
