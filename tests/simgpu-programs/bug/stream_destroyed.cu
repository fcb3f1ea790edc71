// SPDX-License-Identifier: MIT
/* stream_destroyed.cu: a stream is used after it was destroyed, and destroyed
 * again. The program clears the errors; a GPU may not let it get that far. */
// options: -lineinfo -g
// says: 1 finding
// says: a stream that does not exist, 4 times
// says: was destroyed, or never created: CUDA leaves undefined
// says: stream_destroyed.cu:20, in use
// says: stream_destroyed.cu:34, in main
#include "../check.h"

__global__ void fill(int *x)
{
    x[threadIdx.x] = 1;
}

static void use(int *x, cudaStream_t stream)
{
    for (int n = 0; n < 3; n++)
        fill<<<1, 32, 0, stream>>>(x);
    CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
}

int main(void)
{
    int *x;
    cudaStream_t stream;
    CUDA(cudaMalloc(&x, 32 * sizeof *x));
    CUDA(cudaStreamCreate(&stream));
    fill<<<1, 32, 0, stream>>>(x);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaStreamDestroy(stream));
    use(x, stream);
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(stream));
    CUDA(cudaFree(x));
    return 0;
}
