// SPDX-License-Identifier: MIT
/* flag_before_data.cu: a kernel polls a flag that a copy sets, and the data come
 * by a copy after it. In ok/polls_beside.cu they come before it. */
// says: nothing orders the two; this one is on stream 4
#include <unistd.h>

#include "../check.h"

__global__ void for_data(volatile int *flag, const int *data, int *sum)
{
    while (*flag == 0)
        ;
    __threadfence();
    for (int k = 0; k < 64; k++)
        *sum += data[k]; // finds: race
}

int main(void)
{
    int *flag, *x, data[64] = {0}, one = 1;
    cudaStream_t polling, other;
    CUDA(cudaMalloc(&flag, sizeof *flag));
    CUDA(cudaMalloc(&x, 65 * sizeof *x));
    CUDA(cudaStreamCreateWithFlags(&polling, cudaStreamNonBlocking));
    CUDA(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CUDA(cudaMemset(x, 0, 65 * sizeof *x));
    CUDA(cudaMemset(flag, 0, sizeof *flag));
    CUDA(cudaDeviceSynchronize());
    for_data<<<1, 1, 0, polling>>>(flag, x, x + 64);
    CUDA(cudaMemcpyAsync(flag, &one, sizeof one, cudaMemcpyHostToDevice,
                         other));
    usleep(100000);
    CUDA(cudaMemcpyAsync(x, data, sizeof data, cudaMemcpyHostToDevice, other));
    CUDA(cudaDeviceSynchronize());
    return 0;
}
