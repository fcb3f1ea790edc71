// SPDX-License-Identifier: MIT
/* clusters_wait.cu: one more cluster than the GPU holds at once, and all wait
 * for the last. In ok/clusters_wait.cu all of them fit. */
// arch: 90
// since: 12
// says: 66 clusters run at once on this GPU and all wait; the grid has 67
#include <cooperative_groups.h>

#include "../check.h"

namespace cg = cooperative_groups;

enum { BLOCKS = 2, THREADS = 1024, CLUSTERS = 67, ROOM = 200 << 10 };

__device__ volatile int came[CLUSTERS];

__global__ void __cluster_dims__(BLOCKS, 1, 1) meet(int *x)
{
    int cluster = blockIdx.x / BLOCKS;
    cg::this_cluster().sync();
    if (threadIdx.x == 0 && blockIdx.x % BLOCKS == 1)
        came[cluster] = 1;
    if (threadIdx.x == 0 && blockIdx.x % BLOCKS == 0)
        while (!came[CLUSTERS - 1]) // finds: deadlock
            ;
    cg::this_cluster().sync();
    if (threadIdx.x == 0)
        x[blockIdx.x] = 1;
}

int main(void)
{
    int *x, most = 0;
    cudaLaunchConfig_t config = {};
    CUDA(cudaFuncSetAttribute(
        meet, cudaFuncAttributeMaxDynamicSharedMemorySize, ROOM));
    config.gridDim = dim3(BLOCKS * CLUSTERS);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = ROOM;
    CUDA(cudaOccupancyMaxActiveClusters(&most, meet, &config));
    CHECK_OF(most == CLUSTERS - 1, most, CLUSTERS - 1);
    CUDA(cudaMalloc(&x, BLOCKS * CLUSTERS * sizeof *x));
    meet<<<BLOCKS * CLUSTERS, THREADS, ROOM>>>(x);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    return 0;
}
