// SPDX-License-Identifier: MIT
/* default_before_stream.cu: the default stream's work, then a stream that does
 * not wait for it. ok/default_before_stream.cu waits. */
// says: against a write at
// says: nothing orders the two; this one is on stream 3
// says: in fill on stream 1
#include "../check.h"

__global__ void fill(int *x)
{
    x[threadIdx.x] = 1;
}

__global__ void add_up(const int *x, int *sum)
{
    atomicAdd(sum, x[threadIdx.x]); // finds: race
}

int main(void)
{
    int *x, *sum;
    cudaStream_t stream;
    CUDA(cudaMalloc(&x, 64 * sizeof *x));
    CUDA(cudaMalloc(&sum, sizeof *sum));
    CUDA(cudaMemset(sum, 0, sizeof *sum));
    CUDA(cudaDeviceSynchronize());
    fill<<<1, 64>>>(x);
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    add_up<<<1, 64, 0, stream>>>(x, sum);
    CUDA(cudaDeviceSynchronize());
    return 0;
}
