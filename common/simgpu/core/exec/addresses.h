// SPDX-License-Identifier: MIT
/*
 * addresses.h: where an instruction's lanes access memory.
 *
 *   access_begin    an event, its addresses as the program has them: base
 *                   register and offset
 */
#ifndef SIMGPU_ADDRESSES_H
#define SIMGPU_ADDRESSES_H

#include "simgpu/core/state/state.h"

void access_begin(struct access *a, struct warp *w, const struct inst *i,
                  uint32_t mask);

#endif
