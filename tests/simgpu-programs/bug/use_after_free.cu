// SPDX-License-Identifier: MIT
/* use_after_free.cu: a kernel writes to freed memory. */
// options: -lineinfo -g
// says: at byte 0 of allocation 1 (128 bytes)
// says: allocation 1 was made at
// says: use_after_free.cu:19, in main
// says: allocation 1 was freed at
// says: use_after_free.cu:20, in main
#include "../check.h"

__global__ void zero(int *x)
{
    x[threadIdx.x] = 0; // finds: use_after_free
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, 32 * sizeof *x));
    CUDA(cudaFree(x));
    zero<<<1, 32>>>(x);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    return 0;
}
