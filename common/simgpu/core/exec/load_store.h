// SPDX-License-Identifier: MIT
/*
 * load_store.h: loads, stores and atomics of any kind, a lane at a time.
 *
 *   count_access    counters of one access
 *   lane_addresses  base register + offset
 *   atom_op         detail.op of atomics
 */
#ifndef SIMGPU_LOAD_STORE_H
#define SIMGPU_LOAD_STORE_H

#include "simgpu/core/access/place.h"

void lane_addresses(const struct warp *w, const struct inst *i, uint32_t mask,
                    uint64_t addr[LANES]);
void count_access(struct worker *k, const struct detail *t, uint8_t space,
                  uint32_t mask, const uint64_t addr[LANES]);
void find_watched(struct warp *w, const struct inst *i, uint32_t mask,
                  const uint64_t addr[LANES]);
/* race_access, race_release or race_acquire of what lies in shared and in
 * global memory. Before a write happens: who sees it must find it noted. */
typedef void race_event(struct warp *w, const struct inst *i, uint32_t mask,
                        const uint64_t *addr, bool shared);
void race_spaces(struct warp *w, const struct inst *i, uint32_t mask,
                 const uint64_t *addr, const struct place *places,
                 race_event *what);

handler op_load, op_store, op_atomic, op_load_param, op_load_wide,
    op_store_wide, op_discard;

#endif
