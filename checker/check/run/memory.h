// SPDX-License-Identifier: MIT
/*
 * memory.h: whether this machine has room for a case of some shape.
 *
 *   memory_needed      bytes that checking one such case takes, at its most
 *   memory_available   bytes that programs may still take; 0: unknown
 */
#ifndef CHECK_MEMORY_H
#define CHECK_MEMORY_H

#include "op/op.h"

double memory_needed(const struct op *op, const struct op_shape *shape);
double memory_available(void);

#endif
