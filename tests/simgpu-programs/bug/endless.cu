// SPDX-License-Identifier: MIT
/* endless.cu: a loop that never ends, under a budget of instructions. It counts
 * its tries, so that it might end for all that the simulator knows. */
#include "../check.h"

__global__ void wait_for(volatile int *flag, unsigned long long *tries)
{
    unsigned long long n = 0;
    while (*flag == 0) // finds: budget
        n++;
    *tries = n;
}

int main(void)
{
    int *flag;
    unsigned long long *tries;
    setenv("SIMGPU_BUDGET", "100000", 0);
    CUDA(cudaMalloc(&flag, sizeof *flag));
    CUDA(cudaMalloc(&tries, sizeof *tries));
    CUDA(cudaMemset(flag, 0, sizeof *flag));
    wait_for<<<1, 1>>>(flag, tries);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    return 0;
}
