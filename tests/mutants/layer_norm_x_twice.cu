// SPDX-License-Identifier: MIT
// mutant: x is loaded twice, and gamma and beta once for eight rows
// chapter: 21 layer_norm
// expect: TECHNIQUE bytes_beside_parameters 1.49.* <= 1.1 MISSED
// say: Without what it loads of the small inputs
// shape: R256 C4096
#include "op/layer_norm.h"
#include "../tests/mutants/norm_reads_again.cuh"

size_t layer_norm_f32_workspace(struct layer_norm_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t layer_norm_f32(const float *x, const float *gamma,
                           const float *beta, float *y,
                           struct layer_norm_shape shape, float eps,
                           void *workspace, cudaStream_t stream)
{
    (void)workspace;
    reads_again<float, 2>
        <<<shape.R / ROWS, THREADS, 0, stream>>>(x, gamma, beta, y, eps);
    return cudaGetLastError();
}
