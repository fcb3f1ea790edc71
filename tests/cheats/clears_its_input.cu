// SPDX-License-Identifier: MIT
// cheat: clears the inputs, so that zero is the answer
// chapter: 05 forward
// expect: WRONG
#include "op/dwconv.h"

size_t dwconv_forward_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    size_t bytes = (size_t)shape.B * shape.H * shape.L * sizeof *x;

    (void)w, (void)workspace;
    cudaMemsetAsync((void *)x, 0, bytes, stream);
    return cudaMemsetAsync(y, 0, bytes, stream);
}
