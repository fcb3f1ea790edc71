// SPDX-License-Identifier: MIT
/* out_of_bounds.cu: no bounds check; the fault is told at the next wait, and
// says: at byte 4000 of allocation 1 (4000 bytes)
 * by every call after it that needs the device. */
#include "../check.h"

__global__ void twice(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = 2.0f * i; // finds: out_of_bounds
}

int main(void)
{
    float *x;
    void *p;
    CUDA(cudaMalloc(&x, 1000 * sizeof *x));
    twice<<<4, 256>>>(x);
    CUDA(cudaGetLastError());
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaMalloc(&p, 4) == cudaErrorIllegalAddress);
    CHECK(cudaLaunchKernel((void *)main, dim3(1), dim3(1), NULL, 0, 0) ==
          cudaErrorIllegalAddress); // also of what is no kernel
    CUDA(cudaDeviceReset());
    CUDA(cudaMalloc(&x, 1024 * sizeof *x));
    twice<<<4, 256>>>(x);
    CUDA(cudaDeviceSynchronize());
    return 0;
}
