// SPDX-License-Identifier: MIT
// mutant: a product in tf32 poses as one in fp32
// chapter: 15 stages
// expect: WRONG rounding
#include "op/gemm.h"

#define gemm_tf32           in_tf32
#define gemm_tf32_workspace in_tf32_workspace
#include "../solutions/16-gemm-tensor-core/gemm.cu"
#undef gemm_tf32
#undef gemm_tf32_workspace

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    return in_tf32_workspace(shape);
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    return in_tf32(A, B, C, shape, alpha, beta, workspace, stream);
}
