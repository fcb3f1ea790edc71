// SPDX-License-Identifier: MIT
// mutant: x is loaded three times, and gamma and beta once for eight rows
// chapter: 21 layer_norm_bf16
// expect: TECHNIQUE bytes_beside_parameters 1.98.* <= 1.1 MISSED
// say: Without what it loads of the small inputs
// shape: R256 C4096
#include "op/layer_norm.h"
#include "../tests/mutants/norm_reads_again.cuh"

size_t layer_norm_bf16_workspace(struct layer_norm_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t layer_norm_bf16(const layer_norm_bf16_t *x, const float *gamma,
                            const float *beta, layer_norm_bf16_t *y,
                            struct layer_norm_shape shape, float eps,
                            void *workspace, cudaStream_t stream)
{
    (void)workspace;
    reads_again<layer_norm_bf16_t, 3>
        <<<shape.R / ROWS, THREADS, 0, stream>>>(x, gamma, beta, y, eps);
    return cudaGetLastError();
}
