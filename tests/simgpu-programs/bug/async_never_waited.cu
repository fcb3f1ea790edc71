// SPDX-License-Identifier: MIT
/* async_never_waited.cu: a barrier alone does not wait for copies. */
// arch: 80
// says: its asynchronous copy was never waited for
#include <cuda_pipeline.h>

#include "../check.h"

__global__ void reverse(int *x)
{
    __shared__ int tile[128];
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], sizeof *x);
    __pipeline_commit();
    __syncthreads();
    x[threadIdx.x] = tile[127 - threadIdx.x]; // finds: race
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, 128 * sizeof *x));
    CUDA(cudaMemset(x, 0, 128 * sizeof *x));
    reverse<<<1, 128>>>(x);
    CUDA(cudaDeviceSynchronize());
    return 0;
}
