// SPDX-License-Identifier: MIT
/*
 * async.h: copies from global to shared memory that land later (cp.async), and
 * the groups of them that a thread waits for.
 *
 *   op_async_copy, op_async_commit, op_async_wait
 */
#ifndef SIMGPU_ASYNC_H
#define SIMGPU_ASYNC_H

#include "simgpu/core/state/state.h"

handler op_async_copy, op_async_commit, op_async_wait;

#endif
