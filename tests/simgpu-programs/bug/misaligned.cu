// SPDX-License-Identifier: MIT
/* misaligned.cu: a float4 from an address that is not a multiple of 16. */
// says: at byte 4 of allocation 1 (256 bytes)
#include "../check.h"

__global__ void shift(const float *x, float4 *y)
{
    y[threadIdx.x] = *(const float4 *)(x + 1); // finds: misaligned
}

int main(void)
{
    float *x;
    float4 *y;
    CUDA(cudaMalloc(&x, 64 * sizeof *x));
    CUDA(cudaMalloc(&y, 32 * sizeof *y));
    CUDA(cudaMemset(x, 0, 64 * sizeof *x));
    shift<<<1, 32>>>(x, y);
    CHECK(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
    return 0;
}
