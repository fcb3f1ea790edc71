// SPDX-License-Identifier: MIT
/*
 * adam.h: a step of the optimiser Adam, fp32, for all parameters at once.
 *
 *   mean[i]   <- BETA1 mean[i] + (1 - BETA1) grad[i]
 *   square[i] <- BETA2 square[i] + (1 - BETA2) grad[i]^2
 *   value[i]  <- value[i] - rate m / (sqrt(s) + EPS)
 *                with m = mean[i] / (1 - BETA1^step)
 *                and  s = square[i] / (1 - BETA2^step)
 *
 * BETA1, BETA2 and EPS are these floats, whose differences from 1 are exact.
 * step is a whole number from 1, in device memory. A launcher enqueues its
 * kernels on the given stream, allocates nothing, does not synchronise, and
 * returns the launch's error. Source: Kingma and Ba, "Adam: a method for
 * stochastic optimization", arXiv 1412.6980 (2015).
 *
 * Tolerance, in units u = 2^-24: the mean cancels, so it is off by 5 units of
 * its terms' sizes, and moves the value by what that is of the update; the
 * square, which cannot cancel, is off by 8 units, the update by 32 in all,
 * which allows for the fast root and division, and the corrections (their sum
 * with one cancels for a small step; expm1 avoids that) by 16.
 */
#ifndef WB_ADAM_H
#define WB_ADAM_H

#include "stage.h"

#define ADAM_BETA1 0.9f
#define ADAM_BETA2 0.999f
#define ADAM_EPS   1e-8f
/* The logarithms of both betas. */
#define ADAM_LOG_BETA1 -0.105360542f
#define ADAM_LOG_BETA2 -0.00100048745f

/* N at least 1. */
struct adam_shape {
    int N; /* parameters */
};

STAGE_BEGIN

/* Bytes of device memory the launcher needs besides its arrays. */
STAGE_EXPORT size_t adam_workspace(struct adam_shape shape);
STAGE_EXPORT cudaError_t adam(const float *grad, const float *step,
                              float *value, float *mean, float *square,
                              struct adam_shape shape, float rate,
                              void *workspace, cudaStream_t stream);

STAGE_END

#endif
