// SPDX-License-Identifier: MIT
/* race_total.cu: every block adds to one sum, without atomics. */
// says: blocks run in any order
#include "../check.h"

__global__ void count(int *total)
{
    if (threadIdx.x == 0)
        *total += (int)blockIdx.x; // finds: race
}

int main(void)
{
    int *total;
    CUDA(cudaMalloc(&total, sizeof *total));
    CUDA(cudaMemset(total, 0, sizeof *total));
    count<<<8, 32>>>(total);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaFree(total));
    return 0;
}
