// SPDX-License-Identifier: MIT
// Stage 20, a linear layer: step 1, three kernels.
// New: the product, the bias and the activation each write an array.
// Before: chapter 15's product, and chapter 19's passes.
// Counter: global_store_sectors is three times the result's.

#include "op/linear_tile.cuh"

enum { THREADS = 256 }; // per block, of the elementwise kernels

//> todo kernel (about 43 lines)
// An epilogue for linear_tiles, which stores what it is given:
//
//   struct store { ... void operator()(int row, int col, const float *sum,
//                                      int count) const ... };
//
// and two kernels, one element per thread: to = from + bias, and
// to = from / (1 + exp(-from)).
//< todo

size_t linear_swish_workspace(struct linear_shape shape)
{
    //> todo workspace (about 1 line)
    // The bytes of two arrays as large as Y: return them.
    return 0;
    //< todo
}

cudaError_t linear_swish(const float *X, const float *W, const float *bias,
                         float *Y, struct linear_shape shape, void *workspace,
                         cudaStream_t stream)
{
    //> todo launch (about 8 lines)
    // linear_tiles(X, W, shape, epilogue, stream) first, then the two kernels,
    // all on this stream; each writes an array of its own, the last one Y.
    //< todo
    return cudaGetLastError();
}
