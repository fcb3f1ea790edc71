// SPDX-License-Identifier: MIT
/*
 * bias_swish_residual.h: y[row][col] = swish(x[row][col] + bias[col]) +
 * residual[row][col], fp32, with swish(z) = z / (1 + exp(-z)).
 *
 * x, residual and y are M x N, row-major and without padding; bias has N. All
 * begin at a multiple of 16 bytes. A launcher enqueues its kernels on the given
 * stream, allocates nothing, does not synchronise, and returns the launch's
 * error.
 *
 * Tolerance: the sum x + bias rounds once, and Swish passes on at most 1.1
 * times that (its steepest slope); Swish's own error is sigmoid.h's; the last
 * sum rounds once.
 */
#ifndef WB_BIAS_SWISH_RESIDUAL_H
#define WB_BIAS_SWISH_RESIDUAL_H

#include "stage.h"

/* Each is at least 1 and at most 2^31 - 4096; M*N is below 2^31. */
struct bias_swish_residual_shape {
    int M, N;
};

STAGE_BEGIN

/* Bytes of device memory the launcher needs besides its arrays. */
STAGE_EXPORT size_t
bias_swish_residual_workspace(struct bias_swish_residual_shape shape);
STAGE_EXPORT cudaError_t
bias_swish_residual(const float *x, const float *bias, const float *residual,
                    float *y, struct bias_swish_residual_shape shape,
                    void *workspace, cudaStream_t stream);

STAGE_END

#endif
