// SPDX-License-Identifier: MIT
/* polls_for_ever.cu: threads of several blocks wait for a flag that nobody
 * sets. ok/polls.cu is its twin. */
// says: read of 4 bytes in global memory at byte 0 of flag (4 bytes)
// says: polls for ever
#include "../check.h"

__device__ volatile int flag;

__global__ void wait_for(int *x)
{
    if (threadIdx.x == 0)
        while (flag == 0) // finds: deadlock
            ;
    __syncthreads(); // the flag is there
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, 8 * 64 * sizeof *x));
    wait_for<<<8, 64>>>(x);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    return 0;
}
