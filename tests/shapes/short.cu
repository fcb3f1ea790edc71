// SPDX-License-Identifier: MIT
// The route for short kernels alone, all three paths, for random shapes.
#include "op/dwconv_short.cuh"
#include "op/dwconv_short_weights.cuh"

size_t dwconv_forward_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                      struct dwconv_shape shape, void *workspace,
                      cudaStream_t stream)
{
    (void)workspace;
    return dwconv_short_forward(x, w, y, shape, stream);
}

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
    return dwconv_short_input_grad(dy, w, dx, shape, stream);
}

size_t dwconv_weight_grad_workspace(struct dwconv_shape shape)
{
    return dwconv_short_weight_grad_workspace(shape);
}

cudaError_t dwconv_weight_grad(const float *dy, const float *x, float *dw,
                               struct dwconv_shape shape, void *workspace,
                               cudaStream_t stream)
{
    return dwconv_short_weight_grad(dy, x, dw, shape, workspace, stream);
}
