// SPDX-License-Identifier: MIT
/*
 * place.h: from an address as the program sees it to bytes of this process,
 * with exact bounds.
 *
 *   place_of, access_places        where a lane's bytes lie, or a finding
 *   access_split                   one event per address space and block
 *   window_shared, window_global   the array that holds an address
 *   find_uninitialised, find_copy  what to say of bytes that nobody wrote
 *   about_global                   names the array in a finding
 */
#ifndef SIMGPU_PLACE_H
#define SIMGPU_PLACE_H

#include "simgpu/core/state/state.h"

/* Events of one instruction: global, local, and shared memory of each block of
 * a cluster. */
enum { PARTS = 2 + CLUSTER_MOST };

/* One lane's bytes. init: their bits begin at bit first; NULL: no bits. */
struct place {
    uint8_t *host, *init;
    uint64_t first;
    uint64_t address; /* in its space */
    struct worker *peer; /* whose shared memory, if another block's */
    uint8_t space;
    bool atomic_bits; /* other threads may set neighbouring bits */
};

/* Addresses as the program has them: a->form->space may be generic. A lane
 * that is out of bounds or misaligned ends the launch: false. */
bool place_of(const struct access *a, int lane, struct place *p);
bool access_places(const struct access *a, struct place places[LANES]);
/* The lanes of whole by the space that their bytes lie in, and the block of the
 * cluster. Returns how many parts there are. */
int access_split(const struct access *whole,
                 const struct place places[LANES], struct access part[PARTS]);
bool window_shared(struct warp *w, uint64_t address, struct window *out);
bool window_global(struct warp *w, uint64_t address, struct window *out);
/* Where a generic address leads: a small space, and *address in it; else what
 * the form says. */
uint8_t place_space(const struct access_form *form, uint64_t *address);
/* The array at or near an address, into a finding. */
void place_about(struct warp *w, uint8_t space, uint64_t address,
                 struct finding *x);
void place_about_global(const struct engine *engine, uint64_t address,
                        struct finding *x);

#endif
