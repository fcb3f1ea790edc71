// SPDX-License-Identifier: MIT
/*
 * parts.cuh: fp32 tiles of C whose k is shared, and how the shares are added.
 *
 *   find              the tile and the part of a block
 *   put               four neighbours of C
 *   total             the sum of fours that lie apart
 *   join              by the last block of a tile to end
 *   finish            the sums of a block's warps, then join
 *   finish_cluster    the same by a cluster, through shared memory
 */
#ifndef TRIAL_PARTS_CUH
#define TRIAL_PARTS_CUH

#include <cooperative_groups.h>

#include "contest.cuh"

enum { TICKETS = 4096, FOUR = sizeof(float4) };

static __device__ unsigned tickets[TICKETS];

static __device__ __forceinline__ void add_times(float4 *sum, float a, float4 b)
{
    sum->x += a * b.x;
    sum->y += a * b.y;
    sum->z += a * b.z;
    sum->w += a * b.w;
}

// Whether this block is the last of a tile's parts to come here.
static __device__ bool is_last(int tile, int parts)
{
    __shared__ bool last;

    __threadfence(); // this thread's sums are stored before its block counts
    __syncthreads(); // and everybody's are
    if (threadIdx.x == 0)
        last = atomicInc(&tickets[tile], parts - 1) == parts - 1;
    __syncthreads(); // all know
    __threadfence(); // no other part is read before
    return last;
}

struct tile {
    int number, row0, col0, part, parts;
};

static __device__ struct tile find(struct gemm_shape s, int rows, int cols,
                                   int parts)
{
    int across = (s.N - 1) / cols + 1, number = blockIdx.x / parts;

    return {number, number / across * rows, number % across * cols,
            (int)blockIdx.x % parts, parts};
}

static __device__ void put(float *C, struct gemm_shape s, int row, int col,
                           float4 v)
{
    if (row < s.M && col < s.N)
        *(float4 *)(C + (size_t)row * s.ldc + col) = v;
}

// The sum of n fours, `apart` fours from one to the next.
static __device__ float4 total(const float4 *from, int n, int apart)
{
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

#pragma unroll 8
    for (int i = 0; i < n; i++)
        add_times(&sum, 1.0f, __ldcg(from + (size_t)i * apart));
    return sum;
}

// Adds up the parts of a tile, `fours` per part, if this block is the last.
static __device__ void join(float *C, struct gemm_shape s, struct tile t,
                            int width, int fours, const float4 *partial)
{
    if (!is_last(t.number, t.parts))
        return;
    partial += (size_t)t.number * t.parts * fours;
    for (int i = threadIdx.x; i < fours; i += blockDim.x)
        put(C, s, t.row0 + i / (width / 4), t.col0 + i % (width / 4) * 4,
            total(partial + i, t.parts, fours));
}

// sums, on chip: those of each warp, `fours` of them.
static __device__ void finish(float4 *sums, int warps, float *C,
                              struct gemm_shape s, struct tile t, int width,
                              int fours, float4 *partial)
{
    float4 *mine = partial + (size_t)blockIdx.x * fours;

    for (int i = threadIdx.x; i < fours; i += blockDim.x) {
        float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

        for (int w = 0; w < warps; w++)
            add_times(&v, 1.0f, sums[w * fours + i]);
        if (t.parts > 1)
            mine[i] = v;
        else
            put(C, s, t.row0 + i / (width / 4), t.col0 + i % (width / 4) * 4,
                v);
    }
    if (t.parts > 1)
        join(C, s, t, width, fours, partial);
}

// The same by a cluster: each block adds up a share of the tile.
static __device__ void finish_cluster(float4 *sums, int warps, float *C,
                                      struct gemm_shape s, struct tile t,
                                      int width, int fours)
{
    namespace cg = cooperative_groups;

    cg::cluster_group cluster = cg::this_cluster();

    for (int i = threadIdx.x; i < fours; i += blockDim.x)
        for (int w = 1; w < warps; w++)
            add_times(&sums[i], 1.0f, sums[w * fours + i]);
    cluster.sync(); // every block's sums are there
    for (int i = t.part * blockDim.x + threadIdx.x; i < fours;
         i += t.parts * blockDim.x) {
        float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

        for (int part = 0; part < t.parts; part++)
            add_times(&v, 1.0f, cluster.map_shared_rank(sums, part)[i]);
        put(C, s, t.row0 + i / (width / 4), t.col0 + i % (width / 4) * 4, v);
    }
    cluster.sync(); // shared memory is read until then
}

#endif
