// SPDX-License-Identifier: MIT
/*
 * memop.h: loads, stores and atomics of any kind, a lane at a time.
 *
 *   place_of        where an address lies, or a finding
 *   count_access    counters of one access
 *   lane_addresses  base register + offset
 *   find_copy       a finding, if an asynchronous copy is under way there
 *   atom_op         detail.op of atomics
 */
#ifndef SIMGPU_MEMOP_H
#define SIMGPU_MEMOP_H

#include "simgpu/core/exec/core.h"

enum atom_op {
    ATOM_ADD, ATOM_MIN, ATOM_MAX, ATOM_AND, ATOM_OR, ATOM_XOR, ATOM_EXCH,
    ATOM_CAS, ATOM_INC, ATOM_DEC,
};

/* One lane's bytes. init: their bits begin at bit first; NULL: no bits. */
struct place {
    uint8_t *host, *init;
    uint64_t first;
    uint8_t space;
    bool shared_bits; /* other threads may set neighbouring bits */
};

bool place_of(struct warp *w, const struct inst *i, int lane,
              uint64_t address, uint32_t bytes, struct place *p);
void lane_addresses(const struct warp *w, const struct inst *i, uint32_t mask,
                    uint64_t addr[LANES]);
void count_access(struct worker *k, const struct detail *t, uint8_t space,
                  uint32_t mask, const uint64_t addr[LANES]);
void find_watched(struct warp *w, const struct inst *i, uint32_t mask,
                  const uint64_t addr[LANES]);
void find_uninitialised(struct warp *w, const struct inst *i, int lane,
                        uint64_t address);
/* As place_of, for bytes of what is aligned as a whole. */
bool place_part(struct warp *w, const struct inst *i, int lane,
                uint64_t address, uint32_t whole, uint32_t bytes,
                struct place *p);
/* Accuses who touches shared bytes that a copy under way will write. */
bool find_copy(struct warp *w, const struct inst *i, int lane,
               uint64_t address, uint32_t bytes);
/* race_access, race_release or race_acquire of what lies in shared and in
 * global memory. Before a write happens: who sees it must find it noted. */
typedef void race_event(struct warp *w, const struct inst *i, uint32_t mask,
                        const uint64_t *addr, bool shared);
void race_spaces(struct warp *w, const struct inst *i, uint32_t mask,
                 const uint64_t *addr, const struct place *places,
                 race_event *what);
bool window_shared(struct warp *w, uint64_t address, struct window *out);
bool window_global(struct warp *w, uint64_t address, struct window *out);

#endif
