// SPDX-License-Identifier: MIT
/*
 * few.cuh: a candidate for the weight gradient with up to 65 taps: one launch.
 *
 *   few_weights_run   HALO quads beside the own one, for 4 HALO + 1 taps
 *   few_launch        launches a kernel over clusters
 *
 * As dwconv_short_weights.cuh, but a cluster of blocks owns a channel, and adds
 * up its blocks' sums.
 */
#ifndef FEW_CUH
#define FEW_CUH

#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>

#include "op/dwconv_short.cuh"

enum {
    FEW_LANES = 32,
    FEW_CLUSTER = 8 // blocks
};

static inline int few_multiprocessors(void)
{
    int device = 0, n = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device);
    return n;
}

// The cluster's sums of all threads' `values`, for its first block's threads
// below TAPS.
template <int TAPS, int THREADS>
static __device__ float few_sums(const float *values)
{
    __shared__ float sums[THREADS / FEW_LANES][TAPS], block[TAPS];

    namespace cg = cooperative_groups;
    cg::cluster_group cluster = cg::this_cluster();
    int k = threadIdx.x;
    float total = 0.0f;

#pragma unroll
    for (int i = 0; i < TAPS; i++) {
        float value = values[i];

        for (int step = FEW_LANES / 2; step > 0; step /= 2)
            value += __shfl_down_sync(0xffffffffu, value, step);
        if (threadIdx.x % FEW_LANES == 0)
            sums[threadIdx.x / FEW_LANES][i] = value;
    }
    __syncthreads(); // every warp's sums are there
    if (k < TAPS) {
        for (int warp = 0; warp < THREADS / FEW_LANES; warp++)
            total += sums[warp][k];
        block[k] = total;
    }
    cluster.sync(); // every block's
    if (k < TAPS && cluster.block_rank() == 0)
        for (unsigned rank = 1; rank < cluster.num_blocks(); rank++)
            total += *cluster.map_shared_rank(&block[k], rank);
    cluster.sync(); // nobody reads from a block that has ended
    return total;
}

// A cluster owns a channel; BATCH quads of dy are under way at a time.
template <int HALO, bool WHOLE, int BATCH, int THREADS, int BLOCKS>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    few_weights(const float *dy, const float *x, float *dw,
                struct dwconv_shape s, unsigned parts, unsigned end,
                struct short_divisor by_quads)
{
    const int taps = HALO * SHORT_QUAD + 1;
    unsigned h = blockIdx.x / parts, k = threadIdx.x;
    unsigned stride = parts * THREADS, work = s.B * by_quads.d;
    float sum[taps] = {};

    for (unsigned i = blockIdx.x % parts * THREADS + k; i < work;
         i += stride * BATCH) {
        float four[BATCH][SHORT_QUAD];
        float window[BATCH][taps + SHORT_QUAD - 1];

#pragma unroll
        for (int n = 0; n < BATCH; n++) {
            unsigned item = i + n * stride, b = short_quotient(item, by_quads);
            unsigned start = (b * s.H + h) * s.L;
            unsigned at = start / SHORT_QUAD * SHORT_QUAD +
                          (item - b * by_quads.d) * SHORT_QUAD;
            int t = item < work ? (int)(at - start) : s.L;

            short_quad<WHOLE, true, true>(four[n], dy, at, t, s.L, end);
            short_quad<WHOLE, true, true>(window[n] + HALO * SHORT_QUAD, x,
                                          at, t, s.L, end);
#pragma unroll
            for (int q = 1; q <= HALO; q++)
                short_quad<WHOLE, true, false>(
                    window[n] + (HALO - q) * SHORT_QUAD, x,
                    at - q * SHORT_QUAD,
                    t < s.L ? t - q * SHORT_QUAD : s.L, s.L, end);
        }
#pragma unroll
        for (int n = 0; n < BATCH; n++)
#pragma unroll
            for (int tap = 0; tap < taps; tap++)
#pragma unroll
                for (int j = 0; j < SHORT_QUAD; j++)
                    sum[tap] += four[n][j] * window[n][taps - 1 + j - tap];
    }

    float total = few_sums<taps, THREADS>(sum);

    if (blockIdx.x % parts == 0 && k < taps && k < s.K)
        dw[h * s.K + k] = total;
}

// What launches `blocks` blocks in clusters of `parts`.
static inline cudaError_t few_launch(const void *kernel, unsigned blocks,
                                     unsigned threads, unsigned parts,
                                     size_t shared, void **args)
{
    cudaLaunchAttribute cluster = {};
    cudaLaunchConfig_t config = {};

    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = parts;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared;
    config.attrs = &cluster;
    config.numAttrs = 1;
    return cudaLaunchKernelExC(&config, kernel, args);
}

// So many parts of a channel that all blocks work at a time, or one.
static inline unsigned few_parts(int channels, int blocks)
{
    int parts = few_multiprocessors() * blocks / channels;

    return parts < 1 ? 1 : parts < FEW_CLUSTER ? parts : (int)FEW_CLUSTER;
}

template <int HALO, int BATCH, int THREADS, int BLOCKS>
static cudaError_t few_weights_run(const float *dy, const float *x, float *dw,
                                   struct dwconv_shape s)
{
    unsigned end = (unsigned)s.B * s.H * s.L, parts = few_parts(s.H, BLOCKS);
    struct short_divisor by_quads = short_divide_by(short_quads(s.L));
    void *args[] = {&dy, &x, &dw, &s, &parts, &end, &by_quads};
    const void *kernel =
        s.L % SHORT_QUAD == 0
            ? (const void *)few_weights<HALO, true, BATCH, THREADS, BLOCKS>
            : (const void *)few_weights<HALO, false, BATCH, THREADS, BLOCKS>;

    return few_launch(kernel, s.H * parts, THREADS, parts, 0, args);
}

#endif
