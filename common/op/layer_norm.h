// SPDX-License-Identifier: MIT
/*
 * layer_norm.h: layer normalisation over the rows of a matrix, and its
 * gradient.
 *
 *   layer_norm_f32, layer_norm_bf16
 *       z[r][c] = (x[r][c] - mean) / sqrt(variance + eps)
 *       y[r][c] = gamma[c] z[r][c] + beta[c]
 *   layer_norm_backward_f32, _bf16
 *       dx[r][c] = (g - mean(g) - z[r][c] mean(g z)) / sqrt(variance + eps)
 *       dgamma[c] = sum over r of dy[r][c] z[r][c]
 *       dbeta[c]  = sum over r of dy[r][c]
 *
 * with g = dy[r][c] gamma[c]. Mean and variance are those of row r of x; the
 * variance is the biased one: the mean of the squared distances from the mean.
 * x, y, dy and dx are fp32 or bf16, all else is fp32, and so are all sums. A
 * row with NaN or an infinity is all NaN.
 *
 * Rows are contiguous, and every array begins at a multiple of 16 bytes. A
 * launcher enqueues its kernels on the given stream, allocates nothing, does
 * not synchronise, and returns the launch's error.
 * Source: Ba, Kiros, Hinton, "Layer normalization", arXiv 1607.06450 (2016).
 *
 * Tolerance (op.h). With u = 2^-24, s = sqrt(variance + eps) and n = C: the
 * mean is right within c(n) u mean|x|, which moves z by that over s. A variance
 * from squared distances is relatively right within c(n) u k, with
 * k = 1 + |mean| deviation / s^2 (Chan, Golub, LeVeque, "Algorithms for
 * computing the sample variance", The American Statistician 37 (1983)); the
 * mean of squares less the square of the mean is only right within k^2. So z is
 * off by at most c(n) u E with
 *
 *   E = (|x| + mean|x|) / s + |z| (2 + k),
 *
 * and what is computed from z by what it makes of E.
 */
#ifndef WB_LAYER_NORM_H
#define WB_LAYER_NORM_H

#include "stage.h"

#ifdef __CUDACC__
struct __nv_bfloat16; /* <cuda_bf16.h>, for who reads one */
typedef struct __nv_bfloat16 layer_norm_bf16_t;
#else
typedef unsigned short layer_norm_bf16_t; /* its bits */
#endif

/* Each is at least 1 and at most 2^31 - 4096; R*C is below 2^31. */
struct layer_norm_shape {
    int R; /* rows */
    int C; /* columns: what is normalised */
};

STAGE_BEGIN

/* Bytes of device memory the launcher needs besides its arrays; often 0. */
STAGE_EXPORT size_t layer_norm_f32_workspace(struct layer_norm_shape shape);
STAGE_EXPORT cudaError_t layer_norm_f32(const float *x, const float *gamma,
                                        const float *beta, float *y,
                                        struct layer_norm_shape shape,
                                        float eps, void *workspace,
                                        cudaStream_t stream);

STAGE_EXPORT size_t layer_norm_bf16_workspace(struct layer_norm_shape shape);
STAGE_EXPORT cudaError_t layer_norm_bf16(const layer_norm_bf16_t *x,
                                         const float *gamma, const float *beta,
                                         layer_norm_bf16_t *y,
                                         struct layer_norm_shape shape,
                                         float eps, void *workspace,
                                         cudaStream_t stream);

STAGE_EXPORT size_t
layer_norm_backward_f32_workspace(struct layer_norm_shape shape);
STAGE_EXPORT cudaError_t
layer_norm_backward_f32(const float *x, const float *dy, const float *gamma,
                        float *dx, float *dgamma, float *dbeta,
                        struct layer_norm_shape shape, float eps,
                        void *workspace, cudaStream_t stream);

STAGE_EXPORT size_t
layer_norm_backward_bf16_workspace(struct layer_norm_shape shape);
STAGE_EXPORT cudaError_t
layer_norm_backward_bf16(const layer_norm_bf16_t *x,
                         const layer_norm_bf16_t *dy, const float *gamma,
                         layer_norm_bf16_t *dx, float *dgamma, float *dbeta,
                         struct layer_norm_shape shape, float eps,
                         void *workspace, cudaStream_t stream);

STAGE_END

#endif
