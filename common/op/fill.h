// SPDX-License-Identifier: MIT
/*
 * fill.h: values for inputs, drawn by index, so that the same seed gives the
 * same array whatever is asked for first.
 *
 *   fill_seed     one seed an array out of the seed of a case
 *   fill_values   n values of a family
 *   fill_impulses n values in rows: a few ones at tile edges and at ends
 *   fill_dense    n integers from 1 to 7: what an impulse makes visible
 */
#ifndef WB_OP_FILL_H
#define WB_OP_FILL_H

#include "op.h"

uint64_t fill_seed(uint64_t seed, int buffer);
/* Any family; OP_IMPULSE takes all n values as one row. */
void fill_values(enum op_family family, uint64_t seed, float *values,
                 size_t n);
void fill_impulses(uint64_t seed, float *row, size_t n);
void fill_dense(uint64_t seed, float *values, size_t n);

#endif
