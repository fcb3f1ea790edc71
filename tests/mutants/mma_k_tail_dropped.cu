// SPDX-License-Identifier: MIT
// mutant: the last K % 8 columns of A are left out
// chapter: 16 pointers
// expect: WRONG
#include "op/gemm.h"

#define gemm_tf32           whole_eights
#define gemm_tf32_workspace whole_eights_workspace
#include "../solutions/16-gemm-tensor-core/pointers.cu"
#undef gemm_tf32
#undef gemm_tf32_workspace

size_t gemm_tf32_workspace(struct gemm_shape shape)
{
    return whole_eights_workspace(shape);
}

cudaError_t gemm_tf32(const float *A, const float *B, float *C,
                      struct gemm_shape shape, float alpha, float beta,
                      void *workspace, cudaStream_t stream)
{
    if (shape.K >= MMA_K)
        shape.K -= shape.K % MMA_K;
    return whole_eights(A, B, C, shape, alpha, beta, workspace, stream);
}
