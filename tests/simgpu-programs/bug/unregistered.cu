// SPDX-License-Identifier: MIT
/* unregistered.cu: the kernel still has the pointer of memory that is the
 * host's alone again. */
#include "../check.h"

enum { N = 1000 };

__global__ void clear(float *x)
{
    x[threadIdx.x] = 0; // finds: use_after_free
}

int main(void)
{
    float *x = (float *)calloc(N, sizeof *x), *on_device;
    CUDA(cudaHostRegister(x, N * sizeof *x, cudaHostRegisterMapped));
    CUDA(cudaHostGetDevicePointer(&on_device, x, 0));
    clear<<<1, 128>>>(on_device);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaHostUnregister(x));
    clear<<<1, 128>>>(on_device);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
    return 0;
}
