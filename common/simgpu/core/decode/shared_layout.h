// SPDX-License-Identifier: MIT
/*
 * shared_layout.h: where the shared arrays of a module's kernels stand, as
 * ptxas places them.
 *
 *   shared_layouts_open, shared_layouts_close
 *   shared_layout_of   of an entry function
 *   shared_layout_address   of one array in one function
 */
#ifndef SIMGPU_SHARED_LAYOUT_H
#define SIMGPU_SHARED_LAYOUT_H

#include "simgpu/ptx/ptx.h"

struct shared_layout {
    uint64_t *address;     /* of each PTX variable; 0: not this kernel's */
    uint32_t dynamic;      /* where dynamic shared memory begins */
    size_t static_bytes;   /* as ptxas reports them */
};

struct shared_layouts;

struct shared_layouts *shared_layouts_open(const struct ptx_module *ptx);
void shared_layouts_close(struct shared_layouts *all);
const struct shared_layout *
shared_layout_of(const struct shared_layouts *all, int32_t entry);
/* As this function's code names it; func < 0: as initialisers do. */
uint64_t shared_layout_address(const struct shared_layouts *all, int32_t func,
                               size_t var);

#endif
