// SPDX-License-Identifier: MIT
/*
 * evonorm.h: EvoNorm-B0, a normalisation and activation in one, and its
 * gradient.
 *
 *   evonorm_b0            training: y, and the moving average of the variance
 *   evonorm_b0_eval       evaluation: y from the moving average
 *   evonorm_b0_backward   training: dx, dgamma, dbeta, dv
 *
 * x is a batch of B images of C channels with S positions each (S = height *
 * width), contiguous: x[b][c][s]. gamma, beta, v and the moving average have
 * one number per channel. All arrays begin at a multiple of 16 bytes. With
 * var(.) the mean of the squared distances from the mean,
 *
 *   p[c]    = var over b and s of x[b][c][s]
 *   q[b][c] = var over s of x[b][c][s]
 *   d[b][c][s] = max(sqrt(p[c] + eps), v[c] x + sqrt(q[b][c] + eps))
 *   y[b][c][s] = gamma[c] x / d + beta[c]
 *   moving[c] <- DECAY moving[c] + (1 - DECAY) p[c]
 *
 * In evaluation moving[c] stands for p[c], and nothing else changes. The
 * gradient, with g = dy, h = -g gamma x / d^2 and M = 1 where the second
 * argument of max is the larger, else 0:
 *
 *   dx = g gamma / d + M h v + sum(M h) (x - mean) / (S sqrt(q + eps))
 *        + sum((1 - M) h) (x - mean') / (B S sqrt(p + eps))
 *   dgamma = sum(g x / d), dbeta = sum(g), dv = sum(M h x)
 *
 * where the first sum and mean are over s, the second sum and mean' over b and
 * s, as are those of dgamma, dbeta and dv. All is fp32.
 *
 * A launcher enqueues its kernels on the given stream, allocates nothing, does
 * not synchronise, and returns the launch's error. Source: Liu, Brock,
 * Simonyan, Le, "Evolving normalization-activation layers", arXiv 2004.02967
 * (2020), and the code published with it.
 *
 * Tolerance (op.h). A variance from squared distances is relatively right
 * within c(n) u k, k = 1 + |mean| deviation / (variance + eps), as in
 * layer_norm.h; its root, and so d, within half of that; the sum v x +
 * sqrt(...) adds what it cancels. A gradient's cell where the arguments of max
 * are closer than their errors may take either branch.
 */
#ifndef WB_EVONORM_H
#define WB_EVONORM_H

#include "stage.h"

#define EVONORM_EPS   1e-5f
#define EVONORM_DECAY 0.9f

/* Each is at least 1 and at most 2^31 - 4096; B*C*S is below 2^31. */
struct evonorm_shape {
    int B; /* images */
    int C; /* channels */
    int S; /* positions of an image: height * width */
};

STAGE_BEGIN

/* Bytes of device memory the launcher needs besides its arrays; often 0. */
STAGE_EXPORT size_t evonorm_b0_workspace(struct evonorm_shape shape);
STAGE_EXPORT cudaError_t evonorm_b0(const float *x, const float *gamma,
                                    const float *beta, const float *v,
                                    float *moving, float *y,
                                    struct evonorm_shape shape,
                                    void *workspace, cudaStream_t stream);

STAGE_EXPORT size_t evonorm_b0_eval_workspace(struct evonorm_shape shape);
STAGE_EXPORT cudaError_t
evonorm_b0_eval(const float *x, const float *gamma, const float *beta,
                const float *v, const float *moving, float *y,
                struct evonorm_shape shape, void *workspace,
                cudaStream_t stream);

STAGE_EXPORT size_t evonorm_b0_backward_workspace(struct evonorm_shape shape);
STAGE_EXPORT cudaError_t
evonorm_b0_backward(const float *x, const float *dy, const float *gamma,
                    const float *v, float *dx, float *dgamma, float *dbeta,
                    float *dv, struct evonorm_shape shape, void *workspace,
                    cudaStream_t stream);

STAGE_END

#endif
