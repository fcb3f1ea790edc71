// SPDX-License-Identifier: MIT
/* addresses.c: where an instruction's lanes access memory. Interface:
 * addresses.h. */
#include "addresses.h"

#include "simgpu/core/access/raise.h"
#include "simgpu/core/memory/mapped_pages.h"

/* An address that none of the GPU's spaces has. */
static bool is_hosts(const struct engine *e, const struct detail *t,
                     uint64_t address)
{
    return (t->space == PTX_SPACE_GLOBAL || t->space == PTX_SPACE_GENERIC) &&
           (address < SHARED_WINDOW ||
            (address >= DEVICE_BASE &&
             address - DEVICE_BASE >= e->memory.reserved));
}

/* A 32-bit address wraps: nvcc leaves a negative index in the register, and
 * what makes it positive in the immediate. */
static void lane_addresses(const struct warp *w, const struct inst *i,
                           uint32_t mask, uint64_t addr[LANES])
{
    const struct detail *t = i->detail;
    const void *base = slot(w, i->a);
    const struct engine *e = run_of(w)->engine;
    uint64_t frame = t->space == PTX_SPACE_LOCAL && t->op
                         ? w->leaf->frame->local_base : 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        addr[l] = t->address64
                      ? ((const uint64_t *)base)[l] + (uint64_t)i->imm
                      : ((const uint32_t *)base)[l] + (uint32_t)i->imm;
        addr[l] += frame;
        if (e->registered && is_hosts(e, t, addr[l]))
            addr[l] = mapped_at(&e->memory, addr[l]);
    }
}

void access_begin(struct access *a, struct warp *w, const struct inst *i,
                  uint32_t mask)
{
    const struct access_form *form = &i->detail->access;
    access_init(a, w, i, form, form->space, mask);
    lane_addresses(w, i, mask, a->addr);
}
