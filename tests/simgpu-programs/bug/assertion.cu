// SPDX-License-Identifier: MIT
/* assertion.cu: a device assert that does not hold. */
// says: i < n
#include "../check.h"

#include <assert.h>

__global__ void count(int n)
{
    int i = threadIdx.x;
    assert(i < n); // finds: assert
}

int main(void)
{
    count<<<1, 32>>>(40);
    CUDA(cudaDeviceSynchronize());
    count<<<1, 32>>>(20);
    CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
    return 0;
}
