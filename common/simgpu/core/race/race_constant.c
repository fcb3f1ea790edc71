// SPDX-License-Identifier: MIT
/*
 * race_constant.c: arrays that no store of a launch can reach. Reads of them
 * are in no race, and leave no records.
 *
 *   race_reaches          which arrays the launch's stores may reach
 *   race_passes_over      an access that only reads others
 *
 * A store reaches the arrays that its address is computed from
 * (decode/written.c). Where that leads to no array all is possible; and where
 * streams are followed, other work may write what this launch reads. A store
 * that an index carries into another array ends the assumption: reads leave
 * records from there on, and those before it are lost.
 */
#include "race.h"
#include "streams.h"

#include <string.h>

/* A number is none of these; a pointer beside all arrays may lead to any. */
static bool add(struct run *r, uint64_t address)
{
    const struct memory *m = &r->engine->memory;
    const struct allocation *a = memory_find(m, address);
    struct reached *to = &r->reached;
    if (!a || !a->live) {
        if (address - DEVICE_BASE < m->reserved)
            to->known = false;
        return false;
    }
    if (!run_is_constant(r, a->address))
        return true;
    if (to->n == REACHED_MOST) {
        to->known = false;
        return true;
    }
    to->array[to->n].lo = a->address;
    to->array[to->n++].hi = a->address + a->bytes;
    return true;
}

static uint64_t value_of(const struct run *r, const struct pointer *p)
{
    uint64_t value = 0;
    if (!p->of_param)
        return p->at;
    if (p->at + sizeof value <= r->kernel->info.param_bytes)
        memcpy(&value, r->params + p->at, sizeof value);
    return value;
}

/* The arrays of one set of pointers. */
static void add_all(struct run *r, const struct written *w, uint64_t set)
{
    bool leads = set & FROM_ELSEWHERE;
    if (set & FROM_ANY)
        r->reached.known = false;
    for (uint64_t rest = set & ~(FROM_ANY | FROM_ELSEWHERE); rest;
         rest &= rest - 1)
        leads |= add(r, value_of(r, &w->pointer[__builtin_ctzll(rest)]));
    if (!leads)
        r->reached.known = false;
}

void race_reaches(struct run *r)
{
    const struct written *w = r->kernel->function->written;
    const struct streams *others = r->engine->streams;
    r->reached.n = 0;
    r->reached.known = w && !(others && others->work);
    for (uint32_t s = 0; r->reached.known && s < w->n_stores; s++)
        add_all(r, w, w->store[s]);
}

bool race_passes_over(const struct access *a)
{
    struct run *r = run_of(a->warp);
    bool all = !a->form->strong && !a->form->write;
    for (uint32_t rest = a->mask; all && rest; rest &= rest - 1)
        all &= run_is_constant(r, a->addr[first_lane(rest)]);
    for (uint32_t rest = a->form->write ? a->mask : 0; rest; rest &= rest - 1)
        if (run_is_constant(r, a->addr[first_lane(rest)]))
            run_strays(r);
    return all;
}
