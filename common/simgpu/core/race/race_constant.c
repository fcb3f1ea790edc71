// SPDX-License-Identifier: MIT
/*
 * race_constant.c: arrays that no store of a launch can reach. Reads of them
 * are in no race, and leave no records.
 *
 *   race_reaches          which arrays the launch's stores may reach
 *   race_reads_constant   an access that only reads such others
 *
 * A store reaches the arrays that its address is computed from
 * (decode/written.c); an index that runs into a neighbour crosses a gap first,
 * and is found there. Of a store that leads to no array all is possible; and
 * where streams are followed, other work may write what this launch reads.
 */
#include "race.h"
#include "streams.h"

#include <string.h>

static bool add(struct run *r, uint64_t address)
{
    const struct allocation *a = memory_find(&r->engine->memory, address);
    struct reached *to = &r->reached;
    if (!a || !a->live)
        return false;
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

void race_reaches(struct run *r)
{
    const struct written *w = r->kernel->function->written;
    const struct streams *others = r->engine->streams;
    r->reached = (struct reached){.known = w && !(others && others->work)};
    for (uint32_t s = 0; r->reached.known && s < w->n_stores; s++) {
        bool leads = w->store[s] & FROM_ELSEWHERE;
        for (uint32_t k = 0; r->reached.known && k < w->n_pointers; k++)
            if (w->store[s] >> k & 1 && add(r, value_of(r, &w->pointer[k])))
                leads = true;
        if (!leads || w->store[s] & FROM_ANY)
            r->reached.known = false;
    }
}

bool race_reads_constant(const struct access *a)
{
    const struct run *r = run_of(a->warp);
    if (!r->reached.known || a->form->write || a->form->strong)
        return false;
    bool all = true;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1)
        all &= run_is_constant(r, a->addr[first_lane(rest)]);
    return all;
}
