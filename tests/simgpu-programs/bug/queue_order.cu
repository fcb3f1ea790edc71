// SPDX-License-Identifier: MIT
/* queue_order.cu: memory that a kernel reads behind its flag is freed on another
 * stream, which does not wait for the kernel. ok/queue_order.cu frees what its
 * own stream has used. */
// says: byte 0 of allocation 3 (128 bytes)
#include "../check.h"

enum { N = 32 };

__global__ void sum(volatile int *flag, const int *x, int *y)
{
    while (*flag == 0)
        ;
    y[threadIdx.x] = x[threadIdx.x]; // finds: use_after_free
}

int main(void)
{
    int *x, *y;
    volatile int *flag;
    cudaStream_t polling, other;
    CUDA(cudaStreamCreate(&polling));
    CUDA(cudaStreamCreate(&other));
    CUDA(cudaMallocHost((void **)&flag, sizeof *flag));
    CUDA(cudaMalloc(&y, N * sizeof *y));
    CUDA(cudaMallocAsync((void **)&x, N * sizeof *x, other));
    CUDA(cudaMemsetAsync(x, 0, N * sizeof *x, other));
    CUDA(cudaStreamSynchronize(other));
    *flag = 0;
    sum<<<1, N, 0, polling>>>(flag, x, y);
    CUDA(cudaFreeAsync(x, other));
    CUDA(cudaStreamSynchronize(other));
    *flag = 1;
    CHECK(cudaStreamSynchronize(polling) == cudaErrorIllegalAddress);
    return 0;
}
