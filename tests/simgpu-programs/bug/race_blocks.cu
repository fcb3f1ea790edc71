// SPDX-License-Identifier: MIT
/* race_blocks.cu: a stencil in place: a barrier orders the threads of a block,
 * and nothing orders two blocks. */
// says: blocks run in any order
#include "../check.h"

enum { THREADS = 64, BLOCKS = 4, N = THREADS * BLOCKS };

__global__ void smooth(float *x)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    float sum = x[i] + x[(i + 1) % N]; // finds: race
    __syncthreads();
    x[i] = 0.5f * sum;
}

int main(void)
{
    float *x;
    CUDA(cudaMalloc(&x, N * sizeof *x));
    CUDA(cudaMemset(x, 0, N * sizeof *x));
    smooth<<<BLOCKS, THREADS>>>(x);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaFree(x));
    return 0;
}
