// SPDX-License-Identifier: MIT
/* polls_in_cluster.cu: a block polls a flag that another one of its cluster sets
 * after long work, and a third waits for both at the cluster's barrier. */
// arch: 90
#include <cooperative_groups.h>

#include "../check.h"

namespace cg = cooperative_groups;

__device__ volatile int flag[8];

__global__ void __cluster_dims__(4, 1, 1) meet(volatile int *x)
{
    int cluster = blockIdx.x / 4, rank = blockIdx.x % 4;
    if (rank == 0 && threadIdx.x == 0)
        while (flag[cluster] == 0)
            ;
    if (rank == 1 && threadIdx.x == 0) {
        for (int k = 0; k < 20000; k++)
            x[blockIdx.x] = k;
        flag[cluster] = 1;
    }
    if (rank == 3)
        return;
    cg::this_cluster().sync();
    if (threadIdx.x == 0)
        x[blockIdx.x] = 1;
}

int main(void)
{
    int *x, host[32];
    CUDA(cudaMalloc(&x, sizeof host));
    CUDA(cudaMemset(x, 0, sizeof host));
    meet<<<32, 32>>>(x);
    CUDA(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    for (int k = 0; k < 32; k++)
        CHECK_OF(host[k] == (k % 4 < 3), host[k], k);
    return 0;
}
