// SPDX-License-Identifier: MIT
// Depthwise convolution with dozens of taps, for a sweep: weight gradient.
// New: sets of rows lie on chip; no sum leaves its thread before the end.
// Before: 09/weight_grad, whose sums go to memory, 48 taps at a time.
// Counter: global_load_sectors is that of dy and x, at any length.

#include "op/dwconv.h"
#include "op/dwconv_middle_weights.cuh"

size_t dwconv_weight_grad_workspace(struct dwconv_shape shape)
{
    return dwconv_middle_weights_fits(shape)
               ? dwconv_middle_weight_grad_workspace(shape) : 0;
}

cudaError_t dwconv_weight_grad(const float *dy, const float *x, float *dw,
                               struct dwconv_shape shape, void *workspace,
                               cudaStream_t stream)
{
    if (!dwconv_middle_weights_fits(shape))
        return cudaErrorNotSupported;
    return dwconv_middle_weight_grad(dy, x, dw, shape, workspace, stream);
}
