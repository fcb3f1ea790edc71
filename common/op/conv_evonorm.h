// SPDX-License-Identifier: MIT
/*
 * conv_evonorm.h: a depthwise convolution and EvoNorm-B0 behind it, in
 * evaluation, fp32.
 *
 *   conv_evonorm_b0
 *
 * x is B x C x S, contiguous, as in evonorm.h; w has K taps per channel. The
 * convolution is the causal one of dwconv.h:
 *
 *   z[b][c][s] = sum over k <= min(s, K - 1) of w[c][k] x[b][c][s - k]
 *   q[b][c]    = var over s of z[b][c][s]
 *   d[b][c][s] = max(sqrt(moving[c] + eps), v[c] z + sqrt(q[b][c] + eps))
 *   y[b][c][s] = gamma[c] z / d + beta[c]
 *
 * with var(.) and eps of evonorm.h. A launcher enqueues its kernels on the
 * given stream, allocates nothing, does not synchronise, and returns the
 * launch's error.
 *
 * Tolerance. With u = 2^-24, z is off by at most e = (K + 2) u sum|terms|. This
 * moves the deviation of a plane, and so its root, by at most the root mean
 * square of e; the root of a variance is otherwise right within (1 + k) c(S) u
 * of itself (evonorm.h). Both arguments of max, the quotient, gamma and beta
 * follow by the rules for sums and products. A denominator that almost cancels
 * may be off by as much as it is, but is never below the moving average's root.
 */
#ifndef WB_CONV_EVONORM_H
#define WB_CONV_EVONORM_H

#include "evonorm.h"

/* Floats of a plane, its results and its taps, so that they fit into 48 KiB of
 * shared memory, which each block of each card has. */
#define CONV_EVONORM_MOST 12000

/* Each is at least 1 and at most 2^31 - 4096; B*C*S is below 2^31, 2 (S + K)
 * at most CONV_EVONORM_MOST. */
struct conv_evonorm_shape {
    int B; /* images */
    int C; /* channels */
    int S; /* positions of an image */
    int K; /* taps */
};

STAGE_BEGIN

/* Bytes of device memory the launcher needs besides its arrays; often 0. */
STAGE_EXPORT size_t
conv_evonorm_b0_workspace(struct conv_evonorm_shape shape);
STAGE_EXPORT cudaError_t
conv_evonorm_b0(const float *x, const float *w, const float *gamma,
                const float *beta, const float *v, const float *moving,
                float *y, struct conv_evonorm_shape shape, void *workspace,
                cudaStream_t stream);

STAGE_END

#endif
