// SPDX-License-Identifier: MIT
/*
 * tensor_copy.h: copies of boxes of tensors (cp.async.bulk.tensor).
 *
 *   op_tensor_load      global to shared memory, and an mbarrier
 *   op_tensor_store     shared to global memory, in a group; also reductions
 *   op_tensor_prefetch  checks the map and the coordinates
 *   op_tensor_map       of a map's prefetch or fence: checks where it lies
 */
#ifndef SIMGPU_TENSOR_COPY_H
#define SIMGPU_TENSOR_COPY_H

#include "simgpu/core/state/state.h"

handler op_tensor_load, op_tensor_store, op_tensor_prefetch,
    op_tensor_map;

#endif
