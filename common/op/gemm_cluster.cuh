// SPDX-License-Identifier: MIT
/*
 * gemm_cluster.cuh: blocks that share a tile of C and reach each other's shared
 * memory. compute_90.
 *
 *   cluster_address   where an address lies in another block
 *   cluster_sync      a barrier of the cluster's threads
 *   launch_clusters   launches a kernel whose neighbouring blocks are clusters
 */
#ifndef WB_GEMM_CLUSTER_CUH
#define WB_GEMM_CLUSTER_CUH

#include <cooperative_groups.h>

/* Where `at`, in shared memory, lies in another block of the cluster. */
template <class T>
static __device__ T *cluster_address(T *at, int block)
{
    return cooperative_groups::this_cluster().map_shared_rank(at, block);
}

/* All threads of the cluster that have not ended come here. What they stored
 * before, in any of its blocks, all may read after. */
static __device__ void cluster_sync(void)
{
    cooperative_groups::this_cluster().sync();
}

/* kernel<<<blocks, threads, bytes, stream>>>(arguments...), where `parts`
 * neighbouring blocks are a cluster. */
template <class... T>
static cudaError_t launch_clusters(void (*kernel)(T...), int parts, int blocks,
                                   int threads, int bytes, cudaStream_t stream,
                                   T... arguments)
{
    cudaLaunchConfig_t launch = {};
    cudaLaunchAttribute cluster = {};

    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {(unsigned)parts, 1, 1};
    launch.gridDim = dim3(blocks);
    launch.blockDim = dim3(threads);
    launch.dynamicSmemBytes = bytes;
    launch.stream = stream;
    launch.attrs = &cluster;
    launch.numAttrs = parts > 1;
    return cudaLaunchKernelEx(&launch, kernel, arguments...);
}

#endif
