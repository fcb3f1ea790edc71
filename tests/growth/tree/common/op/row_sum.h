// SPDX-License-Identifier: MIT
/*
 * row_sum.h: y[m] = alpha * (sum of x[m * K + k] over k) + y[m], with bf16 x
 * and fp32 y. An operator that only tests/growth adds.
 *
 * Tolerance (op.h): a cell has K terms alpha x, and one more y; one running sum
 * is good enough.
 */
#ifndef WB_ROW_SUM_H
#define WB_ROW_SUM_H

#include "stage.h"

#ifdef __CUDACC__
#include <cuda_bf16.h>
typedef __nv_bfloat16 row_sum_bf16_t;
#else
typedef unsigned short row_sum_bf16_t; /* its bits */
#endif

/* Each extent is at least 1; M * K is below 2^31. */
struct row_sum_shape {
    int M, K;
};

STAGE_BEGIN

STAGE_EXPORT size_t row_sum_bf16_workspace(struct row_sum_shape shape);
STAGE_EXPORT cudaError_t row_sum_bf16(const row_sum_bf16_t *x, float *y,
                                      struct row_sum_shape shape, float alpha,
                                      void *workspace, cudaStream_t stream);

STAGE_END

#endif
