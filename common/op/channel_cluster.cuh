// SPDX-License-Identifier: MIT
/*
 * channel_cluster.cuh: the blocks of a cluster share out a channel's planes,
 * hold them in their shared memory, and tell each other what they know.
 *
 *   struct channel_plan, channel_plan_of   how many blocks hold a channel
 *   channel_launch    launches a kernel over clusters, one per channel
 *   channel_part_of   a block's images, within the kernel
 *   over_cluster      what all threads of the cluster know together
 *   cluster_reads, cluster_read   no block may end while others read from it
 *
 * Compute capability 9.0. The blocks of a multiprocessor share what a block can
 * have there less CLUSTER_STATIC bytes; a cluster has CLUSTER_MOST at most.
 *
 * The hard idea: blocks of a cluster run at the same time on neighbouring
 * multiprocessors, and a barrier and loads from each other's shared memory need
 * no global memory. Channels stay on chip only if all of them fit at a time. A
 * cluster that has to wait for others to end loads nothing meanwhile: with one
 * block per multiprocessor, two rounds of clusters took longer on an H200 than
 * reading x twice.
 */
#ifndef WB_CHANNEL_CLUSTER_CUH
#define WB_CHANNEL_CLUSTER_CUH

/* Without libcu++, which no function here needs: nvcc takes half the time. */
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>

#include "op/allow_shared.cuh"
#include "op/planes.cuh"

enum {
    CLUSTER_MOST = 8,          // more is not portable
    CLUSTER_STATIC = 3 * 1024, // bytes of shared memory for what is static
    CLUSTER_THREADS = 1024,    // of a multiprocessor, for their registers
    CLUSTER_SPREAD = 128       // blocks that keep a GPU busy
};

struct channel_plan {
    int blocks;    // of a cluster; 0: the channels do not fit at a time
    int images;    // that a block holds, at most
    int threads;   // of a block
    size_t shared; // bytes of it, dynamic
};

static inline cudaLaunchConfig_t channel_config(struct channel_plan plan,
                                                int C,
                                                cudaLaunchAttribute *cluster)
{
    cudaLaunchConfig_t config = {};

    cluster->id = cudaLaunchAttributeClusterDimension;
    cluster->val.clusterDim.x = plan.blocks;
    cluster->val.clusterDim.y = cluster->val.clusterDim.z = 1;
    config.gridDim = dim3(plan.blocks * C);
    config.blockDim = dim3(plan.threads);
    config.dynamicSmemBytes = plan.shared;
    config.attrs = cluster;
    config.numAttrs = 1;
    return config;
}

// Multiprocessors come in groups, which are not alike, and a cluster lies in
// one of them: only the runtime knows how many clusters there is room for.
static inline int channels_at_a_time(const void *kernel,
                                     struct channel_plan plan, int C)
{
    cudaLaunchAttribute cluster;
    cudaLaunchConfig_t config = channel_config(plan, C, &cluster);
    int n;

    return allow_shared(kernel) == cudaSuccess &&
                   cudaOccupancyMaxActiveClusters(&n, kernel, &config) ==
                       cudaSuccess
               ? n : 0;
}

// For that kernel; `bytes` are those of an image's channel.
static inline struct channel_plan channel_plan_of(const void *kernel, int B,
                                                  int C, size_t bytes,
                                                  int most_warps)
{
    struct channel_plan plan = {0, 0, 0, 0}, next;
    int device, sms, shared;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount,
                               device) != cudaSuccess ||
        cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                               device) != cudaSuccess)
        return plan;
    shared -= CLUSTER_STATIC;
    for (int blocks = 1; blocks <= CLUSTER_MOST; blocks *= 2) {
        int images = (B - 1) / blocks + 1;
        int threads = (images < most_warps ? images : most_warps) * LANES;
        size_t of_sm = (size_t)shared / (images * bytes);

        if (of_sm > (size_t)CLUSTER_THREADS / threads)
            of_sm = CLUSTER_THREADS / threads;
        next = {blocks, images, threads, images * bytes};
        if ((size_t)C * blocks > sms * of_sm ||
            channels_at_a_time(kernel, next, C) < C)
            continue;
        plan = next;
        if (images == 1 || C * blocks >= CLUSTER_SPREAD)
            break;
    }
    return plan;
}

// args: the addresses of the kernel's arguments.
static inline cudaError_t channel_launch(const void *kernel,
                                         struct channel_plan plan, int C,
                                         void **args, cudaStream_t stream)
{
    cudaLaunchAttribute cluster;
    cudaLaunchConfig_t config = channel_config(plan, C, &cluster);
    cudaError_t error = allow_shared(kernel);

    config.stream = stream;
    return error != cudaSuccess ? error
                                : cudaLaunchKernelExC(&config, kernel, args);
}

// A block's share of its cluster's channel.
struct channel_part {
    int c;
    int rank;   // of the block in its cluster
    int first;  // image
    int images; // may be 0
};

static __device__ struct channel_part channel_part_of(int B, int images)
{
    cooperative_groups::cluster_group cluster =
        cooperative_groups::this_cluster();
    int blocks = cluster.num_blocks(), rank = cluster.block_rank();
    int left = B - rank * images;

    return {(int)blockIdx.x / blocks, rank, rank * images,
            left < 0 ? 0 : left < images ? left : images};
}

// What over_cluster needs in shared memory.
template <class T> struct channel_exchange {
    T of_warp[MOST_WARPS], of_block, all;
};

// All threads of the cluster get what they know together; T is as for
// over_block. Once per exchange: other blocks read from it until cluster_read.
template <class T>
static __device__ T over_cluster(T own, struct channel_exchange<T> *exchange)
{
    cooperative_groups::cluster_group cluster =
        cooperative_groups::this_cluster();
    int lane = threadIdx.x % LANES;

    own = over_block(own, exchange->of_warp);
    if (threadIdx.x == 0)
        exchange->of_block = own;
    cluster.sync(); // what each block knows is there: it may be read
    if (threadIdx.x < LANES) {
        own = T::none();
        if (lane < (int)cluster.num_blocks())
            own = *cluster.map_shared_rank(&exchange->of_block, lane);
        own = own.over_warp();
        if (lane == 0)
            exchange->all = own;
    }
    __syncthreads(); // the sum over blocks is there: it may be read
    return exchange->all;
}

// After its last over_cluster a thread says that it has read, and before its
// end it waits for all others to have said so.
static __device__ void cluster_reads(void)
{
    cooperative_groups::this_cluster().barrier_arrive();
}

static __device__ void cluster_read(void)
{
    cooperative_groups::this_cluster().barrier_wait();
}

#endif
