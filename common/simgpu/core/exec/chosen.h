// SPDX-License-Identifier: MIT
/*
 * chosen.h: the handler of what selects, or throws away, a loaded value.
 *
 *   op_chosen   counts the load for the lanes that take its value
 */
#ifndef SIMGPU_CHOSEN_H
#define SIMGPU_CHOSEN_H

#include "simgpu/core/state/state.h"

handler op_chosen;

#endif
