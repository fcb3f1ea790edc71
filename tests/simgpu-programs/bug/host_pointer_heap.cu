// SPDX-License-Identifier: MIT
/* host_pointer_heap.cu: a kernel is given what malloc returned. */
// says: that is memory of the host: copy it to memory of cudaMalloc
#include "../check.h"

#include <stdlib.h>

__global__ void zero(int *x)
{
    x[threadIdx.x] = 0; // finds: out_of_bounds
}

int main(void)
{
    int *x = (int *)malloc(32 * sizeof *x);
    zero<<<1, 32>>>(x);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    free(x);
    return 0;
}
