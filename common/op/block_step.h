// SPDX-License-Identifier: MIT
/*
 * block_step.h: the gradients of a block's parameters, over several batches.
 *
 * For each batch i, with z = conv(n, w) and a = z + bias[h],
 *
 *   z[i,b,h,t]  = sum over k <= min(t, K-1) of w[h,k] n[i,b,h,t-k]
 *   dz[i,b,h,t] = dy[i,b,h,t] s (1 + a (1 - s)), s = 1 / (1 + exp(-a))
 *   dw[h,k]     = sum over i, b, t >= k of dz[i,b,h,t] n[i,b,h,t-k]
 *   dbias[h]    = sum over i, b, t of dz[i,b,h,t]
 *
 * n and dy are (T, B, H, L), w and dw (H, K); the last index is contiguous. It
 * is chapter 24's program that computes this; a stage could, too, under the
 * same contract as that of dwconv.h.
 *
 * Tolerance (op.h): z is off by c(K) u sum|w n|, which moves the slope by at
 * most half of that; the slope is off as in block.h.
 */
#ifndef WB_BLOCK_STEP_H
#define WB_BLOCK_STEP_H

#include "block.h"

/* Each is at least 1 and at most 2^31 - 4096; T*B*H*L and H*K are below 2^31.
 * */
struct block_step_shape {
    int T; /* batches */
    int B, H, L, K;
};

STAGE_BEGIN

/* Bytes of device memory the launcher needs besides its arrays. */
STAGE_EXPORT size_t block_step_workspace(struct block_step_shape shape);
STAGE_EXPORT cudaError_t block_step(const float *n, const float *w,
                                    const float *bias, const float *dy,
                                    float *dw, float *dbias,
                                    struct block_step_shape shape,
                                    void *workspace, cudaStream_t stream);

STAGE_END

#endif
