// SPDX-License-Identifier: MIT
/* stack.h: local memory taken while a function runs; see stack.c. */
#ifndef SIMGPU_STACK_H
#define SIMGPU_STACK_H

#include "simgpu/core/state/state.h"

enum { STACK_ALIGN = 16 };

handler op_alloca, op_stack_save, op_stack_restore;
uint32_t stack_top(const struct frame *f);

#endif
