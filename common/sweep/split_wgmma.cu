// SPDX-License-Identifier: MIT
// Small products of bf16 by wgmma, for a dispatcher: few tiles, and a long k.
// New: as many blocks of a cluster share a tile's k as run at a time.
// Before: 17/few, a block per tile.
// Counter: blocks_at_work rise to twice or four times as many.

#include <cuda_bf16.h>

#include "op/gemm.h"
#include "op/gemm_hopper_split.cuh"
#include "sweep/clusters.cuh"

enum {
    GROUPS = 1, // warpgroups, with 64 rows of C each
    BN = 64,    // columns of C per block
    STAGES = 8, // pairs of tiles on chip
    BLOCKS = 1, // per multiprocessor
    LEAST = 2,  // steps of k per block, if others share it
    MOST_PARTS = 4 // blocks of a cluster
};

// Each has LEAST steps.
static int parts_of(struct gemm_shape s)
{
    int steps = (s.K - 1) / split::BK + 1;

    return cluster_parts(split::tiles_of<BN, GROUPS>(s), BLOCKS,
                         min(MOST_PARTS, steps / LEAST));
}

size_t gemm_bf16_bf16_workspace(struct gemm_shape shape)
{
    return tensor_map_workspace(shape.K, shape.N, shape.ldb) + // of B's boxes
           tensor_map_workspace(shape.M, shape.K, shape.lda);
}

cudaError_t gemm_bf16_bf16(const gemm_bf16_t *A, const gemm_bf16_t *B,
                           gemm_bf16_t *C, struct gemm_shape shape,
                           float alpha, float beta, void *workspace,
                           cudaStream_t stream)
{
    int parts = parts_of(shape);
    auto launch = parts == 4   ? split::launch<BN, GROUPS, STAGES, 4>
                  : parts == 2 ? split::launch<BN, GROUPS, STAGES, 2>
                               : split::launch<BN, GROUPS, STAGES, 1>;

    return launch(A, B, C, shape, alpha, beta, workspace, stream);
}
