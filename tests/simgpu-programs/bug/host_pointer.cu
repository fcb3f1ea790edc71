// SPDX-License-Identifier: MIT
/* host_pointer.cu: a kernel dereferences a host pointer. */
// says: that is memory of the host (a variable on its stack)
#include "../check.h"

__global__ void zero(int *x)
{
    x[threadIdx.x] = 0; // finds: out_of_bounds
}

int main(void)
{
    int x[32];
    zero<<<1, 32>>>(x);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    return 0;
}
