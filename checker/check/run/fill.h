// SPDX-License-Identifier: MIT
/*
 * fill.h: a large input, filled by all cores.
 *
 *   fill_input   what op_fill does
 *
 * The arrays of a shape that is timed have hundreds of millions of cells: one
 * core would take longer for them than a GPU for all that follows.
 */
#ifndef CHECK_FILL_H
#define CHECK_FILL_H

#include "op/op.h"

void fill_input(const struct op *op, const struct op_problem *problem,
                int buffer, void *array);

#endif
