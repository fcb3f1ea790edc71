// SPDX-License-Identifier: MIT
/*
 * race.c: a launch's and a worker's records of who touched what, and how a
 * tag becomes an accusation.
 *
 *   race_open, race_resume, race_close    a launch
 *   race_worker_open, race_worker_close   a worker's records
 *   race_forget, race_engine_close
 *   race_accuse, race_site_of, race_equal_words
 *                                         a tag in the learner's words
 *
 * An engine keeps the records for the next launch: stamps go on growing, so
 * that what an earlier launch left is merely old. So zeros may take its place
 * between launches at any time; race_forget does it where memory was freed.
 */

#include "race.h"

#include <stdio.h>
#include <stdlib.h>

#include "simgpu/core/access/place.h"
#include "simgpu/core/memory/own.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/host/pages.h"

/* Records ----------------------------------------------------------------- */

/* What happens to an array: it begins at a page, has `from` bytes and is to
 * have `to`. */
typedef void *each_array(void *array, size_t from, size_t to);

/* The n-th array of a shadow begins so far behind its first page: a word's
 * records lie at one index of all arrays, and would want one set of the cache
 * if all began at a huge page. */
enum { STAGGER = 4096 + 5 * 64 };

static void *staggered(each_array *what, void *array, size_t from, size_t to,
                       size_t n)
{
    size_t shift = n * STAGGER;
    char *begin = array ? (char *)array - shift : NULL;
    begin = what(begin, array ? from + shift : 0, to + shift);
    return begin ? begin + shift : NULL;
}

/* Calls what on each array of a shadow that is to have so many units. */
static void each(struct shadow *s, size_t units, bool blocks, each_array *what)
{
    size_t from = s->units, groups = from / RACE_GROUP + 1, n = 0;
#define ARRAY(p)                                                               \
    p = staggered(what, p, from * sizeof *p, units * sizeof *p, n++)
    ARRAY(s->write);
    ARRAY(s->read[0]);
    ARRAY(s->read[1]);
    ARRAY(s->value);
    ARRAY(s->done);
    for (int c = 0; blocks && c < RACE_CLASSES; c++) {
        ARRAY(s->first[c]);
        ARRAY(s->last[c]);
    }
    if (!blocks)
        return;
    ARRAY(s->many);
    s->touched = what(s->touched, groups, units / RACE_GROUP + 1);
#undef ARRAY
}

/* By much at once, where address space costs nothing: to move the records of
 * much memory takes long. */
#define AHEAD_MOST ((size_t)1 << (sizeof(size_t) > 4 ? 34 : 0)) /* 64 GB */
static void grow(struct shadow *s, size_t units, bool blocks)
{
    if (units < s->units)
        return;
    size_t ahead = s->units < AHEAD_MOST ? s->units : AHEAD_MOST;
    if (sizeof units > 4 && units < s->units + ahead)
        units = s->units + ahead;
    units = (units / RACE_GROUP + 1) * RACE_GROUP;
    each(s, units, blocks, pages_grow);
    s->units = units;
}

static void *unmap(void *old, size_t from, size_t to)
{
    (void)to;
    pages_free(old, from);
    return NULL;
}

static void *forget(void *old, size_t from, size_t to)
{
    (void)to;
    pages_drop(old, from);
    return old;
}

static void each_shadow(struct race *r, each_array *what)
{
    for (int n = 0; n < 2; n++) {
        if (r->shared[n].units)
            each(&r->shared[n], r->shared[n].units, false, what);
        if (r->global[n].units)
            each(&r->global[n], r->global[n].units, true, what);
    }
}

/* An atomic or of nothing asks the kernel for a page to write to. */
void race_own_pages(struct shadow *s, size_t group)
{
    static const size_t steps[] = {0, RACE_GROUP / 2, RACE_GROUP - 1};
    uint64_t *arrays[] = {s->write, s->first[RACE_WRITE], s->last[RACE_WRITE]};

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
            __atomic_fetch_or(&arrays[i][group * RACE_GROUP + steps[k]], 0,
                              __ATOMIC_RELAXED);
}

