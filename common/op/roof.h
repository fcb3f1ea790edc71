// SPDX-License-Identifier: MIT
/*
 * roof.h: the two kernels that measure a device's ceilings.
 *
 *   roof_copy   to[i] = from[i], i < N: how fast memory can be
 *   roof_fma    to[i] = from[i], R times replaced by ROOF_TIMES times itself
 *               plus ROOF_PLUS: how fast arithmetic can be (one multiply-add,
 *               rounded once, a step)
 *
 * The values shrink slowly and with changing signs, so that after thousands of
 * steps they still depend on where they began: nobody can skip them.
 */
#ifndef WB_ROOF_H
#define WB_ROOF_H

#include "stage.h"

#define ROOF_TIMES (-0.9995f)
#define ROOF_PLUS  0.25f

/* N and R are at least 1. roof_copy leaves R alone. */
struct roof_shape {
    int N;
    int R;
};

STAGE_BEGIN

STAGE_EXPORT cudaError_t roof_copy(const float *from, float *to,
                                   struct roof_shape shape, void *workspace,
                                   cudaStream_t stream);
STAGE_EXPORT cudaError_t roof_fma(const float *from, float *to,
                                  struct roof_shape shape, void *workspace,
                                  cudaStream_t stream);

STAGE_END

#endif
