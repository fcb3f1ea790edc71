// SPDX-License-Identifier: MIT
/* default_before_stream.cu: the host waits for the default stream before it uses
 * a stream that does not; a stream that does needs no wait. */
#include "../check.h"

__global__ void fill(int *x, int value)
{
    x[threadIdx.x] = value;
}

__global__ void add_up(const int *x, int *sum)
{
    atomicAdd(sum, x[threadIdx.x]);
}

int main(void)
{
    int *x, *sum, got;
    cudaStream_t waits, apart;
    CUDA(cudaMalloc(&x, 64 * sizeof *x));
    CUDA(cudaMalloc(&sum, sizeof *sum));
    CUDA(cudaMemset(sum, 0, sizeof *sum));
    fill<<<1, 64>>>(x, 1);
    CUDA(cudaStreamCreate(&waits));
    add_up<<<1, 64, 0, waits>>>(x, sum);
    fill<<<1, 64>>>(x, 2);
    CUDA(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    CUDA(cudaStreamSynchronize(0));
    add_up<<<1, 64, 0, apart>>>(x, sum);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost));
    CHECK_OF(got == 192, got, 192);
    return 0;
}
