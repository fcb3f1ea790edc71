// SPDX-License-Identifier: MIT
/* blocks_wait_in_vain.cu: all blocks wait for each other, and one per
 * multiprocessor fits: the last ones never start. */
// says: deadlock in meet
// says: 132 blocks run at once on this GPU and all wait; the grid has 140
#include "../check.h"

enum { BLOCKS = 140, SHARED = 200 << 10 };

__global__ void meet(int *arrived)
{
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < BLOCKS)
            ;
    }
}

int main(void)
{
    int *arrived;
    CUDA(cudaMalloc(&arrived, sizeof *arrived));
    CUDA(cudaMemset(arrived, 0, sizeof *arrived));
    CUDA(cudaFuncSetAttribute(meet, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              SHARED));
    meet<<<BLOCKS, 32, SHARED>>>(arrived);
    CHECK(cudaDeviceSynchronize() != cudaSuccess);
    return 0;
}
