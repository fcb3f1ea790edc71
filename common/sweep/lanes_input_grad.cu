// SPDX-License-Identifier: MIT
// Depthwise convolution with dozens or hundreds of taps, for a sweep: input gradient.
// New: a warp's lanes own a row each, moved to where aligned quads begin.
// Before: dwconv_middle.cuh, whose lanes meet different taps, and copy single cells.
// Counter: async_copy_bytes_over_compulsory falls at lengths that are odd.

#include "op/dwconv.h"
#include "op/dwconv_lanes.cuh"

size_t dwconv_input_grad_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_input_grad(const float *dy, const float *w, float *dx,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    (void)workspace;
    if (!dwconv_lanes_fits(shape))
        return cudaErrorNotSupported;
    return dwconv_lanes_input_grad(dy, w, dx, shape, stream);
}
