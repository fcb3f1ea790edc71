// SPDX-License-Identifier: MIT
/*
 * elementwise.h: y[i] = f(x[i]) for i < N.
 *
 *   elementwise_relu_f32, elementwise_relu_bf16         max(x, 0)
 *   elementwise_sigmoid_f32, elementwise_sigmoid_bf16   1 / (1 + exp(-x))
 *   elementwise_swish_f32, elementwise_swish_bf16       x / (1 + exp(-x))
 *
 * bf16 is computed in fp32 and rounded once, at the end. NaN stays NaN, in ReLU
 * too. Swish of -infinity is NaN: it is -infinity times 0. Both arrays begin at
 * a multiple of 16 bytes. A launcher enqueues its kernels on the given stream,
 * allocates nothing, does not synchronise, and returns the launch's error.
 *
 * Tolerance: ReLU is exact, sigmoid and Swish as sigmoid.h derives it. Swish:
 * Ramachandran, Zoph, Le, "Searching for activation functions",
 * arXiv 1710.05941.
 */
#ifndef WB_ELEMENTWISE_H
#define WB_ELEMENTWISE_H

#include "stage.h"

#ifdef __CUDACC__
struct __nv_bfloat16; /* <cuda_bf16.h>, for who reads one */
typedef struct __nv_bfloat16 elementwise_bf16_t;
#else
typedef unsigned short elementwise_bf16_t; /* its bits */
#endif

/* N is at least 1 and below 2^31. */
struct elementwise_shape {
    int N;
};

STAGE_BEGIN

#define ELEMENTWISE_LAUNCHER(name, type)                                      \
    STAGE_EXPORT cudaError_t name(const type *x, type *y,                     \
                                  struct elementwise_shape shape,             \
                                  void *workspace, cudaStream_t stream)

ELEMENTWISE_LAUNCHER(elementwise_relu_f32, float);
ELEMENTWISE_LAUNCHER(elementwise_sigmoid_f32, float);
ELEMENTWISE_LAUNCHER(elementwise_swish_f32, float);
ELEMENTWISE_LAUNCHER(elementwise_relu_bf16, elementwise_bf16_t);
ELEMENTWISE_LAUNCHER(elementwise_sigmoid_bf16, elementwise_bf16_t);
ELEMENTWISE_LAUNCHER(elementwise_swish_bf16, elementwise_bf16_t);

STAGE_END

#endif
