// SPDX-License-Identifier: MIT
/*
 * race_rules.c: rules that need more than the classes of two accesses.
 *
 *   race_strong_conflict  volatile accesses of one warp's lanes
 *   race_sizes_differ     atomics of different sizes
 *   race_told, race_width which hits of an access are of one pair
 *   race_stale_accuse     ld.global.nc of what this launch wrote
 *
 * Lanes of a warp do not run in step: volatile does not make one wait until
 * another has written, so sums by volatile reads and writes need __syncwarp().
 * But a lane that reads again and again until it likes the value does wait.
 * Such a read is told by its loop: it stores nothing, and what it reads, not
 * a counter alone, decides whether the loop goes on.
 */
#include <stdio.h>

#include "race.h"
#include "simgpu/core/access/place.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/core/state/form.h"

/* A polling loop is short; what depends on the value is in a few registers. */
enum { LOOP_MOST = 24, DEPENDS_MOST = 32 };

/* Registers that depend on the value that was read. */
struct depends {
    uint32_t slot[DEPENDS_MOST];
    int n;
};

static bool is_in(const struct depends *d, uint32_t slot)
{
    for (int k = 0; k < d->n; k++)
        if (d->slot[k] == slot)
            return true;
    return false;
}

static bool reads_any(const struct depends *d, const struct source *s)
{
    for (int k = 0; k < s->n_read; k++)
        if (is_in(d, s->slot[k]))
            return true;
    return false;
}

static void add_written(struct depends *d, const struct source *s)
{
    for (int k = 0; k < s->n_written && d->n < DEPENDS_MOST; k++)
        d->slot[d->n++] = s->slot[s->n_read + k];
}

/* Registers of a frame share slots: what is overwritten by something else is
 * another register. */
static void drop_written(struct depends *d, const struct source *s)
{
    for (int k = 0; k < s->n_written; k++)
        for (int n = d->n - 1; n >= 0; n--)
            if (d->slot[n] == s->slot[s->n_read + k])
                d->slot[n] = d->slot[--d->n];
}

static bool stores(const struct inst *i)
{
    return i->detail && i->detail->access.site && i->detail->access.write;
}

/* To one place, if at all. */
static bool jumps(const struct inst *i, const struct source *s)
{
    return !i->unnamed && s->form && s->form->flags & FORM_JUMPS && !i->detail;
}

/* Does the load's value decide whether a loop around it goes on? Through a jump
 * back, or one that leaves the loop. What a jump ahead passes over depends on
 * the value, too. */
static bool is_poll(const struct function *f, const struct inst *load)
{
    struct depends d = {.n = 0};
    const struct inst *end = f->insts + f->n_insts, *most = load + LOOP_MOST;
    const struct inst *ahead = load; /* as far as such a jump goes */
    add_written(&d, finding_source(f, load));
    for (const struct inst *i = load + 1; i < end && i < most; i++) {
        const struct source *s = finding_source(f, i);
        bool depends = i < ahead || reads_any(&d, s);
        if (i->unnamed)
            continue;
        if (stores(i))
            return false;
        if (jumps(i, s) && i->target <= load)
            return depends && i->target + LOOP_MOST > load;
        if (jumps(i, s) && depends && i->target > ahead)
            ahead = i->target;
        if (depends)
            add_written(&d, s);
        else if (!i->guard)
            drop_written(&d, s);
    }
    return false;
}

bool race_strong_conflict(const struct access *a, uint64_t before,
                          uint64_t now)
{
    const struct run *r = run_of(a->warp);
    bool read_and_write = (before ^ now) >> TAG_CLASS & RACE_WRITE;
    const struct access_form *other = race_form(r, before);
    if (!other)
        return false;
    if (race_sizes_differ(a->form, other))
        return true;
    if (!a->form->is_volatile || !read_and_write || !other->is_volatile ||
        ((before ^ now) & WARP_MASK))
        return false;
    const struct function *f = a->warp->leaf->frame->function;
    const struct inst *load = a->form->write ? race_inst(r, before, &f)
                                             : a->inst;
    return !is_poll(f, load);
}

bool race_sizes_differ(const struct access_form *a,
                       const struct access_form *b)
{
    return a->kind == ACCESS_ATOMIC && b->kind == ACCESS_ATOMIC &&
           a->size != b->size;
}

uint32_t race_width(const struct run *r, uint64_t tag)
{
    const struct access_form *f = race_form(r, tag);
    return !f || f->kind == ACCESS_BULK || f->kind == ACCESS_FREE
               ? 0 : (uint32_t)f->size * f->n;
}

/* A thread that executes an instruction again leaves the same tag: then the
 * places differ. */
bool race_told(const struct run *r, struct race_told *x, uint64_t before,
               uint32_t block, uint64_t address, enum finding_kind kind)
{
    uint32_t width = race_width(r, before);
    uint64_t place = width ? address / width : 0;
    for (unsigned n = 0; n < x->n && n < TOLD_MOST; n++)
        if (x->hit[n].tag == before && x->hit[n].place == place &&
            x->hit[n].block == block && x->hit[n].kind == (uint32_t)kind)
            return true;
    unsigned at = x->n++ % TOLD_MOST;
    x->hit[at].tag = before;
    x->hit[at].place = place;
    x->hit[at].block = block;
    x->hit[at].kind = (uint32_t)kind;
    return false;
}

void race_stale_accuse(const struct access *a, int lane, uint64_t address,
                       uint64_t before)
{
    struct run *r = run_of(a->warp);
    struct finding x = {.space = a->space, .address = address,
                        .bytes = a->bytes};
    place_about_global(r->engine, address, &x);
    x.other = race_site_of(r, before);
    snprintf(x.detail, sizeof x.detail,
             "ld.global.nc (__ldg, const __restrict__) is for memory that "
             "nobody writes while the kernel runs, whatever orders the two");
    access_finding(a, lane, FIND_RACE, &x);
}
