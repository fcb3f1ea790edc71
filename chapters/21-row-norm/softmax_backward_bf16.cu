// SPDX-License-Identifier: MIT
// Stage 21, the gradient of softmax in bf16.
// New: nothing but the type; the sum stays in fp32.
// Before: the same in fp32.
// Counter: global_bytes_over_compulsory is 1, of half as many bytes.

#include "op/row_chip.cuh"
#include "op/softmax.h"

//> todo kernel (about 45 lines)
// The operation, as op/row_chip.cuh describes it: as in fp32, with elements of
// type T = __nv_bfloat16.
//< todo

size_t softmax_backward_bf16_workspace(struct softmax_shape shape)
{
    //> todo workspace (about 2 lines)
    // row_chip_workspace<your operation>(rows, columns)
    (void)shape;
    return 0;
    //< todo
}

cudaError_t softmax_backward_bf16(const softmax_bf16_t *y,
                                  const softmax_bf16_t *dy, softmax_bf16_t *dx,
                                  struct softmax_shape shape, void *workspace,
                                  cudaStream_t stream)
{
    //> todo launch (about 6 lines)
    // row_chip_run(your operation{...}, rows, columns, workspace, stream)
    //< todo
    return cudaGetLastError();
}
