// SPDX-License-Identifier: MIT
// Stage 04, depthwise convolution, forward: the formula, as it stands.
// New: a grid over a three-dimensional output; one thread computes one cell.
// Before: nothing; this is the first rung of the ladder 04-09.
// Counter: global_load_sectors_per_request is 32, the worst there is.

#include "op/dwconv.h"

//> todo kernel (about 35 lines)
// The kernel: one thread computes one y[b,h,t].
//
//   static __global__ void forward(const float *x, const float *w, float *y,
//                                  struct dwconv_shape s)
//
// Number the threads over the whole grid. Number i takes channel i % H, so
// that neighbouring threads take neighbouring channels, then t, then b.
// Threads past the last cell return. The rest is the formula of the lesson.
//< todo

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
    //> todo launch (about 4 lines)
    // The launch: at least B * H * L threads, on this stream.
    //< todo
    return cudaGetLastError();
}
