// SPDX-License-Identifier: MIT
/* polls_in_cluster.cu: a block waits at the cluster's barrier for one that polls
 * a flag that nobody sets. In ok/polls_in_cluster.cu the other block sets it. */
// arch: 90
// says: read of 4 bytes in global memory at byte 0 of flag (4 bytes)
// says: polls for ever
#include <cooperative_groups.h>

#include "../check.h"

namespace cg = cooperative_groups;

__device__ volatile int flag;

__global__ void __cluster_dims__(2, 1, 1) meet(int *x)
{
    if (blockIdx.x == 0)
        while (flag == 0) // finds: deadlock
            ;
    cg::this_cluster().sync();
    x[blockIdx.x] = 1;
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, 8 * sizeof *x));
    meet<<<8, 32>>>(x);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    return 0;
}
