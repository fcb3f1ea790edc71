// SPDX-License-Identifier: MIT
/*
 * async.h: copies from global to shared memory that land later (cp.async).
 *
 *   op_async_copy, op_async_commit, op_async_wait
 *   copies_reset    a new block begins: what has not landed never will
 *   copies_close
 *   copy_at         the copy under way that will write one of these bytes
 */
#ifndef SIMGPU_ASYNC_H
#define SIMGPU_ASYNC_H

#include "simgpu/core/state/state.h"

enum { COPY_MOST = 16 }; /* bytes a lane: PTX ISA, cp.async */

/* What follows the size: nothing, src-size, or ignore-src. */
enum copy_extra { COPY_WHOLE, COPY_SIZED, COPY_IGNORED };

/* One instruction of one warp. */
struct copy {
    const struct inst *at;
    const struct function *function; /* that at belongs to */
    struct copy *next;
    uint32_t mask;                   /* lanes whose bytes are under way */
    uint32_t group[LANES];
    uint64_t to[LANES];
    uint8_t data[LANES][COPY_MOST];
};

handler op_async_copy, op_async_commit, op_async_wait;
void copies_reset(struct worker *k);
void copies_close(struct worker *k);
/* thread: whose it is. */
const struct copy *copy_at(const struct block *b, uint64_t address,
                           uint32_t bytes, uint32_t *thread);

#endif
