// SPDX-License-Identifier: MIT
// Products of bf16 whose rows begin anywhere, for a dispatcher.
// New: operands come by words of 32 bits, put together of neighbours' halves,
// whatever their rows' beginnings are, and C goes by words; the blocks of a
// cluster share a long k.
// Before: cluster_hopper.cu, which copies such matrices by single elements.
// Counter: sectors loaded and stored per request fall to what its bytes need.

#include <cuda_bf16.h>

#include "op/gemm.h"
#include "op/gemm_brief.cuh"
#include "sweep/clusters.cuh"

enum {
    BM = 128, // rows of C per block
    BN = 64,  // columns
    BLOCKS = 3, // per multiprocessor
    LEAST = 2,  // steps of k per block, if others share it
    MOST_PARTS = 16 // blocks of a cluster
};

typedef brief::tile<BM, BN, BLOCKS> sizes;

// Each has LEAST steps.
static int parts_of(struct gemm_shape s)
{
    int steps = (s.K - 1) / brief::BK + 1;

    return cluster_parts(brief::tiles_of<sizes>(s), BLOCKS,
                         min(MOST_PARTS, steps / LEAST));
}

size_t gemm_bf16_bf16_workspace(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t gemm_bf16_bf16(const gemm_bf16_t *A, const gemm_bf16_t *B,
                           gemm_bf16_t *C, struct gemm_shape shape,
                           float alpha, float beta, void *workspace,
                           cudaStream_t stream)
{
    (void)workspace; // none was asked for
    return brief::launch<sizes>(A, B, C, shape, alpha, beta, parts_of(shape),
                                stream);
}
