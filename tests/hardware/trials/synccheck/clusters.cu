// SPDX-License-Identifier: MIT
/*
 * clusters.cu MODE RANKS KILOBYTES: clusters of RANKS blocks, whose barriers
 * count arrivals and bytes, with KILOBYTES of shared memory per block. Two
 * blocks share a multiprocessor with 100, none do with 120.
 *
 * MODE is a sum of
 *
 *   1   pieces of rows come by bulk copies, and arrive at a barrier of a warp
 *   2   each block sends a word to each block of its cluster (st.async), and
 *       waits for as many
 *   4   every 8 turns the cluster's blocks arrive at its barrier, and wait for
 *       it 4 turns later
 *
 * Prints "right" or "WRONG", or the error. Is correct in each mode; what a tool
 * says besides is the tool's.
 */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "op/row_barrier.cuh"

enum {
    BULK = 1, SEND = 2, PACE = 4, // MODE
    WARPS = 9, THREADS = WARPS * 32, PIECE = 256, TURNS = 40, KEPT = 16,
    MOST = 16
};

static __global__ void __launch_bounds__(THREADS)
    trial(int mode, const float *in, float *out)
{
    extern __shared__ __align__(128) float piece[]; // WARPS of PIECE
    __shared__ uint64_t here[WARPS], told[KEPT];
    __shared__ float words[KEPT][MOST];
    auto cluster = cooperative_groups::this_cluster();
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int rank = cluster.block_rank(), ranks = cluster.num_blocks();
    const float *from = in + (size_t)(blockIdx.x * WARPS + warp) * PIECE;
    float *mine = piece + warp * PIECE, sum = 0.0f;

    if (threadIdx.x < WARPS)
        bar_init(here + threadIdx.x, 1);
    if (threadIdx.x < KEPT)
        bar_init(told + threadIdx.x, 1);
    cluster.sync();
    for (int turn = 0; turn < TURNS; turn++) {
        int at = turn % KEPT;

        if (mode & PACE && turn % 8 == 0) {
            __syncwarp();
            cluster.barrier_arrive();
        }
        if (mode & PACE && turn % 8 == 4)
            cluster.barrier_wait();
        __syncwarp(); // the piece has been read
        if (mode & BULK && lane == 0) {
            bar_expect(here + warp, PIECE * sizeof(float));
            bulk_in(mine, from, PIECE * sizeof(float), here + warp);
        }
        if (mode & BULK)
            bar_wait(here + warp, turn & 1);
        for (int i = lane; i < PIECE; i += 32)
            sum += mode & BULK ? mine[i] : from[i];
        if (mode & SEND && warp == 0) {
            if (lane == 0)
                bar_expect(told + at, ranks * sizeof(float));
            if (lane < ranks)
                bar_send(&words[at][rank], (float)rank, told + at, lane);
        }
        if (mode & SEND) {
            bar_wait(told + at, turn / KEPT & 1);
            for (int i = 0; i < ranks; i++)
                sum += words[at][i];
        }
    }
    cluster.sync();
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

static void end(const char *what, cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    printf("%s: %s\n", what, cudaGetErrorName(error));
    exit(1);
}

static float expected(int mode, int ranks, int thread)
{
    float sum = 0.0f;

    for (int i = thread % 32; i < PIECE; i += 32)
        sum += (float)((thread / 32 * PIECE + i) % 7);
    return TURNS * (sum + (mode & SEND ? ranks * (ranks - 1) / 2 : 0));
}

int main(int argc, char **argv)
{
    int mode = argc > 3 ? atoi(argv[1]) : 0;
    int ranks = argc > 3 ? atoi(argv[2]) : 1;
    int bytes = argc > 3 ? atoi(argv[3]) * 1024 : 100 * 1024;
    int blocks = 128 / ranks * ranks * 2, wrong = 0;
    size_t cells = (size_t)blocks * WARPS * PIECE;
    float *in, *out;
    cudaLaunchConfig_t how = {};
    cudaLaunchAttribute cluster[1];

    end("malloc", cudaMallocManaged(&in, cells * sizeof *in));
    end("malloc", cudaMallocManaged(&out, blocks * THREADS * sizeof *out));
    for (size_t i = 0; i < cells; i++)
        in[i] = (float)(i % (WARPS * PIECE) % 7);
    how.gridDim = dim3(blocks);
    how.blockDim = dim3(THREADS);
    how.dynamicSmemBytes = bytes;
    cluster[0].id = cudaLaunchAttributeClusterDimension;
    cluster[0].val.clusterDim.x = ranks;
    cluster[0].val.clusterDim.y = cluster[0].val.clusterDim.z = 1;
    how.attrs = cluster;
    how.numAttrs = 1;
    end("shared", cudaFuncSetAttribute(
                      trial, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    end("cluster", cudaFuncSetAttribute(
                       trial, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    end("launch", cudaLaunchKernelEx(&how, trial, mode, (const float *)in, out));
    end("kernel", cudaDeviceSynchronize());
    for (int i = 0; i < blocks * THREADS; i++)
        wrong += out[i] != expected(mode, ranks, i % THREADS);
    printf("%s\n", wrong ? "WRONG" : "right");
    return wrong > 0;
}
