// SPDX-License-Identifier: MIT
/*
 * load_store.h: loads, stores and atomics of any kind, lane by lane.
 *
 *   access_begin    an event, its addresses as the program has them: base
 *                   register and offset
 */
#ifndef SIMGPU_LOAD_STORE_H
#define SIMGPU_LOAD_STORE_H

#include "simgpu/core/state/state.h"

void access_begin(struct access *a, struct warp *w, const struct inst *i,
                  uint32_t mask);
/* After a store of a vector by these lanes: elements (a bit each, per lane) count
 * as never written. */
void store_discard(struct warp *w, const struct inst *i,
                   const uint8_t unset[LANES], uint32_t lanes);
handler op_load, op_store, op_atomic, op_load_param, op_load_wide,
    op_store_wide, op_discard;

#endif
