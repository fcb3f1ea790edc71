// SPDX-License-Identifier: MIT
/*
 * row_cluster.cuh: row_chip.cuh's operations over rows that are too long for a
 * block: a cluster of blocks owns a row.
 *
 *   row_cluster_run   launches an operation over rows of any length
 *   by_cluster        how a cluster puts a row together
 *   cluster_fits      whether the card has clusters, and the kernel's code too
 *   cluster_launch    launches a kernel over clusters
 *
 * Clusters need compute capability 9.0 and `arch = compute_90`. Without them,
 * and where no cluster holds a row, rows are read twice.
 *
 * The hard idea: the blocks of a cluster run at the same time, and each writes
 * what it knows into the shared memory of all, which takes one barrier. Before
 * that, all blocks must have started: a barrier that is free, as it passes
 * while the row's loads are on their way. Where there are more rows than one,
 * buffers alternate: no block is two rows ahead of another.
 */
#ifndef WB_ROW_CLUSTER_CUH
#define WB_ROW_CLUSTER_CUH

/* Without libcu++, which no function here needs: nvcc takes half the time. */
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>

#include "op/row_chip.cuh"

enum {
    CLUSTER_MOST = 16,    // blocks at most
    CLUSTER_PORTABLE = 8, // more a kernel must be allowed
    CLUSTER_BLOCK = 512   // threads of a block, if 16 of them are enough
};

struct by_cluster {
    // A block's shared memory may be written as soon as the block runs.
    static __device__ void start()
    {
#if __CUDA_ARCH__ >= 900
        cooperative_groups::this_cluster().sync();
#endif
    }
    template <class Op>
    static __device__ typename Op::partial
    over(typename Op::partial p, const struct chip_plan &, int turn)
    {
#if __CUDA_ARCH__ >= 900
        __shared__ typename Op::partial of_block[2][CLUSTER_MOST];
        cooperative_groups::cluster_group cluster =
            cooperative_groups::this_cluster();
        int rank = threadIdx.x % CHIP_LANES, blocks = cluster.num_blocks();

        p = chip_over_block<Op>(p, turn);
        if ((int)threadIdx.x < blocks)
            *cluster.map_shared_rank(&of_block[turn][cluster.block_rank()],
                                     threadIdx.x) = p;
        cluster.sync(); // what each block knows is here: it may be read
        p = rank < blocks ? of_block[turn][rank] : Op::none();
        return Op::join(p, CHIP_LANES);
#else
        return p; // never launched: cluster_fits
#endif
    }
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
    cudaError_t error = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
        (int)plan->shared);

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

// The threads that hold a row, of blocks of CLUSTER_BLOCK or else of more.
template <class Op>
static struct chip_plan cluster_plan_of(size_t rows, int cols)
{
    enum { WIDTH = CHIP_VECTOR / sizeof(typename Op::element) };
    constexpr int units = chip_units<Op>(CHIP_MANY);
    struct chip_plan plan =
        chip_plan_of(rows, cols, WIDTH, units, CLUSTER_BLOCK);

    return plan.blocks <= CLUSTER_MOST
               ? plan
               : chip_plan_of(rows, cols, WIDTH, units, CHIP_MOST);
}

// Together says how a cluster puts a row together.
template <class Together, class Op>
static cudaError_t row_cluster_run(Op op, size_t rows, int cols,
                                   cudaStream_t stream)
{
    enum { WIDTH = CHIP_VECTOR / sizeof(typename Op::element) };
    constexpr int units = chip_units<Op>(CHIP_MANY);
    const void *kernel =
        cols % WIDTH == 0 ? (const void *)row_chip<Op, false, units, Together>
                          : (const void *)row_chip<Op, true, units, Together>;
    struct chip_plan plan = cluster_plan_of<Op>(rows, cols);
    void *args[] = {&op, &plan};

    if (chip_fits<Op>(cols))
        return row_chip_run(op, rows, cols, stream);
    if (!cluster_fits(kernel, &plan))
        return row_twice_run(op, rows, cols, sums_of_nothing(), (unsigned)rows,
                             stream);
    return cluster_launch(kernel, &plan, rows, args, stream);
}

#endif
