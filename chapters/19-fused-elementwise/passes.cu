// SPDX-License-Identifier: MIT
// Stage 19, bias, Swish and residual: step 1, four passes.
// New: each operation is a kernel, as a framework without fusion runs them.
// Before: stage 18; one function, one pass.
// Counter: global_bytes_over_compulsory is 3.7: 10 arrays move, not 3.

#include "op/bias_swish_residual.h"

enum { THREADS = 256 }; // per block

//> todo kernel (about 30 lines)
// Four kernels, one element per thread:
//
//   add_bias   y = x + bias[i % width], where a row has width elements
//   sigmoid    s = 1 / (1 + exp(-y))
//   multiply   y = y s
//   add        y = y + residual
//
// s is an array in the workspace.
//< todo

size_t bias_swish_residual_workspace(struct bias_swish_residual_shape shape)
{
    //> todo workspace (about 1 line)
    // The bytes of s: return them.
    return 0;
    //< todo
}

cudaError_t bias_swish_residual(const float *x, const float *bias,
                                const float *residual, float *y,
                                struct bias_swish_residual_shape shape,
                                void *workspace, cudaStream_t stream)
{
    //> todo launch (about 8 lines)
    // Launch the four in this order, on this stream: each begins when the one
    // before it has ended.
    //< todo
    return cudaGetLastError();
}
