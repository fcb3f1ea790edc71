// SPDX-License-Identifier: MIT
/* registered_too_short.cu: the kernel writes past the registered memory. */
#include "../check.h"

enum { N = 1000 };

__global__ void twice(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] *= 2; // finds: out_of_bounds
}

// says: at byte 4000 of allocation 1 (4000 bytes)
int main(void)
{
    float *x = (float *)calloc(N, sizeof *x);
    CUDA(cudaHostRegister(x, N * sizeof *x, cudaHostRegisterMapped));
    twice<<<4, 256>>>(x);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
    return 0;
}
