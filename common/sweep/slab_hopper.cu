// SPDX-License-Identifier: MIT
// Tiles of many widths, for a dispatcher: rounds that are not full, columns that
// are not there.
// New: the blocks of a cluster have parts of k, as a block's slices have, and
// add up their sums out of each other's shared memory.
// Before: 15/gemm, whose tiles have 128 or 256 columns, and whose parts of k go
// through global memory.
// Counter: blocks_at_work rise; without a workspace.

#include "op/gemm.h"
#include "op/gemm_slab.cuh"
#include "sweep/clusters.cuh"

enum {
    BM = 64, // rows of C per block
    BN = 96, // columns
    BK = 8,  // of k on chip at a time, per slice
    TM = 8,  // rows per thread
    TN = 12, // columns
    SLICES = 4, // of a block, that share k
    STAGES = 4, // pairs of tiles on chip per slice
    BLOCKS = 1, // per multiprocessor
    LEAST = SLICES * 4 * BK, // of k that a block has, if others share it
    MOST_PARTS = 8 // blocks of a cluster
};

typedef slab<BM, BN, TM, TN, SLICES, STAGES, BK, BLOCKS> sizes;

// Without beta C is not read: it may hold anything.
struct scaled {
    float *C;
    int ldc;
    float alpha, beta;

    __device__ float of(float v, const float *c) const
    {
        return beta == 0.0f ? alpha * v : alpha * v + beta * *c;
    }

    __device__ void operator()(int row, int col, float v) const
    {
        float *c = C + (size_t)row * ldc + col;

        *c = of(v, c);
    }

    __device__ void operator()(int row, int col, float4 v) const
    {
        float *c = C + (size_t)row * ldc + col;

        *(float4 *)c = make_float4(of(v.x, c), of(v.y, c + 1), of(v.z, c + 2),
                                   of(v.w, c + 3));
    }
};

// Each has LEAST of k; the last one may have half a step less.
static int parts_of(struct gemm_shape s)
{
    long long most = ((2LL * s.K - 1) / LEAST + 1) / 2;

    return cluster_parts(slab_tiles<sizes>(s), BLOCKS,
                         (int)min((long long)MOST_PARTS, most));
}

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    struct scaled to = {C, shape.ldc, alpha, beta};

    (void)workspace; // none was asked for
    return slab_launch<sizes>(A, B, shape, parts_of(shape),
                              (size_t)C % 16 == 0 && shape.ldc % 4 == 0, to,
                              stream);
}
