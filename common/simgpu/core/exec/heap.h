// SPDX-License-Identifier: MIT
/* heap.h: malloc and free in kernels; see heap.c. */
#ifndef SIMGPU_HEAP_H
#define SIMGPU_HEAP_H

#include "simgpu/core/state/state.h"

/* false: the GPU's memory is full. */
bool heap_open(struct engine *e);
void heap_close(struct engine *e);
void heap_launch(struct engine *e);
void call_malloc(struct warp *w, const struct inst *i, uint32_t mask);
/* false after a finding: nothing of this pointer was malloc's. */
bool call_free(struct warp *w, const struct inst *i, uint32_t mask);

#endif
