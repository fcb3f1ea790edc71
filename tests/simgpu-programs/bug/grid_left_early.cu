// SPDX-License-Identifier: MIT
/* grid_left_early.cu: one block of a cooperative launch returns, and the others
 * wait for it at the grid's barrier. */
// says: polls for ever
#include <cooperative_groups.h>

#include "../check.h"

namespace cg = cooperative_groups;

__global__ void meet(int *x)
{
    if (blockIdx.x == 1)
        return;
    cg::this_grid().sync(); // finds: deadlock
    x[blockIdx.x] = 1;
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, 4 * sizeof *x));
    void *arguments[] = {&x};
    CUDA(cudaLaunchCooperativeKernel((void *)meet, dim3(4), dim3(64),
                                     arguments, 0, 0));
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    return 0;
}
