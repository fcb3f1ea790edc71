// SPDX-License-Identifier: MIT
/* uninitialised.cu: adds to memory that was not written. */
// options: -lineinfo -g
// says: at byte 0 of allocation 1 (128 bytes)
// says: allocation 1 was made at
// says: uninitialised.cu:17, in main
#include "../check.h"

__global__ void accumulate(float *sum, const float *x)
{
    sum[threadIdx.x] += x[threadIdx.x]; // finds: uninitialised
}

int main(void)
{
    float *sum, *x;
    CUDA(cudaMalloc(&sum, 32 * sizeof *sum));
    CUDA(cudaMalloc(&x, 32 * sizeof *x));
    CUDA(cudaMemset(x, 0, 32 * sizeof *x));
    accumulate<<<1, 32>>>(sum, x);
    CUDA(cudaDeviceSynchronize());
    return 0;
}
