// SPDX-License-Identifier: MIT
/*
 * kernels.h: the kernels of a training step that no chapter is about, fp32.
 *
 * Their meaning is that of their namesakes in ops.h. Each enqueues its kernel
 * on the stream, allocates nothing, does not wait, and returns the launch's
 * error. Sums that a whole array goes into are made in a fixed order, so a
 * training run can be repeated bit for bit.
 */
#ifndef WB_TRAIN_KERNELS_H
#define WB_TRAIN_KERNELS_H

#include "train/ops.h"

STAGE_BEGIN

STAGE_EXPORT cudaError_t train_tick(float *clock, cudaStream_t stream);
STAGE_EXPORT cudaError_t train_batch(const float *data, float *to, size_t n,
                                     int batches, const float *clock,
                                     cudaStream_t stream);

STAGE_EXPORT cudaError_t train_lift(const float *u, const float *w,
                                    const float *bias, float *x,
                                    struct dwconv_shape s,
                                    cudaStream_t stream);
/* Numbers of partial. */
STAGE_EXPORT size_t train_lift_grad_partial(struct dwconv_shape s);
STAGE_EXPORT cudaError_t train_lift_grad(const float *u, const float *dx,
                                         float *dw, float *dbias,
                                         float *partial, struct dwconv_shape s,
                                         cudaStream_t stream);
STAGE_EXPORT cudaError_t train_rms(const float *x, const float *gamma,
                                   float *n, struct dwconv_shape s,
                                   cudaStream_t stream);
STAGE_EXPORT cudaError_t train_swish(const float *z, const float *bias,
                                     const float *skip, float *y,
                                     struct dwconv_shape s,
                                     cudaStream_t stream);
STAGE_EXPORT cudaError_t train_swish_rms(const float *z, const float *bias,
                                         const float *skip, float *y,
                                         const float *gamma, float *n,
                                         struct dwconv_shape s,
                                         cudaStream_t stream);
STAGE_EXPORT size_t train_loss_partial(struct dwconv_shape s);
STAGE_EXPORT cudaError_t train_loss(const float *x, const float *w,
                                    const float *bias, const float *target,
                                    float *dx, float *dw, float *dbias,
                                    float *losses, const float *clock,
                                    float *partial, struct dwconv_shape s,
                                    cudaStream_t stream);

STAGE_EXPORT cudaError_t train_conv2d(const float *x, const float *w, float *y,
                                      struct train_conv2d s,
                                      cudaStream_t stream);
STAGE_EXPORT cudaError_t train_conv2d_input_grad(const float *dy,
                                                 const float *w, float *dx,
                                                 struct train_conv2d s,
                                                 cudaStream_t stream);
STAGE_EXPORT size_t train_conv2d_partial(struct train_conv2d s);
STAGE_EXPORT cudaError_t train_conv2d_weight_grad(const float *dy,
                                                  const float *x, float *dw,
                                                  float *partial,
                                                  struct train_conv2d s,
                                                  cudaStream_t stream);
STAGE_EXPORT cudaError_t train_classify(const float *x, const float *w,
                                        const float *bias, const float *label,
                                        float *pool, float *de, float *losses,
                                        float *hits, const float *clock,
                                        struct evonorm_shape s,
                                        cudaStream_t stream);
STAGE_EXPORT cudaError_t train_classify_grad(const float *pool, const float *w,
                                             const float *de, float *dx,
                                             float *dw, float *dbias,
                                             struct evonorm_shape s,
                                             cudaStream_t stream);

STAGE_END

#endif
