// SPDX-License-Identifier: MIT
/* freed_under_copy.cu: the host's buffer is freed while a copy into it may be
 * under way. ok/late_copies.cu waits first. */
// says: race in cudaFreeHost, stream 0
// says:     free of 256 bytes at byte 0 of allocation 2 (256 bytes)
// says:     against a write by memcpy to the host on stream 3
#include "../check.h"

int main(void)
{
    int *x, *pinned;
    cudaStream_t stream;
    CUDA(cudaMalloc(&x, 256));
    CUDA(cudaMallocHost(&pinned, 256));
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaMemsetAsync(x, 0, 256, stream));
    CUDA(cudaMemcpyAsync(pinned, x, 256, cudaMemcpyDeviceToHost, stream));
    CUDA(cudaFreeHost(pinned));
    CUDA(cudaDeviceSynchronize());
    return 0;
}
