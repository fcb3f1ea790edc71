// SPDX-License-Identifier: MIT
/*
 * cfg.h: a function's control flow, and the allocation of its registers.
 *
 *   cfg_build, cfg_free    basic blocks and immediate post-dominators
 *   slots_assign           virtual registers -> slots of the frame
 *   slots_read             which registers somebody reads
 */
#ifndef SIMGPU_CFG_H
#define SIMGPU_CFG_H

#include "simgpu/core/state/form.h"
#include "simgpu/ptx/ptx.h"

struct basic {
    int32_t first, last; /* instructions [first, last) */
    int32_t *succ;       /* blocks; n of cfg: the function's end */
    int32_t n_succ;
    int32_t ipdom;       /* block; n of cfg: the function's end */
};

struct cfg {
    struct basic *block;
    int32_t n;
    int32_t *block_of;   /* instruction -> block; n_insts entries */
};

/* forms[instruction]: NULL where it is not known. */
struct cfg *cfg_build(const struct ptx_func *f,
                      const struct form *const *forms);
void cfg_free(struct cfg *g);

/* Where lanes that part at instruction i meet: an instruction, or -1. */
int32_t cfg_meeting(const struct cfg *g, int32_t i);

/* read[register]: an instruction reads it, or may do so. */
void slots_read(const struct ptx_func *f, const struct form *const *forms,
                bool *read);

/* Fills slot[register] with byte offsets; returns the frame's size so far.
 * Registers whose lives do not overlap share a slot, so that the working set
 * of an unrolled kernel stays in the first caches. unset[register]: some path
 * reads it before it is written. */
uint32_t slots_assign(const struct ptx_func *f, const struct cfg *g,
                      const struct form *const *forms, uint32_t *slot,
                      bool *unset);

#endif