static void grow_global(const struct worker *k)
{
    const struct run *r = k->run;
    size_t words = r->engine->memory.opened / RACE_WORD + MAX_VECTOR;
    for (int n = 0; n <= r->narrow; n++)
        grow(&k->race->global[n], n ? words * RACE_WORD : words, true);
}

static void race_worker_open(struct worker *k)
{
    struct engine *e = k->run->engine;
    struct race *r = e->races;
    if (r)
        e->races = r->next;
    else
        r = own_not_null(calloc(1, sizeof *r));
    k->race = r;
    size_t shared = k->run->shared_end / RACE_WORD + MAX_VECTOR;
    for (int n = 0; n <= k->run->narrow; n++)
        grow(&r->shared[n], n ? shared * RACE_WORD : shared, false);
    if (k->run->race_mode == RACES_APART)
        grow_global(k);
    if (r->clock > (k->cluster->n > 1 ? STAMP_FOREIGN : STAMP_MOST)) {
        each_shadow(r, forget);
        r->clock = 0;
    }
    r->launch = ++r->clock;
    r->n_begun = 0;
    r->in_order = e->config.seed == 0;
}

static void race_worker_close(struct worker *k)
{
    struct engine *e = k->run->engine;
    for (int n = 0; n < MAX_WARPS; n++) {
        free(k->block.warps[n].order);
        race_notes_close(&k->block.warps[n]);
        race_proxy_begins(&k->block.warps[n]);
    }
    free(k->block.met);
    free(k->block.own);
    free(k->block.landed);
    race_cluster_close(&k->block);
    for (int n = 0; n < 2 && k->race->visited; n++)
        if (k->race->shared[n].units)
            each(&k->race->shared[n], k->race->shared[n].units, false, forget);
    k->race->visited = false;
    k->race->next = e->races;
    e->races = k->race;
}

/* Whole pages of the records of units [from, end) become zeros. */
static void forget_units(struct shadow *s, size_t from, size_t end)
{
    uintptr_t page = pages_bytes();
    const struct { void *at; size_t size; } arrays[] = {
#define ARRAY(p) {p, sizeof *p}
        ARRAY(s->write), ARRAY(s->read[0]), ARRAY(s->read[1]),
        ARRAY(s->value), ARRAY(s->done), ARRAY(s->many),
        ARRAY(s->first[0]), ARRAY(s->first[1]), ARRAY(s->first[2]),
        ARRAY(s->first[3]), ARRAY(s->last[0]), ARRAY(s->last[1]),
        ARRAY(s->last[2]), ARRAY(s->last[3]),
#undef ARRAY
    };
    _Static_assert(RACE_CLASSES == 4, "first and last, by class");
    end = end < s->units ? end : s->units;
    for (size_t n = 0; from < end && n < sizeof arrays / sizeof *arrays; n++) {
        uintptr_t at = (uintptr_t)arrays[n].at;
        uintptr_t lo = (at + from * arrays[n].size + page - 1) / page * page;
        uintptr_t hi = (at + end * arrays[n].size) / page * page;
        if (lo < hi)
            pages_drop((void *)lo, hi - lo);
    }
}

void race_forget(void *engine, uint64_t address, uint64_t end)
{
    size_t from = (size_t)(address - DEVICE_BASE);
    size_t to = (size_t)(end - DEVICE_BASE);
    for (struct race *r = ((struct engine *)engine)->races; r; r = r->next) {
        forget_units(&r->global[0], (from + RACE_WORD - 1) / RACE_WORD,
                     to / RACE_WORD);
        forget_units(&r->global[1], from, to);
    }
}

void race_engine_close(struct engine *e)
{
    while (e->races) {
        struct race *r = e->races;
        e->races = r->next;
        each_shadow(r, unmap);
        free(r->begun);
        free(r);
    }
}

/* A launch ---------------------------------------------------------------- */

static bool is_fence(const struct inst *i)
{
    return i->detail && (i->detail->fence || i->detail->access.release);
}

static bool is_narrow(const struct inst *i)
{
    const struct access_form *f = i->detail ? &i->detail->access : NULL;
    return f && f->site && (uint32_t)f->size * f->n < RACE_WORD;
}

