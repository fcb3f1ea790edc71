// SPDX-License-Identifier: MIT
/* bytes_apart.cu: neighbouring bytes of one word, written by different threads,
 * warps, blocks and streams, each by one. */
#include "../check.h"

enum { BYTES = 256, LANES = 32 };

__global__ void in_a_block(char *out)
{
    __shared__ char x[BYTES];
    int t = threadIdx.x, turned = t % 4 * (BYTES / 4) + t / 4;
    x[turned % 4 * (BYTES / 4) + turned / 4] = (char)t;
    __syncthreads();
    out[t] = x[t];
}

__global__ void every_fourth(char *x, int from, char to)
{
    x[4 * threadIdx.x + from + blockIdx.x] = to;
}

__global__ void pairs(short *x, int from)
{
    x[2 * threadIdx.x + from] = (short)from;
}

int main(void)
{
    char *x, back[BYTES];
    cudaStream_t a, b;
    CUDA(cudaMalloc(&x, BYTES));
    CUDA(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CUDA(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    in_a_block<<<1, BYTES>>>(x);
    every_fourth<<<4, BYTES / 4>>>(x, 0, 1);
    CUDA(cudaDeviceSynchronize());
    every_fourth<<<2, BYTES / 4, 0, a>>>(x, 0, 5);
    every_fourth<<<2, BYTES / 4, 0, b>>>(x, 2, 6);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpy(back, x, BYTES, cudaMemcpyDeviceToHost));
    CHECK(back[0] == 5 && back[1] == 5 && back[2] == 6 && back[3] == 6);
    pairs<<<1, BYTES / 4, 0, a>>>((short *)x, 0);
    pairs<<<1, BYTES / 4, 0, b>>>((short *)x, 1);
    CUDA(cudaDeviceSynchronize());
    return 0;
}
