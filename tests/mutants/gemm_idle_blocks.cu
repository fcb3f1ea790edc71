// SPDX-License-Identifier: MIT
// mutant: one block per tile, and many threads that do nothing beside it
// chapter: 15 split
// expect: TECHNIQUE blocks_at_work
// shape: M256 N256 K512
#include "op/gemm.h"

#define gemm_f32 block_per_tile
#include "../solutions/15-gemm-async-pipeline/registers.cu"
#undef gemm_f32

static __global__ void idle() {}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    cudaError_t error = block_per_tile(A, B, C, shape, alpha, beta, workspace,
                                       stream);

    idle<<<128, 256, 0, stream>>>();
    return error;
}
