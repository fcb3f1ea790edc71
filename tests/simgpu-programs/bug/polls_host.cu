// SPDX-License-Identifier: MIT
/* polls_host.cu: the host waits for a kernel that waits for the host.
 * ok/polls.cu is its twin. */
// says: simgpu: cudaStreamSynchronize has waited for for_host for 5 s, which
// says: : the host has to write that
// says: read of 4 bytes in global memory at byte 0 of allocation 1 (4 bytes)
// says: only the host can write this, and its one thread waits in
// says: waits in cudaStreamSynchronize
#include "../check.h"

__global__ void for_host(volatile int *flag)
{
    while (*flag == 0) // finds: deadlock
        ;
}

int main(void)
{
    volatile int *flag;
    CUDA(cudaMallocHost((void **)&flag, sizeof *flag));
    *flag = 0;
    for_host<<<1, 32>>>(flag);
    CHECK(cudaStreamSynchronize(0) == cudaErrorLaunchTimeout);
    *flag = 1;
    return 0;
}
