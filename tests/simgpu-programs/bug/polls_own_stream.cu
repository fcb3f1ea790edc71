// SPDX-License-Identifier: MIT
/* polls_own_stream.cu: the copy that sets the flag is on the stream of the
 * kernel that polls it, and so begins when the kernel has ended.
 * ok/polls_beside.cu has it on another stream. */
// says: byte 0 of allocation 1 (4 bytes)
// says: none writes this; the host waits for the kernel
#include "../check.h"

__global__ void for_flag(volatile int *flag)
{
    while (*flag == 0) // finds: deadlock
        ;
}

int main(void)
{
    int *flag, one = 1;
    cudaStream_t stream;
    CUDA(cudaMalloc(&flag, sizeof *flag));
    CUDA(cudaMemset(flag, 0, sizeof *flag));
    CUDA(cudaStreamCreate(&stream));
    for_flag<<<1, 32, 0, stream>>>(flag);
    CUDA(cudaMemcpyAsync(flag, &one, sizeof one, cudaMemcpyHostToDevice,
                         stream));
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    return 0;
}
