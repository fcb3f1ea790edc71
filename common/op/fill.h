// SPDX-License-Identifier: MIT
/*
 * fill.h: values for inputs, each a function of a seed and an index, so that
 * the same seed gives the same array whatever is asked for first.
 *
 *   fill_seed      one seed per array out of the seed of a problem
 *   fill_value     of a family, for an array of a type
 *   fill_impulse   0 or 1: a few ones in a row of n, at tile edges and at ends
 *   fill_dense     1 to 7: what makes an impulse's whole response visible
 *   fill_factor    of a matrix that is multiplied: see below
 *   fill_scalar    of an operator's scalar, within its range
 */
#ifndef WB_OP_FILL_H
#define WB_OP_FILL_H

#include "op.h"

uint64_t fill_seed(uint64_t seed, int buffer);
/* Any family but OP_IMPULSE, whose ones an operator has to place. */
double fill_value(enum op_family family, enum type type, uint64_t seed,
                  size_t index);
double fill_impulse(uint64_t seed, size_t at, size_t n);
double fill_dense(uint64_t seed, size_t index);
/* A factor's element, the k-th of `depth` along the sum in its row (of the
 * right factor, its column) `line`. Here and there a line is nearly all zeros:
 * where few terms are left, few roundings are allowed, and a type with fewer
 * bits shows, however long the sum is. What is special stands opposite zeros,
 * and last in its line, too: 0 times infinity must not be left out, nor come
 * from beyond the end. */
double fill_factor(enum op_family family, enum type type, uint64_t seed,
                   size_t line, size_t k, size_t depth);
/* 0 or 1 in half of the cases, if the range holds them; whole numbers for an
 * exact family; never 0 with OP_SPECIAL: 0 times infinity would be NaN. */
double fill_scalar(const struct op_scalar *scalar, enum op_family family,
                   uint64_t seed);

#endif
