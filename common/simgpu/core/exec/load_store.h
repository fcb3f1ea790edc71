// SPDX-License-Identifier: MIT
/*
 * load_store.h: loads, stores and atomics of any kind, lane by lane.
 */
#ifndef SIMGPU_LOAD_STORE_H
#define SIMGPU_LOAD_STORE_H

#include "addresses.h"

handler op_load, op_store, op_atomic, op_load_param, op_load_launch_param,
    op_load_wide, op_store_wide, op_discard;

#endif
