// SPDX-License-Identifier: MIT
/*
 * unset.h: the handler of what depends on registers that no path has set.
 *
 *   op_unset   reports it, and executes it
 */
#ifndef SIMGPU_UNSET_H
#define SIMGPU_UNSET_H

#include "simgpu/core/state/state.h"

handler op_unset;

#endif
