// SPDX-License-Identifier: MIT
/* move.h: handlers of move.c and atomic.c. */
#ifndef SIMGPU_MOVE_H
#define SIMGPU_MOVE_H

#include "simgpu/core/state/state.h"

handler op_pack, op_unpack, op_mov_wide, op_clock, op_local_address,
    op_isspacep;

/* Whether there is such an atomic operation on such a type. */
bool atomic_known(const struct detail *t);

#endif
