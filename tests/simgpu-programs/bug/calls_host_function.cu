// SPDX-License-Identifier: MIT
/* calls_host_function.cu: the host hands a kernel the address of its own copy of
 * a function. */
// says: where the device has no function: one of the host?
#include "../check.h"

typedef int function(int);

static __host__ __device__ int twice(int x)
{
    return 2 * x;
}

__global__ void apply(function *f, int *y)
{
    y[threadIdx.x] = f(threadIdx.x); // finds: illegal
}

int main(void)
{
    int *y;
    CUDA(cudaMalloc(&y, 32 * sizeof *y));
    apply<<<1, 32>>>(twice, y);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalInstruction);
    return 0;
}
