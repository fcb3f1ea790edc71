// SPDX-License-Identifier: MIT
/*
 * unset.c: reports a variable without a first value. Interface: unset.h.
 *
 * decode/unset.c has found the instructions; one that no thread comes to is no
 * fault. The report is about the line that reads the variable first, and names
 * the one where it matters.
 */
#include "unset.h"

#include <string.h>

#include "simgpu/core/state/finding.h"

static const struct unset_use *find_use(const struct function *f,
                                        const struct inst *i)
{
    const struct unset_use *u = f->uses;
    while (u->at != i)
        u++;
    return u;
}

static const char *base(const char *file)
{
    const char *name = file ? strrchr(file, '/') : NULL;
    return name ? name + 1 : file ? file : "?";
}

static const char *effect(const struct inst *i)
{
    const struct detail *t = i->detail;
    bool stores = t && t->access.site && t->access.write;
    return stores ? "what is stored" : t && t->access.site
                  ? "which address is read" : "a branch";
}

static void accuse(struct warp *w, const struct unset_use *u, uint32_t mask)
{
    const struct source *s =
        finding_source(w->leaf->frame->function, u->at);
    struct finding x = {0};
    snprintf(x.detail, sizeof x.detail,
             "reads a variable that nothing has set before; %s at %s:%d "
             "depends on it", effect(u->at), base(s->file), s->line);
    finding_add(w, u->first, first_lane(mask), FIND_UNINITIALISED, &x);
}

const struct inst *op_unset(struct warp *w, const struct inst *i,
                            uint32_t mask)
{
    const struct unset_use *u = find_use(w->leaf->frame->function, i);
    if (run_of(w)->checks & CHECK_MEMORY)
        accuse(w, u, mask);
    return u->fn(w, i, mask);
}
