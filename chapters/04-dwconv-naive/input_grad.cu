// SPDX-License-Identifier: MIT
// Stage 04, depthwise convolution, input gradient: the formula, as it stands.
// New: a grid over a three-dimensional output; one thread computes one cell.
// Before: nothing; this is the first rung of the ladder 04-09.
// Counter: global_load_sectors_per_request is 32, the worst there is.

#include "op/dwconv.h"

//> todo kernel (about 35 lines)
// The kernel: one thread computes one dx[b,h,t].
//
//   static __global__ void input_grad(const float *dy, const float *w,
//                                     float *dx, struct dwconv_shape s)
//
// The same numbers as in forward.cu: channel i % H, then t, then b. Only the
// formula differs; it looks forward in time.
//< todo

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
    //> todo launch (about 4 lines)
    // The launch: at least B * H * L threads, on this stream.
    //< todo
    return cudaGetLastError();
}
