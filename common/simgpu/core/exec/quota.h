// SPDX-License-Identifier: MIT
/*
 * quota.h: how many registers the threads of a warp may use (setmaxnreg).
 *
 *   op_quota         raises or lowers it
 *   quota_at_launch  by the kernel's bounds; 0: they do not tell
 */
#ifndef SIMGPU_QUOTA_H
#define SIMGPU_QUOTA_H

#include "simgpu/core/state/state.h"

handler op_quota;
uint32_t quota_at_launch(uint32_t maxnreg, uint32_t threads, uint32_t blocks);

#endif
