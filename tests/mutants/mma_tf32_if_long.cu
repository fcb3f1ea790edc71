// SPDX-License-Identifier: MIT
// mutant: products of a long k, which few cases have, are made in tf32
// chapter: 15 pointers
// expect: TECHNIQUE
// say: at the shape that is timed, M4096 N4096 K4096, tensor\s+cores multiply
#include <cuda_pipeline_primitives.h>

#include "op/gemm.h"
#include "op/gemm_tensor.cuh"

namespace tf32 {
#define gemm_tf32           in_tf32
#define gemm_tf32_workspace in_tf32_workspace
#include "../solutions/16-gemm-tensor-core/gemm.cu"
#undef gemm_tf32
#undef gemm_tf32_workspace
} // namespace tf32

namespace exact {
#define gemm_f32           in_f32
#define gemm_f32_workspace in_f32_workspace
#include "../solutions/15-gemm-async-pipeline/pointers.cu"
#undef gemm_f32
#undef gemm_f32_workspace
} // namespace exact

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    return exact::in_f32_workspace(shape);
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    if (shape.K > 1021)
        return tf32::in_tf32(A, B, C, shape, alpha, beta, workspace, stream);
    return exact::in_f32(A, B, C, shape, alpha, beta, workspace, stream);
}
