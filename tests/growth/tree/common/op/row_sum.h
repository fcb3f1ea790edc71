// SPDX-License-Identifier: MIT
/*
 * row_sum.h: y[m] = alpha * (sum of x[m * K + k] over k) + y[m]. An operator
 * that only tests/growth adds, in three pairs of types:
 *
 *   row_sum_bf16   x in bf16, y in fp32
 *   row_sum_int8   x in int8, y and alpha in int32
 *   row_sum_fp8    x in fp8 e4m3, y in fp8 e5m2; sums are in fp32
 *
 * Tolerance (op.h): a cell has K terms alpha x, and one more, y; one running
 * sum is good enough. int32 is exact.
 */
#ifndef WB_ROW_SUM_H
#define WB_ROW_SUM_H

#include "stage.h"

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp8.h>
typedef __nv_bfloat16 row_sum_bf16_t;
typedef __nv_fp8_e4m3 row_sum_e4m3_t;
typedef __nv_fp8_e5m2 row_sum_e5m2_t;
#else
typedef unsigned short row_sum_bf16_t; /* their bits */
typedef unsigned char row_sum_e4m3_t;
typedef unsigned char row_sum_e5m2_t;
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

STAGE_EXPORT size_t row_sum_int8_workspace(struct row_sum_shape shape);
STAGE_EXPORT cudaError_t row_sum_int8(const signed char *x, int *y,
                                      struct row_sum_shape shape, int alpha,
                                      void *workspace, cudaStream_t stream);

STAGE_EXPORT size_t row_sum_fp8_workspace(struct row_sum_shape shape);
STAGE_EXPORT cudaError_t row_sum_fp8(const row_sum_e4m3_t *x,
                                     row_sum_e5m2_t *y,
                                     struct row_sum_shape shape, float alpha,
                                     void *workspace, cudaStream_t stream);

STAGE_END

#endif
