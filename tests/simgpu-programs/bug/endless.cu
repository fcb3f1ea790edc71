// SPDX-License-Identifier: MIT
/* endless.cu: a loop that never ends, under a budget of instructions. */
#include "../check.h"

__global__ void wait_for(volatile int *flag)
{
    while (*flag == 0) // finds: budget
        ;
}

int main(void)
{
    int *flag;
    setenv("SIMGPU_BUDGET", "100000", 0);
    CUDA(cudaMalloc(&flag, sizeof *flag));
    CUDA(cudaMemset(flag, 0, sizeof *flag));
    wait_for<<<1, 1>>>(flag);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    return 0;
}
