// SPDX-License-Identifier: MIT
/* backs_off_for_ever.cu: threads of several blocks wait for a flag that nobody
 * sets, and turn round by the clock between two looks at it. ok/time_outs.cu is
 * its twin. */
// says: read of 4 bytes in global memory at byte 0 of flag (4 bytes)
// says: polls for ever, whatever a clock says
#include "../check.h"

__device__ volatile int flag;

__global__ void wait_for(int *x)
{
    while (flag == 0) { // finds: deadlock
        long long since = clock64();
        while (clock64() - since < 2000)
            ;
    }
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
