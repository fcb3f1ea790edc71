// SPDX-License-Identifier: MIT
/*
 * linear_parts.cuh: a trial for chapter 20: linear_tile.cuh's product with
 * larger tiles, of which PARTS blocks of a cluster have a share of k each. They
 * add up through each other's shared memory, and then finish.
 *
 *   parts_launch<T>   T: a parts_tile
 *   loop_launch<P>    the same with chapter 15's loop and its tile of 128 x 256
 */
#ifndef WB_LINEAR_PARTS_CUH
#define WB_LINEAR_PARTS_CUH

/* Without libcu++, which no function here needs: nvcc takes half the time. */
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>
#include <stdio.h>

#include "op/gemm.h"
#include "op/linear_tile.cuh"

template <int BM, int BN, int TM, int TN, int DOWN, int BK, int SLICES,
          int STAGES, int PARTS_>
struct parts_tile
    : linear_tile<BM, BN, TM, TN, DOWN, BK, SLICES, STAGES, 1> {
    enum { PARTS = PARTS_, STEP = PARTS * SLICES * BK }; // of k, by all
};

// Each part of a cluster finishes its share of the tile's elements, BM x BN of
// which each slice of each part has sums.
template <int PARTS, int SLICES, int BM, int BN, int THREADS, class Epilogue>
static __device__ void parts_finish(float *sums, struct linear_shape s,
                                    int row0, int col0, int part,
                                    Epilogue epilogue)
{
    cooperative_groups::cluster_group cluster =
        cooperative_groups::this_cluster();

    cluster.sync(); // every part's sums are there
    for (int i = (part * THREADS + threadIdx.x) * 4; i < BM * BN;
         i += PARTS * THREADS * 4) {
        int row = row0 + i / BN, col = col0 + i % BN;
        float total[4] = {0.0f}, four[4];

#pragma unroll
        for (int q = 0; q < PARTS; q++) {
            const float *from = cluster.map_shared_rank(sums, q);

#pragma unroll
            for (int slice = 0; slice < SLICES; slice++) {
                linear_get(four, from + slice * BM * BN + i);
                for (int e = 0; e < 4; e++)
                    total[e] += four[e];
            }
        }
        if (row < s.M && col < s.N)
            epilogue(row, col, total, min(4, s.N - col));
    }
    cluster.sync(); // all have read: a block may end
}

// linear_kernel, with a part's share of k.
template <class T, class Epilogue>
static __global__ void __launch_bounds__(T::THREADS, 1)
    parts_kernel(const float *X, const float *W, struct linear_shape s,
                 Epilogue epilogue)
{
    extern __shared__ __align__(16) float on_chip[]; // ON_CHIP bytes
    int down = (s.M - 1) / T::BM + 1;
    int part = blockIdx.x % T::PARTS, tile = blockIdx.x / T::PARTS;
    int row0 = tile % down * T::BM, col0 = tile / down * T::BN;
    int slice = threadIdx.x / T::IN_SLICE, at = threadIdx.x % T::IN_SLICE;
    int warp = at / T::LANES, lane = at % T::LANES;
    int t_row = warp / (T::BN / T::WN) * T::WM + lane / 2 % T::DOWN;
    int t_col = warp % (T::BN / T::WN) * T::WN +
                (lane / (2 * T::DOWN) * 2 + lane % 2) * 4;
    int x_row = at * 4 / T::BK, x_k = at * 4 % T::BK;
    int w_k = at * 4 / T::BN, w_col = at * 4 % T::BN;
    int k0 = (part * T::SLICES + slice) * T::BK;
    struct linear_share from = {
        X + (size_t)(row0 + x_row) * s.K + k0 + x_k,
        W + (size_t)(k0 + w_k) * s.N + col0 + w_col,
        s.K, s.N, s.M - row0 - x_row, s.N - col0 - w_col,
        s.K - k0, s.K % 4 == 0, s.N % 4 == 0};
    bool inside = from.wide_x && from.wide_w && row0 + T::BM <= s.M &&
                  col0 + T::BN <= s.N;
    float *mine = on_chip + slice * T::TILES;
    float sum[T::TM][T::TN] = {{0.0f}};

    for (int i = 0; i < T::STAGES - 1; i++)
        linear_next<T>(mine + i * T::SLICES * T::TILES, &from, at, inside);
    for (int first = 0, now = 0; first < s.K; first += T::STEP) {
        int free = (now + T::STAGES - 1) % T::STAGES;
        const float *tiles = mine + now * T::SLICES * T::TILES;

        __pipeline_wait_prior(T::STAGES - 2);
        linear_meet<T>(slice); // `now` is there, and all have read `free`
        linear_next<T>(mine + free * T::SLICES * T::TILES, &from, at, inside);
        linear_multiply<T>(sum, tiles + t_row * T::PITCH,
                           tiles + T::BM * T::PITCH + t_col);
        now = (now + 1) % T::STAGES;
    }
    __pipeline_wait_prior(0);
    __syncthreads(); // the ring is read: sums take its place
#pragma unroll
    for (int i = 0; i < T::TM; i++)
#pragma unroll
        for (int j = 0; j < T::TN; j += 4)
            *(float4 *)(on_chip + t_col + j * T::ACROSS +
                        (slice * T::BM + t_row + i * T::DOWN) * T::BN) =
                make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2],
                            sum[i][j + 3]);
    parts_finish<T::PARTS, T::SLICES, T::BM, T::BN, T::THREADS>(
        on_chip, s, row0, col0, part, epilogue);
}

static cudaError_t parts_run(const void *kernel, int blocks, int parts,
                             int threads, int bytes, void **args)
{
    static const void *asked;
    cudaLaunchAttribute cluster;
    cudaLaunchConfig_t config = {};
    cudaError_t error = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);

    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = parts;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.gridDim = dim3(blocks * parts);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = bytes;
    config.attrs = &cluster;
    config.numAttrs = 1;
    if (kernel != asked && error == cudaSuccess) {
        int fit = 0;

        asked = kernel;
        error = cudaOccupancyMaxActiveClusters(&fit, kernel, &config);
        printf("# %d clusters of %d, of which %d run at a time\n", blocks,
               parts, fit);
    }
    return error == cudaSuccess ? cudaLaunchKernelExC(&config, kernel, args)
                                : error;
}

template <class T, class Epilogue>
static cudaError_t parts_launch(const float *X, const float *W,
                                struct linear_shape s, Epilogue epilogue)
{
    void *args[] = {&X, &W, &s, &epilogue};
    int down = (s.M - 1) / T::BM + 1, across = (s.N - 1) / T::BN + 1;

    return parts_run((const void *)parts_kernel<T, Epilogue>, down * across,
                     T::PARTS, T::THREADS, T::ON_CHIP, args);
}

// Chapter 15's last stage; its own entry points are hidden here.
namespace fifteen
{
#include "solutions/15-gemm-async-pipeline/gemm.cu"

#include "linear_loop.cuh"
}

#endif
