// SPDX-License-Identifier: MIT
// Stage 04, depthwise convolution, weight gradient: the formula, as it stands.
// New: a long sum for each cell; one thread computes one cell.
// Before: nothing; this is the first rung of the ladder 04-09.
// Counter: global_load_sectors_per_request is 32, the worst there is.

#include "op/dwconv.h"

//> todo kernel (about 40 lines)
// The kernel: one thread computes one dw[h,k].
//
//   static __global__ void weight_grad(const float *dy, const float *x,
//                                      float *dw, struct dwconv_shape s)
//
// Number i takes channel i % H, then k. The sum goes over all batches and
// times, in parts of 64 products, each corrected by `excess` (see the lesson).
//< todo

size_t dwconv_weight_grad_workspace(struct dwconv_shape shape)
{
    //> todo workspace (about 2 lines)
    // None: a thread needs no memory but its registers.
    (void)shape;
    return 0;
    //< todo
}

cudaError_t dwconv_weight_grad(const float *dy, const float *x, float *dw,
                               struct dwconv_shape shape, void *workspace,
                               cudaStream_t stream)
{
    //> todo launch (about 5 lines)
    // The launch: at least H * K threads, on this stream, in small blocks.
    (void)workspace;
    //< todo
    return cudaGetLastError();
}
