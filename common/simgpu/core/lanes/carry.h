// SPDX-License-Identifier: MIT
/* carry.h: arithmetic with carry, setp's second half, set. */
#ifndef SIMGPU_CARRY_H
#define SIMGPU_CARRY_H

#include "simgpu/core/state/state.h"

enum carry_op { CARRY_ADD, CARRY_SUB, CARRY_MAD_LO, CARRY_MAD_HI };

handler op_carry, op_set, op_set_pair;
scalar eval_cvt;

#endif
