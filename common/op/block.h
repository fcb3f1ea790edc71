// SPDX-License-Identifier: MIT
/*
 * block.h: the gradients of what stands around the convolution in a block of a
 * sequence model, fp32.
 *
 * A block is y = skip + swish(z + bias), z = conv(n, w), n = rms(x); swish(a)
 * is a / (1 + exp(-a)), and rms normalises each step (b, t) over the channels:
 *
 *   n[b,h,t] = gamma[h] x[b,h,t] scale[b,t]
 *   scale[b,t] = 1 / sqrt(mean over h of x[b,h,t]^2 + RMS_EPS)
 *
 *   swish_backward   dz = dy s (1 + a (1 - s)), with a = z + bias[h] and
 *                    s = 1 / (1 + exp(-a)); dbias[h] = sum over b, t of dz
 *   rms_backward     dx = skip + scale (gamma[h] dn - x scale^2 mean), where
 *                    mean is that over h of gamma[h] dn x;
 *                    dgamma[h] = sum over b, t of dn x scale
 *
 * All arrays but gamma, bias and their gradients are (B, H, L), t contiguous.
 * A launcher enqueues its kernels on the given stream, allocates nothing, does
 * not synchronise, and returns the launch's error. Source of the norm: Zhang
 * and Sennrich, "Root mean square layer normalization", arXiv 1910.07467.
 *
 * Tolerance (op.h), with u = 2^-24. Swish's slope, s (1 + a (1 - s)), takes
 * what its sigmoid is off by (sigmoid.h) times 1 + |a|, what z + bias is off by
 * times 1/2, and four roundings. The scale's sum has terms of one sign: it is
 * relatively right within c(H) u / 2 + 4 u. The rest are sums of products.
 */
#ifndef WB_BLOCK_H
#define WB_BLOCK_H

#include "dwconv.h"

#define BLOCK_RMS_EPS 1e-5f

/* Each is at least 1 and at most 2^31 - 4096; B*H*L is below 2^31. */
struct block_shape {
    int B; /* sequences */
    int H; /* channels */
    int L; /* steps */
};

STAGE_BEGIN

/* Bytes of device memory the launcher needs besides its arrays; often 0. */
STAGE_EXPORT size_t swish_backward_workspace(struct block_shape shape);
STAGE_EXPORT cudaError_t swish_backward(const float *z, const float *bias,
                                        const float *dy, float *dz,
                                        float *dbias, struct block_shape shape,
                                        void *workspace, cudaStream_t stream);

STAGE_EXPORT size_t rms_backward_workspace(struct block_shape shape);
STAGE_EXPORT cudaError_t rms_backward(const float *x, const float *gamma,
                                      const float *dn, const float *skip,
                                      float *dx, float *dgamma,
                                      struct block_shape shape,
                                      void *workspace, cudaStream_t stream);

STAGE_END

#endif
