// SPDX-License-Identifier: MIT
/*
 * softmax.h: softmax over the rows of a matrix, and its gradient.
 *
 *   softmax_f32, softmax_bf16             y[r][c] = exp(x[r][c] - m) / s
 *   softmax_backward_f32, _bf16           dx[r][c] = y[r][c] (dy[r][c] - t)
 *
 * with m the largest x of row r, s the sum of exp(x[r][c] - m) over the row,
 * and t the sum of y[r][c] dy[r][c] over it. Subtracting m changes nothing but
 * the range: no exponential exceeds 1. bf16 arrays are summed in fp32.
 *
 * As in IEEE arithmetic, a row that holds NaN or +infinity, or nothing but
 * -infinity, is all NaN; -infinity beside a finite value gives 0.
 *
 * Rows are contiguous, and every array begins at a multiple of 16 bytes. A
 * launcher enqueues its kernels on the given stream, allocates nothing, does
 * not synchronise, and returns the launch's error.
 * Source: Milakov and Gimelshein, "Online normalizer calculation for softmax",
 * arXiv 1805.02867 (2018).
 *
 * Tolerance (op.h). With d = x - m, which is at most 0, and u = 2^-24: d is off
 * by |d| u and so is, relatively, exp(d); its product with log2(e) by as much
 * again; the exponential itself by 2 u or so. The sum has n terms of this kind.
 * So y is right within c(n) u y (4 + 2 |d| + 2 sum(exp(d) |d|) / s), and a
 * result below the smallest normal float may be 0. The gradient is a sum of n +
 * 1 terms, each times y.
 */
#ifndef WB_SOFTMAX_H
#define WB_SOFTMAX_H

#include "stage.h"

#ifdef __CUDACC__
struct __nv_bfloat16; /* <cuda_bf16.h>, for who reads one */
typedef struct __nv_bfloat16 softmax_bf16_t;
#else
typedef unsigned short softmax_bf16_t; /* its bits */
#endif

/* Each is at least 1 and at most 2^31 - 4096; R*C is below 2^31. */
struct softmax_shape {
    int R; /* rows */
    int C; /* columns: what is normalised */
};

STAGE_BEGIN

/* Bytes of device memory the launcher needs besides its arrays; often 0. */
STAGE_EXPORT size_t softmax_f32_workspace(struct softmax_shape shape);
STAGE_EXPORT cudaError_t softmax_f32(const float *x, float *y,
                                     struct softmax_shape shape,
                                     void *workspace, cudaStream_t stream);

STAGE_EXPORT size_t softmax_bf16_workspace(struct softmax_shape shape);
STAGE_EXPORT cudaError_t softmax_bf16(const softmax_bf16_t *x,
                                      softmax_bf16_t *y,
                                      struct softmax_shape shape,
                                      void *workspace, cudaStream_t stream);

STAGE_EXPORT size_t softmax_backward_f32_workspace(struct softmax_shape shape);
STAGE_EXPORT cudaError_t softmax_backward_f32(const float *y, const float *dy,
                                              float *dx,
                                              struct softmax_shape shape,
                                              void *workspace,
                                              cudaStream_t stream);

STAGE_EXPORT size_t softmax_backward_bf16_workspace(struct softmax_shape shape);
STAGE_EXPORT cudaError_t softmax_backward_bf16(const softmax_bf16_t *y,
                                               const softmax_bf16_t *dy,
                                               softmax_bf16_t *dx,
                                               struct softmax_shape shape,
                                               void *workspace,
                                               cudaStream_t stream);

STAGE_END

#endif
