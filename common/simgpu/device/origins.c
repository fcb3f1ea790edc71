// SPDX-License-Identifier: MIT
/*
 * origins.c: where the program allocated and freed memory.
 *
 *   dev_origin_add     the program has allocated or freed what begins there
 *   dev_print_origins  where that was, of a finding's allocation
 *
 * An address that was given out more than once could be any of these, so
 * nothing is said of it.
 */
#include "device.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1000 }; /* as many as libcudart tells */

struct dev_origin {
    uint64_t address;
    bool frees, told;
    char *caller; /* as rt_caller says it */
};

void dev_origin_add(struct dev_origins *o, uint64_t address, bool frees,
                    const char *caller)
{
    if (!o->list)
        o->list = calloc(MOST, sizeof *o->list);
    if (!o->list || o->n == MOST)
        return;
    o->list[o->n++] = (struct dev_origin){.address = address, .frees = frees,
                                          .caller = strdup(caller)};
}

/* NULL: none, or more than one. */
static struct dev_origin *find(const struct dev_origins *o, uint64_t address,
                               bool frees)
{
    struct dev_origin *found = NULL;
    for (size_t i = 0; i < o->n; i++) {
        if (o->list[i].address != address || o->list[i].frees != frees)
            continue;
        if (found)
            return NULL;
        found = &o->list[i];
    }
    return found;
}

void dev_print_origins(const struct device *dev, const struct finding *f,
                       FILE *out)
{
    const struct allocation *list;
    size_t n = f->allocation ? engine_allocations(dev->engine, &list) : 0;
    for (size_t i = 0; i < n; i++) {
        if (list[i].id != f->allocation)
            continue;
        for (int frees = 0; frees <= (f->kind == FIND_USE_AFTER_FREE);
             frees++) {
            struct dev_origin *x =
                find(&dev->origins, list[i].address, frees);
            char what[60];
            if (!x || !x->caller || x->told)
                continue;
            snprintf(what, sizeof what, "allocation %lld was %s ",
                     (long long)f->allocation, frees ? "freed" : "made");
            dev_print_place(x->caller, what, out);
            x->told = true;
        }
        return;
    }
}
