// SPDX-License-Identifier: MIT
/*
 * drawn.h: sizes that nobody chose.
 *
 *   drawn_shape    for DRAW=, and for a grade
 *   drawn_longer   with an extent beyond those that everybody can read
 */
#ifndef CHECK_DRAWN_H
#define CHECK_DRAWN_H

#include "op/op.h"

/* A shape that the operator takes, and whose product costs a check no more
 * than a moment. Extents are spread evenly over their logarithms, one in four
 * of them long; one shape in two has extents that are multiples of 8, and as
 * many have rows further apart than they are long. The same seed draws the
 * same shape. most: 1, or the part of that cost that it may have. */
struct op_shape drawn_shape(const struct op *op, uint64_t seed, double most);

/* Extent d is above `known` and at most `most`, the others are small. An extent
 * of twice `known` or more is half as probable as any at all, and so on: so
 * large ones cost little on average, and a kernel that is wrong at some of them
 * fails one day. false: the operator takes no such shape. */
bool drawn_longer(const struct op *op, int d, int known, int most,
                  uint64_t seed, struct op_shape *shape);

#endif
