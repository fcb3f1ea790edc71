// SPDX-License-Identifier: MIT
/*
 * drawn.h: sizes that nobody chose, for DRAW=.
 *
 *   drawn_shape
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

#endif
