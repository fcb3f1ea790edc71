// SPDX-License-Identifier: MIT
/* clusters_wait.cu: clusters wait for each other, by flags: all for the last,
 * as many as the GPU holds at once. bug/clusters_wait.cu has one more. */
// arch: 90
// since: 12
#include <cooperative_groups.h>

#include "../check.h"

namespace cg = cooperative_groups;

enum { BLOCKS = 2, THREADS = 1024 };

__device__ volatile int came[256];

// A block has so much shared memory that no other one joins it.
__global__ void __cluster_dims__(BLOCKS, 1, 1) meet(int *x, int clusters)
{
    int cluster = blockIdx.x / BLOCKS;
    cg::this_cluster().sync();
    if (threadIdx.x == 0 && blockIdx.x % BLOCKS == 1)
        came[cluster] = 1;
    if (threadIdx.x == 0 && blockIdx.x % BLOCKS == 0)
        while (!came[clusters - 1])
            ;
    cg::this_cluster().sync();
    if (threadIdx.x == 0)
        x[blockIdx.x] = 1;
}

int main(void)
{
    enum { ROOM = 200 << 10, MOST = 66 };
    int *x, host[BLOCKS * MOST], clusters = 0;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(BLOCKS * MOST);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = ROOM;
    CUDA(cudaFuncSetAttribute(
        meet, cudaFuncAttributeMaxDynamicSharedMemorySize, ROOM));
    CUDA(cudaOccupancyMaxActiveClusters(&clusters, meet, &config));
    CHECK_OF(clusters > 0 && clusters <= MOST, clusters, MOST);
    config.gridDim = dim3(BLOCKS * clusters);
    CUDA(cudaMalloc(&x, sizeof host));
    CUDA(cudaMemset(x, 0, sizeof host));
    CUDA(cudaLaunchKernelEx(&config, meet, x, clusters));
    CUDA(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    for (int k = 0; k < BLOCKS * clusters; k++)
        CHECK_OF(host[k] == 1, host[k], k);
    return 0;
}