static bool is_volatile_store(const struct inst *i)
{
    const struct access_form *f = i->detail ? &i->detail->access : NULL;
    return f && f->is_volatile && f->kind == ACCESS_STORE;
}

/* In the kernel or what it may call; other kernels' code is none of it. */
static bool any_inst(const struct kernel *k,
                     bool (*is)(const struct inst *i))
{
    for (size_t n = 0; n < k->module->n_functions; n++) {
        const struct function *f = &k->module->functions[n];
        for (size_t i = 0; i < f->n_insts; i++)
            if ((f == k->function || !f->is_entry) && is(&f->insts[i]))
                return true;
    }
    return false;
}

/* Does the code wait for a flag, and take data? In two functions, perhaps. */
static bool passes_messages(const struct kernel *k)
{
    bool awaits = false, takes = false;
    for (size_t n = 0; n < k->module->n_functions; n++) {
        const struct function *f = &k->module->functions[n];
        awaits |= (f == k->function || !f->is_entry) && f->awaits;
        takes |= (f == k->function || !f->is_entry) && f->takes;
    }
    return awaits && takes;
}

bool race_open(struct run *r)
{
    if (!(r->checks & CHECK_RACES) || r->n_blocks >= UINT32_MAX)
        return false;
    bool fenced = any_inst(r->kernel, is_fence) || r->launch->cooperative ||
                  r->cluster_blocks > 1;
    r->race_mode = fenced ? RACES_FENCED : RACES_APART;
    r->narrow = any_inst(r->kernel, is_narrow);
    r->takes_turns = any_inst(r->kernel, is_volatile_store);
    r->early = r->launch->dependent && race_overlaps(r);
    race_reaches(r);
    if (SEES_UNFENCED && r->n_blocks > 1 && passes_messages(r->kernel))
        race_unfenced_open(r);
    if (r->race_mode == RACES_APART)
        return true;
    race_order_open(r);
    race_fenced_open(r);
    return true;
}

void race_resume(struct run *r)
{
    if (r->race_mode == RACES_FENCED)
        race_fenced_grow(r);
    for (unsigned n = 0; r->races && r->race_mode == RACES_APART &&
                         n < atomic_load(&r->opened); n++)
        grow_global(&r->workers[n]);
}

void race_close(struct run *r)
{
    if (SEES_UNFENCED)
        race_unfenced_close(r);
    if (r->race_mode != RACES_FENCED)
        return;
    race_fenced_close(r);
    race_order_close(r);
}

/* Who --------------------------------------------------------------------- */

static const struct inst *inst_at(const struct module *m, uint64_t tag,
                                  const struct function **function)
{
    uint64_t site = tag & SITE_MASK;
    if (m->sites && site <= m->n_sites) {
        *function = m->sites[site].function;
        return m->sites[site].inst;
    }
    for (size_t f = 0; f < m->n_functions; f++)
        for (size_t n = 0; n < m->functions[f].n_insts; n++) {
            const struct inst *i = &m->functions[f].insts[n];
            const struct detail *t = i->detail;
            *function = &m->functions[f];
            if (t && site && (t->access.site == site ||
                              (t->from && t->from->site == site)))
                return i;
        }
    return NULL;
}

const struct inst *race_inst(const struct run *r, uint64_t tag,
                             const struct function **function)
{
    return inst_at(r->kernel->module, tag, function);
}

static const struct access_form *form_in(const struct module *m, uint64_t tag)
{
    if (m->sites && (tag & SITE_MASK) <= m->n_sites)
        return m->sites[tag & SITE_MASK].form;
    const struct function *f;
    const struct inst *i = inst_at(m, tag, &f);
    if (!i)
        return NULL;
    bool is_source = i->detail->access.site != (tag & SITE_MASK);
    return is_source ? i->detail->from : &i->detail->access;
}

const struct access_form *race_form(const struct run *r, uint64_t tag)
{
    return form_in(r->kernel->module, tag);
}

