// SPDX-License-Identifier: MIT
/*
 * few.cuh: candidates for depthwise convolution with up to 65 taps.
 *
 *   few_outputs   forward and input gradient, L a multiple of 4
 *   few_any       the same, any L
 *   few_weights   the weight gradient in one launch, any L
 *
 * No shared memory before the end: a thread reads quads of x from global
 * memory, its neighbours' from L1: HALO of these, for 4 HALO + 1 taps.
 */
#ifndef FEW_CUH
#define FEW_CUH

#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>

#include "op/dwconv_short.cuh"

enum {
    FEW_LANES = 32,
    FEW_ROWS = 8,     // that a thread of few_outputs works on, at most
    FEW_BLOCKS = 16,  // per multiprocessor, before it works on more
    FEW_CLUSTER = 8   // blocks
};

static inline int few_multiprocessors(void)
{
    int device = 0, n = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device);
    return n;
}

// A thread owns a quad of a channel in several rows, and keeps the taps.
template <int HALO, bool BACK>
static __global__ void __launch_bounds__(SHORT_THREADS)
    few_outputs(const float *x, const float *w, float *y,
                struct dwconv_shape s, struct short_divisor by_quads)
{
    const int taps = HALO * SHORT_QUAD + 1;
    unsigned quads = by_quads.d, each = s.H * quads;
    unsigned own = blockIdx.x * SHORT_THREADS + threadIdx.x;
    unsigned h = short_quotient(own, by_quads), quad = own - h * quads;
    float weights[taps];

    if (own >= each)
        return;
#pragma unroll
    for (int k = 0; k < taps; k++)
        weights[k] = k < s.K ? w[h * s.K + k] : 0.0f;
    for (unsigned b = blockIdx.y; b < s.B; b += gridDim.y) {
        unsigned at = b * each + own;
        float window[taps + SHORT_QUAD - 1], sum[SHORT_QUAD] = {};

#pragma unroll
        for (int i = 0; i <= HALO; i++) { // in the order of time
            int q = BACK ? i : i - HALO;
            float4 v = quad + q < quads ? ((const float4 *)x)[at + q]
                                        : make_float4(0, 0, 0, 0);

            window[4 * i] = v.x;
            window[4 * i + 1] = v.y;
            window[4 * i + 2] = v.z;
            window[4 * i + 3] = v.w;
        }
#pragma unroll
        for (int k = 0; k < taps; k++)
#pragma unroll
            for (int j = 0; j < SHORT_QUAD; j++)
                sum[j] += weights[k] * window[BACK ? j + k : taps - 1 + j - k];
        ((float4 *)y)[at] = make_float4(sum[0], sum[1], sum[2], sum[3]);
    }
}

template <int HALO, bool BACK>
static cudaError_t few_outputs_run(const float *x, const float *w, float *y,
                                   struct dwconv_shape s)
{
    unsigned quads = s.L / SHORT_QUAD;
    unsigned across = (s.H * quads - 1) / SHORT_THREADS + 1;
    size_t room = (size_t)few_multiprocessors() * FEW_BLOCKS;
    unsigned rows = (unsigned)min((size_t)FEW_ROWS,
                                  s.B * (size_t)across / room + 1);

    few_outputs<HALO, BACK>
        <<<dim3(across, (s.B - 1) / rows + 1), SHORT_THREADS>>>(
            x, w, y, s, short_divide_by(quads));
    return cudaGetLastError();
}

// The quad of a row at `at`, which holds its cells from t on; what lies outside
// [0, L) is zero. An earlier quad than dy's cannot pass the row's end: UP.
template <bool WHOLE, bool UP>
static __device__ void few_load(float *four, const float *from, unsigned at,
                                int t, int L, unsigned end)
{
    four[0] = four[1] = four[2] = four[3] = 0.0f;
    if (t <= -SHORT_QUAD || t >= L)
        return;
    short_load<WHOLE, true>(four, from, at, end);
#pragma unroll
    for (int j = 0; !WHOLE && j < SHORT_QUAD; j++)
        if (t + j < 0 || (UP && t + j >= L))
            four[j] = 0.0f;
}

// Any L: a thread owns a quad that holds cells of a row, and stores these.
template <int HALO, bool BACK>
static __global__ void __launch_bounds__(SHORT_THREADS)
    few_any(const float *x, const float *w, float *y, struct dwconv_shape s,
            unsigned end, struct short_divisor by_quads,
            struct short_divisor by_H)
{
    const int taps = HALO * SHORT_QUAD + 1;
    unsigned i = blockIdx.x * SHORT_THREADS + threadIdx.x;
    unsigned row = short_quotient(i, by_quads), start = row * s.L;
    unsigned h = row - short_quotient(row, by_H) * s.H;
    unsigned at = start / SHORT_QUAD * SHORT_QUAD +
                  (i - row * by_quads.d) * SHORT_QUAD;
    int t = (int)(at - start);
    float window[taps + SHORT_QUAD - 1], sum[SHORT_QUAD] = {};

    if (row >= (unsigned)s.B * s.H || t >= s.L)
        return;
#pragma unroll
    for (int q = 0; q <= HALO; q++) { // in the order of time
        int off = (BACK ? q : q - HALO) * SHORT_QUAD;

        few_load<false, BACK>(window + q * SHORT_QUAD, x, at + off, t + off,
                              s.L, end);
    }
#pragma unroll
    for (int k = 0; k < taps; k++) {
        float tap = k < s.K ? w[h * s.K + k] : 0.0f;

#pragma unroll
        for (int j = 0; j < SHORT_QUAD; j++)
            sum[j] += tap * window[BACK ? j + k : taps - 1 + j - k];
    }
    if (t >= 0 && t + SHORT_QUAD <= s.L)
        *(float4 *)(y + at) = make_float4(sum[0], sum[1], sum[2], sum[3]);
    else
#pragma unroll
        for (int j = 0; j < SHORT_QUAD; j++)
            if (t + j >= 0 && t + j < s.L)
                y[at + j] = sum[j];
}

// Quads that may hold cells of a row.
static inline unsigned few_quads(struct dwconv_shape s)
{
    unsigned before = s.L % SHORT_QUAD ? SHORT_QUAD - 1 : 0;

    return (s.L + before + SHORT_QUAD - 1) / SHORT_QUAD;
}

template <int HALO, bool BACK>
static cudaError_t few_any_run(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned quads = few_quads(s), rows = (unsigned)s.B * s.H;

    few_any<HALO, BACK>
        <<<(rows * quads - 1) / SHORT_THREADS + 1, SHORT_THREADS>>>(
            x, w, y, s, rows * s.L, short_divide_by(quads),
            short_divide_by(s.H));
    return cudaGetLastError();
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

            few_load<WHOLE, true>(four[n], dy, at, t, s.L, end);
            few_load<WHOLE, true>(window[n] + HALO * SHORT_QUAD, x, at, t,
                                  s.L, end);
#pragma unroll
            for (int q = 1; q <= HALO; q++)
                few_load<WHOLE, false>(
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
    struct short_divisor by_quads = short_divide_by(few_quads(s));
    void *args[] = {&dy, &x, &dw, &s, &parts, &end, &by_quads};
    const void *kernel =
        s.L % SHORT_QUAD == 0
            ? (const void *)few_weights<HALO, true, BATCH, THREADS, BLOCKS>
            : (const void *)few_weights<HALO, false, BATCH, THREADS, BLOCKS>;

    return few_launch(kernel, s.H * parts, THREADS, parts, 0, args);
}

#endif
