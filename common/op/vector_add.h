// SPDX-License-Identifier: MIT
/*
 * vector_add.h: c[i] = a[i] + b[i] for i < n, fp32.
 */
#ifndef WB_VECTOR_ADD_H
#define WB_VECTOR_ADD_H

#include "stage.h"

/* N is at least 1 and below 2^31. */
struct vector_add_shape {
    int N;
};

STAGE_BEGIN

STAGE_EXPORT size_t vector_add_workspace(struct vector_add_shape shape);
STAGE_EXPORT cudaError_t vector_add(const float *a, const float *b, float *c,
                                    struct vector_add_shape shape,
                                    void *workspace, cudaStream_t stream);

STAGE_END

#endif
