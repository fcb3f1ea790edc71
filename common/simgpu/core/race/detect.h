// SPDX-License-Identifier: MIT
/* detect.h: the race detector as a launch and what executes it see it. */
#ifndef SIMGPU_DETECT_H
#define SIMGPU_DETECT_H

#include "simgpu/core/state/state.h"

/* race.c: a launch, a worker; race_words.c: an access */
void race_open(struct run *r);
void race_close(struct run *r);
void race_worker_open(struct worker *k);
void race_worker_close(struct worker *k);
void race_engine_close(struct engine *engine);
void race_report(struct worker *workers, int n);
void race_access(struct warp *w, const struct inst *i, uint32_t mask,
                 const uint64_t *addr, bool shared);
/* The two halves of a shared access: is it ordered; it has happened. */
void race_look(struct warp *w, const struct inst *i, uint32_t mask,
               const uint64_t *addr);
void race_keep(struct warp *w, const struct inst *i, uint32_t mask,
               const uint64_t *addr);

/* race_order.c: what orders accesses */
void race_block_begins(struct worker *k);
void race_sync(struct warp *w, uint32_t members);
void race_arrives(struct warp *w, uint32_t mask, struct barrier *x);
void race_barrier(struct block *b, struct barrier *x, uint32_t waiting);
void race_fence(struct warp *w, uint32_t mask, bool gpu);
/* Before a strong write, and after a strong read, of these addresses. */
void race_release(struct warp *w, const struct inst *i, uint32_t mask,
                  const uint64_t *addr, bool shared);
void race_acquire(struct warp *w, const struct inst *i, uint32_t mask,
                  const uint64_t *addr, bool shared);

#endif
