// SPDX-License-Identifier: MIT
/*
 * race.h: what the two race detectors share; see race.c (a block's shared
 * memory) and race_global.c (blocks, in global memory).
 */
#ifndef SIMGPU_RACE_H
#define SIMGPU_RACE_H

#include "core.h"

void global_race_open(struct run *r);
void global_race_close(struct run *r);
void global_race_worker(struct worker *k);
void global_race_block(struct worker *k);
void global_race_done(struct worker *k);
void global_race_report(struct worker *k);
/* What lane l stores into the bytes (a bit each) of a word. */
uint32_t race_stored_word(const struct warp *w, const struct inst *i, int l,
                          uint64_t address, uint64_t word, uint8_t bytes);

#endif
