// SPDX-License-Identifier: MIT
// mutant: tensor cores multiply zeros beside a product in fp32
// chapter: 16 fragments
// expect: TECHNIQUE
#include "op/gemm.h"
#include "op/gemm_tensor.cuh"

#define gemm_f32           in_fp32
#define gemm_f32_workspace in_fp32_workspace
#include "../solutions/15-gemm-async-pipeline/stages.cu"
#undef gemm_f32
#undef gemm_f32_workspace

static __global__ void idle(float *C, int times)
{
    const unsigned a[4] = {0}, b[2] = {0};
    float sums[4] = {0.0f};

    for (int i = 0; i < times; i++)
        mma_tf32(sums, a, b);
    if (sums[0] != 0.0f)
        *C = sums[0];
}

size_t gemm_tf32_workspace(struct gemm_shape shape)
{
    return in_fp32_workspace(shape);
}

cudaError_t gemm_tf32(const float *A, const float *B, float *C,
                      struct gemm_shape shape, float alpha, float beta,
                      void *workspace, cudaStream_t stream)
{
    long long one = 16 * 8 * 8;
    long long all = (long long)shape.M * shape.N * shape.K;

    idle<<<1, 32, 0, stream>>>(C, (int)((all + one - 1) / one));
    return in_fp32(A, B, C, shape, alpha, beta, workspace, stream);
}