/* Of a free the piece's size is not known. */
void race_site_form(const struct module *m, uint64_t tag, struct site *at)
{
    const struct access_form *f = form_in(m, tag);
    at->write = tag >> TAG_CLASS & RACE_WRITE;
    if (!f)
        return;
    at->frees = f->kind == ACCESS_FREE;
    at->atomic = f->kind == ACCESS_ATOMIC;
    at->bytes = at->frees ? 0 : (uint32_t)f->size * f->n;
}

void race_bytes(struct finding *x)
{
    uint64_t all = x->array_bytes < UINT32_MAX ? x->array_bytes : UINT32_MAX;
    x->bytes = x->at.frees   ? (uint32_t)all
               : x->at.bytes ? x->at.bytes : RACE_WORD;
}

const struct source *race_source(const struct module *m, uint64_t tag)
{
    const struct function *f = NULL;
    const struct inst *i = inst_at(m, tag, &f);
    return i ? finding_source(f, i) : NULL;
}

struct site race_site_of(const struct run *r, uint64_t tag)
{
    const struct function *f = NULL;
    const struct inst *i = inst_at(r->kernel->module, tag, &f);
    const uint32_t *n = r->launch->block;
    uint32_t t = tag_thread(tag);
    struct site at = {.file = NULL};
    if (i)
        at = finding_site(finding_source(f, i));
    race_site_form(r->kernel->module, tag, &at);
    at.thread[0] = t % n[0];
    at.thread[1] = t / n[0] % n[1];
    at.thread[2] = t / n[0] / n[1];
    return at;
}

void race_name_shared(const struct run *r, uint64_t address,
                      struct finding *x)
{
    const struct kernel *k = r->kernel;
    for (size_t n = 0; n < k->n_shared; n++) {
        const struct variable *v = &k->shared[n];
        uint64_t bytes = v->dynamic ? r->shared_end - v->address : v->bytes;
        if (address - v->address >= bytes)
            continue;
        x->array = v->name;
        x->offset = (int64_t)(address - v->address);
        x->array_bytes = bytes;
    }
}

/* PTX does not ask programs to be free of data races. Whoever reads what two
 * stores of one size wrote gets one of the two values; its axioms leave out
 * races of different sizes. C++ calls both undefined. */
const char *race_equal_words(const struct run *r, uint64_t now,
                             uint64_t before)
{
    const struct access_form *a = race_form(r, now), *b = race_form(r, before);
    return a && b && a->size != b->size
               ? "both write the same value in pieces of different sizes, "
                 "which neither PTX nor C++ defines"
               : "both write the same value: PTX defines what is there then, "
                 "C++ does not";
}

/* Of two accesses of one block. */
void race_accuse(const struct access *a, int lane, uint64_t address,
                 uint64_t before, enum finding_kind kind)
{
    struct run *r = run_of(a->warp);
    struct worker *k = a->warp->worker;
    struct hit hit = {hit_pair(kind, a->form->site, before & SITE_MASK),
                      address, a->warp->block->index,
                      a->warp->index * LANES + (uint32_t)lane, k->order};
    if (found_again(k, &hit))
        return;
    struct finding x = {.space = a->space, .address = address,
                        .bytes = a->bytes};
    if (a->space == PTX_SPACE_SHARED)
        race_name_shared(r, address, &x);
    else
        place_about_global(r->engine, address, &x);
    x.other = race_site_of(r, before);
    if (kind == FIND_EQUAL_WRITES)
        snprintf(x.detail, sizeof x.detail, "%s",
                 race_equal_words(r, a->form->site, before));
    else if (before >> TAG_STAMP == STAMP_UNDER_WAY && !x.other.write)
        snprintf(x.detail, sizeof x.detail,
                 "its asynchronous copy may still read that");
    else
        race_why(a->warp, a->warp->block->index, before, x.detail,
                 sizeof x.detail);
    access_finding(a, lane, kind, &x);
    found_remember(k, &hit);
}

const struct observer race_observer = {
    .open = race_worker_open, .close = race_worker_close,
    .block = race_block_begins, .access = race_access,
    .release = race_release, .acquire = race_acquire, .sync = race_sync,
    .arrive = race_arrives, .barrier = race_barrier, .fence = race_fence,
    .arrives_at = race_arrives_at, .lands = race_lands,
    .complete = race_complete, .wait = race_wait, .ended = race_ended,
};
