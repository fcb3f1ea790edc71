// SPDX-License-Identifier: MIT
/* blocks_wait.cu: blocks of a plain launch that wait for each other make
 * progress as long as all fit on the GPU. */
#include "../check.h"

enum { BLOCKS = 40, THREADS = 64, N = BLOCKS * THREADS };

__global__ void meet(int *x, int *arrived, int *y)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    x[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < BLOCKS)
            ;
        __threadfence();
    }
    __syncthreads();
    y[i] = x[N - 1 - i];
}

int main(void)
{
    static int got[N];
    int *x, *y, *arrived;
    CUDA(cudaMalloc(&x, sizeof got));
    CUDA(cudaMalloc(&y, sizeof got));
    CUDA(cudaMalloc(&arrived, sizeof *arrived));
    CUDA(cudaMemset(arrived, 0, sizeof *arrived));
    meet<<<BLOCKS, THREADS>>>(x, arrived, y);
    CUDA(cudaMemcpy(got, y, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        CHECK(got[i] == N - 1 - i);
    return 0;
}
