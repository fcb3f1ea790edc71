// SPDX-License-Identifier: MIT
/* null_pointer.cu: an array that was never allocated. */
// says: at address 0x0
// says: that is a null pointer, or an index from one
#include "../check.h"

__global__ void zero(int *x)
{
    x[threadIdx.x] = 0; // finds: out_of_bounds
}

int main(void)
{
    int *x = NULL;
    zero<<<1, 32>>>(x);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    return 0;
}
