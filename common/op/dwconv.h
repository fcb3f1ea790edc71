// SPDX-License-Identifier: MIT
/*
 * dwconv.h: causal depthwise convolution along time, fp32, three paths.
 *
 *   forward      y[b,h,t]  = sum over k <= min(t, K-1) of w[h,k] x[b,h,t-k]
 *   input_grad   dx[b,h,t] = sum over k < K, t+k < L of w[h,k] dy[b,h,t+k]
 *   weight_grad  dw[h,k]   = sum over b, t >= k of dy[b,h,t] x[b,h,t-k]
 *
 * x, y, dx, dy are (B, H, L), w and dw are (H, K); the last index is
 * contiguous. A launcher enqueues its kernels on the given stream, allocates
 * nothing, does not synchronise, and returns the launch's error. Source: the
 * S4ConvD operator, Babak and Schaller, arXiv 2604.25422.
 */
#ifndef WB_DWCONV_H
#define WB_DWCONV_H

#include "stage.h"

/* Each is at least 1 and at most 2^31 - 4096; B*H*L and H*K are below 2^31. K
 * may exceed L. */
struct dwconv_shape {
    int B; /* batch */
    int H; /* channels */
    int L; /* sequence length */
    int K; /* taps */
};

STAGE_BEGIN

/* Bytes of device memory the launcher needs besides its arrays; often 0. */
STAGE_EXPORT size_t dwconv_forward_workspace(struct dwconv_shape shape);
STAGE_EXPORT cudaError_t dwconv_forward(const float *x, const float *w,
                                        float *y, struct dwconv_shape shape,
                                        void *workspace, cudaStream_t stream);

STAGE_EXPORT size_t dwconv_input_grad_workspace(struct dwconv_shape shape);
STAGE_EXPORT cudaError_t dwconv_input_grad(const float *dy, const float *w,
                                           float *dx,
                                           struct dwconv_shape shape,
                                           void *workspace,
                                           cudaStream_t stream);

STAGE_EXPORT size_t dwconv_weight_grad_workspace(struct dwconv_shape shape);
STAGE_EXPORT cudaError_t dwconv_weight_grad(const float *dy, const float *x,
                                            float *dw,
                                            struct dwconv_shape shape,
                                            void *workspace,
                                            cudaStream_t stream);

STAGE_END

#endif
