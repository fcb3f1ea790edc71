// SPDX-License-Identifier: MIT
/* copies_unwritten.cu: the kernel writes to one array and the host reads another,
 * at once and by an asynchronous copy. ok/copies_written.cu is its twin. */
// says: 1 finding
// says: memcpy to the host, 2 times
// says: uninitialised: nothing ever wrote to allocation 2 (256 bytes), of which it reads 256
// options: -lineinfo -g
// says: copies_unwritten.cu:23, in main
#include "../check.h"

__global__ void fill(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}

int main(void)
{
    int *a, *b, *pinned, host[64];
    CUDA(cudaMalloc(&a, sizeof host));
    CUDA(cudaMalloc(&b, sizeof host));
    CUDA(cudaMallocHost(&pinned, sizeof host));
    fill<<<1, 64>>>(a);
    CUDA(cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpyAsync(pinned, b + 32, 32 * sizeof *b,
                         cudaMemcpyDeviceToHost));
    CUDA(cudaDeviceSynchronize());
    return 0;
}
