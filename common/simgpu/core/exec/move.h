// SPDX-License-Identifier: MIT
/* move.h: handlers of move.c and atomic.c. */
#ifndef SIMGPU_MOVE_H
#define SIMGPU_MOVE_H

#include "simgpu/core/state/state.h"

handler op_pack, op_unpack, op_mov_wide, op_clock, op_local_address,
    op_isspacep;

/* Whether there is such an atomic operation on such a type. */
bool atomic_known(const struct detail *t);
/* A bulk copy may do this; does it to one element. */
bool atomic_reduces(const struct detail *t);
void atomic_change(const struct detail *t, uint8_t *p, uint64_t value);

#endif
