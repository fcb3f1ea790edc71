// SPDX-License-Identifier: MIT
/* many_launches.cu: ten thousand launches with one bug: one finding. */
// says: : 1 finding
// says: 10000 times in 10000 launches
#include "../check.h"

__global__ void both(int *x)
{
    __shared__ int s;
    if (threadIdx.x < 2)
        s = threadIdx.x; // finds: race
    __syncthreads();
    *x = s;
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, sizeof *x));
    for (int n = 0; n < 10000; n++)
        both<<<1, 32>>>(x);
    CUDA(cudaDeviceSynchronize());
    return 0;
}
