// SPDX-License-Identifier: MIT
/*
 * cluster_launch.cuh: launches of kernels whose rows belong to clusters of
 * blocks, as a chip_plan says.
 *
 *   cluster_fits     whether the card has clusters, and the kernel's code too
 *   cluster_launch   launches a kernel over clusters
 *   cluster_groups   how many run at a time
 */
#ifndef WB_CLUSTER_LAUNCH_CUH
#define WB_CLUSTER_LAUNCH_CUH

/* Without libcu++, which no function here needs: nvcc takes half the time. */
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>

#include "op/allow_shared.cuh"
#include "op/row_share.cuh"

enum {
    CLUSTER_MOST = 16,   // blocks at most
    CLUSTER_PORTABLE = 8 // more a kernel must be allowed
};

// Does the card have clusters, and was the kernel compiled for them?
static inline bool cluster_fits(const void *kernel,
                                const struct chip_plan *plan)
{
    struct cudaFuncAttributes about;
    int device, clusters = 0;

    return plan->blocks <= CLUSTER_MOST &&
           cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch,
                                  device) == cudaSuccess &&
           clusters && cudaFuncGetAttributes(&about, kernel) == cudaSuccess &&
           about.ptxVersion >= 90;
}

// What launches `groups` clusters. cluster must live as long as config does.
static inline cudaError_t cluster_config(const void *kernel,
                                         const struct chip_plan *plan,
                                         size_t groups,
                                         cudaLaunchAttribute *cluster,
                                         cudaLaunchConfig_t *config,
                                         cudaStream_t stream)
{
    *config = {};
    cluster->id = cudaLaunchAttributeClusterDimension;
    cluster->val.clusterDim.x = plan->blocks;
    cluster->val.clusterDim.y = cluster->val.clusterDim.z = 1;
    config->gridDim = dim3((unsigned)(groups * plan->blocks));
    config->blockDim = dim3(plan->threads);
    config->dynamicSmemBytes = plan->shared;
    config->stream = stream;
    config->attrs = cluster;
    config->numAttrs = plan->blocks > 1;
    return plan->blocks > CLUSTER_PORTABLE
               ? cudaFuncSetAttribute(
                     kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)
               : cudaSuccess;
}

// args: the addresses of the kernel's arguments.
static inline cudaError_t cluster_launch(const void *kernel,
                                         const struct chip_plan *plan,
                                         size_t groups, void **args,
                                         cudaStream_t stream)
{
    cudaLaunchAttribute cluster;
    cudaLaunchConfig_t config;
    cudaError_t error =
        cluster_config(kernel, plan, groups, &cluster, &config, stream);

    return error == cudaSuccess ? cudaLaunchKernelExC(&config, kernel, args)
                                : error;
}

// Blocks or clusters that run at a time. The blocks of a cluster share a group
// of multiprocessors, so that some may be left over.
static inline cudaError_t cluster_groups(const void *kernel,
                                         const struct chip_plan *plan,
                                         size_t *groups)
{
    cudaLaunchAttribute cluster;
    cudaLaunchConfig_t config;
    int device, sms, fit = 0;
    cudaError_t error = allow_shared(kernel);

    if (error != cudaSuccess)
        return error;
    if (plan->blocks > 1) {
        if ((error = cluster_config(kernel, plan, 1, &cluster, &config, 0)) ==
            cudaSuccess)
            error = cudaOccupancyMaxActiveClusters(&fit, kernel, &config);
        *groups = fit;
        return error;
    }
    if ((error = cudaGetDevice(&device)) != cudaSuccess ||
        (error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount,
                                        device)) != cudaSuccess ||
        (error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
             &fit, kernel, plan->threads, plan->shared)) != cudaSuccess)
        return error;
    *groups = (size_t)sms * fit;
    return cudaSuccess;
}

#endif
