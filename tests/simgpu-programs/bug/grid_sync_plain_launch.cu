// SPDX-License-Identifier: MIT
/* grid_sync_plain_launch.cu: <<<>>> promises no barrier over the grid: the
 * toolkit's code stops the kernel there. */
// says: in a kernel that cudaLaunchCooperativeKernel did not launch
#include <cooperative_groups.h>

#include "../check.h"

__global__ void step(int *x)
{
    x[threadIdx.x] = 1;
    cooperative_groups::this_grid().sync(); // finds: trap
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, 32 * sizeof *x));
    step<<<2, 32>>>(x);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    return 0;
}
