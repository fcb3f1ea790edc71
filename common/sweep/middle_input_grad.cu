// SPDX-License-Identifier: MIT
// Depthwise convolution with dozens of taps, for a sweep: input gradient.
// New: rows lie whole in shared memory, with zeros where they end.
// Before: 09/input_grad, whose long kernel waits for each 32 taps.
// Counter: global_store_sectors_per_request is 4 at any length.

#include "op/dwconv.h"
#include "op/dwconv_middle.cuh"

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
    if (!dwconv_middle_fits(shape))
        return cudaErrorNotSupported;
    return dwconv_middle_input_grad(dy, w, dx, shape, stream);
}
