// SPDX-License-Identifier: MIT
/*
 * chosen.c: loads that are read where a selection takes their value. Interface:
 * chosen.h.
 *
 * Of `first ? total : e` nvcc makes a load in all lanes and a selp. Only lanes
 * that take the value read it in the program, so only they can race.
 * decode/choices.c has made sure that nothing between the two orders accesses
 * or changes the address.
 */
#include "chosen.h"

#include "addresses.h"
#include "simgpu/core/access/place.h"
#include "simgpu/core/access/raise.h"

static void raise(struct warp *w, const struct inst *load, uint32_t mask)
{
    struct access a, part[PARTS];
    struct place places[LANES];
    access_begin(&a, w, load, mask);
    if (!access_places(&a, places))
        return;
    int n = access_split(&a, places, part);
    for (int k = 0; k < n; k++)
        access_raise_races(run_of(w), &part[k]);
}

const struct inst *op_chosen(struct warp *w, const struct inst *i,
                             uint32_t mask)
{
    const struct choice *c = &w->leaf->frame->function->choices[i->imm];
    uint32_t p = *(uint32_t *)slot(w, c->decides) ^ c->flip;
    if (run_of(w)->races && mask & p)
        raise(w, c->load, mask & p);
    return c->fn(w, i, mask);
}
