// SPDX-License-Identifier: MIT
/*
 * place.h: from an address as the program sees it to bytes of this process.
 *
 *   place_of, place_part         where an address lies, or a finding
 *   window_shared, window_global   the array that holds an address
 *   find_uninitialised, find_copy  what to say of bytes that nobody wrote
 *   about_global                 names the array in a finding
 */
#ifndef SIMGPU_PLACE_H
#define SIMGPU_PLACE_H

#include "simgpu/core/state/state.h"

/* One lane's bytes. init: their bits begin at bit first; NULL: no bits. */
struct place {
    uint8_t *host, *init;
    uint64_t first;
    uint8_t space;
    bool shared_bits; /* other threads may set neighbouring bits */
};

bool place_of(struct warp *w, const struct inst *i, int lane,
              uint64_t address, uint32_t bytes, struct place *p);
/* As place_of, for bytes of what is aligned as a whole. */
bool place_part(struct warp *w, const struct inst *i, int lane,
                uint64_t address, uint32_t whole, uint32_t bytes,
                struct place *p);
bool window_shared(struct warp *w, uint64_t address, struct window *out);
bool window_global(struct warp *w, uint64_t address, struct window *out);
void find_uninitialised(struct warp *w, const struct inst *i, int lane,
                        uint64_t address);
/* Accuses who touches shared bytes that a copy under way will write. */
bool find_copy(struct warp *w, const struct inst *i, int lane,
               uint64_t address, uint32_t bytes);
void about_global(const struct engine *engine, uint64_t address,
                  struct finding *x);

#endif
