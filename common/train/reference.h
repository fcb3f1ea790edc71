// SPDX-License-Identifier: MIT
/*
 * reference.h: the image model's operations in double, on the CPU; their
 * meaning is that of their namesakes in ops.h.
 */
#ifndef WB_TRAIN_REFERENCE_H
#define WB_TRAIN_REFERENCE_H

#include "train/ops.h"

void reference_conv2d(const void *x, const void *w, void *y,
                      struct train_conv2d s);
void reference_conv2d_input_grad(const void *dy, const void *w, void *dx,
                                 struct train_conv2d s);
void reference_conv2d_weight_grad(const void *dy, const void *x, void *dw,
                                  struct train_conv2d s);
void reference_evonorm(const void *x, const void *gamma, const void *beta,
                       const void *v, void *moving, void *y,
                       struct evonorm_shape s);
void reference_evonorm_eval(const void *x, const void *gamma, const void *beta,
                            const void *v, const void *moving, void *y,
                            struct evonorm_shape s);
void reference_evonorm_grad(const void *x, const void *dy, const void *gamma,
                            const void *v, void *dx, void *dgamma, void *dbeta,
                            void *dv, struct evonorm_shape s);
void reference_classify(const void *x, const void *w, const void *bias,
                        const void *label, void *pool, void *de, void *losses,
                        void *hits, const void *clock,
                        struct evonorm_shape s);
void reference_classify_grad(const void *pool, const void *w, const void *de,
                             void *dx, void *dw, void *dbias,
                             struct evonorm_shape s);

#endif
