// SPDX-License-Identifier: MIT
/*
 * linear.h: a linear layer and its activation, fp32,
 *
 *   linear_swish    Y = swish(X W + bias), swish(z) = z / (1 + exp(-z))
 *
 * X is M x K (M inputs of a batch), W is K x N, Y is M x N, all row-major and
 * without padding; bias has N. All begin at a multiple of 16 bytes. A launcher
 * enqueues its kernels on the given stream, allocates nothing, does not
 * synchronise, and returns the launch's error.
 *
 * Tolerance: a cell has n terms, K products and the bias, less those that are
 * 0, and one running sum is good enough: (n + 2) u sum|terms|, of which Swish
 * passes on at most 1.1 times (its steepest slope); Swish's own error is
 * sigmoid.h's.
 */
#ifndef WB_LINEAR_H
#define WB_LINEAR_H

#include "stage.h"

/* Each is at least 1 and at most 2^31 - 4096; M*K, K*N and M*N are below 2^31.
 * */
struct linear_shape {
    int M; /* rows of X and Y: the batch */
    int N; /* columns of W and Y: outputs */
    int K; /* columns of X, rows of W: inputs */
};

STAGE_BEGIN

/* Bytes of device memory the launcher needs besides its arrays. */
STAGE_EXPORT size_t linear_swish_workspace(struct linear_shape shape);
STAGE_EXPORT cudaError_t linear_swish(const float *X, const float *W,
                                      const float *bias, float *Y,
                                      struct linear_shape shape,
                                      void *workspace, cudaStream_t stream);

STAGE_END

#endif
