// SPDX-License-Identifier: MIT
/*
 * linear_slice.cuh: what linear_tile.cuh and linear_loop.cuh share: a block's
 * threads are cut into slices, each of which takes some of k.
 *
 *   linear_meet     a barrier of a slice's threads
 *   linear_share    what a thread copies of X and W
 *   linear_copy     starts a copy of four neighbours
 *   linear_get      four neighbours from shared memory
 *   linear_finish   adds up what the slices have; calls the epilogue
 *
 * T is a tile: BM x BN elements, by SLICES slices of IN_SLICE threads each.
 */
#ifndef WB_LINEAR_SLICE_CUH
#define WB_LINEAR_SLICE_CUH

#include <cuda_pipeline_primitives.h>

#include "op/linear.h"

// A barrier of a slice's threads alone: slices share nothing before the end.
template <class T>
static __device__ __forceinline__ void linear_meet(int slice)
{
    if (T::IN_SLICE <= 32)
        __syncwarp();
    else
        asm volatile("bar.sync %0, %1;" ::"r"(slice + 1), "r"(T::IN_SLICE + 0)
                     : "memory");
}

// What a thread copies of the next pair of tiles: where it begins in X and W,
// and how many rows, columns and values of k there are from there on.
struct linear_share {
    const float *x, *w;
    int K, N, rows, cols, depth;
    bool wide_x, wide_w; // K, N are multiples of 4
};

// Starts a copy of the first `count` of four neighbours; the others become 0.
// What does not exist is not read. `wide`: there are four or none.
static __device__ __forceinline__ void linear_copy(float *to, const float *from,
                                                   int count, bool wide)
{
    if (wide)
        __pipeline_memcpy_async(to, from, sizeof(float4),
                                count > 0 ? 0 : sizeof(float4));
    else
        for (int e = 0; e < 4; e++)
            __pipeline_memcpy_async(to + e, from + e, sizeof(float),
                                    e < count ? 0 : sizeof(float));
}

static __device__ __forceinline__ void linear_get(float *four,
                                                  const float *from)
{
    float4 v = *(const float4 *)from;

    four[0] = v.x;
    four[1] = v.y;
    four[2] = v.z;
    four[3] = v.w;
}

// All slices' sums, and what the epilogue makes of them.
template <class T, class Epilogue>
static __device__ void linear_finish(const float *sums, struct linear_shape s,
                                     int row0, int col0, Epilogue epilogue)
{
    for (int i = threadIdx.x * 4; i < T::BM * T::BN; i += T::THREADS * 4) {
        int row = row0 + i / T::BN, col = col0 + i % T::BN;
        float total[4] = {0.0f}, four[4];

#pragma unroll
        for (int slice = 0; slice < T::SLICES; slice++) {
            linear_get(four, sums + slice * T::BM * T::BN + i);
            for (int e = 0; e < 4; e++)
                total[e] += four[e];
        }
        if (row < s.M && col < s.N)
            epilogue(row, col, total, min(4, s.N - col));
    }
}

#endif
