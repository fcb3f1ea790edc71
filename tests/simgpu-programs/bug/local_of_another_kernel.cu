// SPDX-License-Identifier: MIT
/* local_of_another_kernel.cu: a kernel leaves the address of its variable to
 * the next one. */
// says: read of 4 bytes in local memory at address
// says: no local variable is there: one of a function that has returned
#include "../check.h"

__device__ volatile int *kept;

__global__ void keep(int at)
{
    volatile int mine[4] = {1, 2, 3, 4};
    mine[at] = 5;
    kept = mine;
}

__global__ void use(int *x)
{
    x[0] = *kept; // finds: out_of_bounds
}

int main(void)
{
    int *x;
    CHECK(cudaMalloc(&x, sizeof *x) == cudaSuccess);
    keep<<<1, 1>>>(2);
    use<<<1, 1>>>(x);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    return 0;
}
