// SPDX-License-Identifier: MIT
/*
 * race_streams.c: races in global memory between kernels, copies, memsets and
 * frees of streams that nothing orders.
 *
 *   race_overlaps   a launch begins beside another
 *   race_report     a launch has ended: its blocks' races, and what it did
 *                   goes into the ledger
 *   engine_touch    the same for a copy, a memset or a free
 *   engine_findings, engine_forget_findings
 *
 * The accesses of a launch are those that the race detector has written down
 * for its blocks; nothing is noted a second time while a kernel runs. What
 * kernels with fences tell each other by atomics orders them; and a kernel that
 * writes so to memory of the host may have told the host.
 */
#include "streams.h"

#include "simgpu/core/access/place.h"
#include "simgpu/core/memory/own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 16 }; /* more than the history of a byte */

/* Whose accesses are looked at: a launch's, or those of other work, to so many
 * bytes. */
struct work_done {
    struct engine *engine;
    struct streams *streams;
    uint64_t bytes;
    struct worker *workers; /* NULL: no launch's; what follows is a launch's */
    int n;
    bool fenced;
    bool tells;             /* the host may see a message in its memory */
    uint32_t units;         /* of the page that is looked at */
    struct deeds *deeds;
    struct pair {           /* the latest hits */
        uint64_t tag, place;
        struct seen before;
    } pair[PAIRS];
    unsigned pairs;
};

static void unit_at(const struct work_done *w, size_t unit, unsigned classes,
                    struct race_unit *x)
{
    int narrow = w->units == LEDGER_PAGE;
    if (w->fenced)
        race_fenced_unit(w->workers->run, narrow, unit, x);
    else
        race_blocks_unit(w->workers, w->n, narrow, unit, classes, x);
}

/* Accusations ------------------------------------------------------------- */

static bool frees(const struct work *w)
{
    return !w->kernel && (strncmp(w->name, "cudaFree", 8) == 0 ||
                          strcmp(w->name, "cudaHostUnregister") == 0);
}

static void describe_other(struct finding *x, const struct streams *s,
                           struct seen before)
{
    const struct work *w = &s->works[before.work];
    const struct source *at =
        w->kernel ? race_source(w->kernel->module, before.site) : NULL;
    x->other.write = before.site >> TAG_CLASS & RACE_WRITE;
    x->other.frees = frees(w);
    if (w->kernel)
        race_site_form(w->kernel->module, before.site, &x->other);
    x->other.file = at ? at->file : NULL;
    x->other.line = at ? at->line : 0;
    x->other_kernel = w->name;
    x->other_stream = w->stream;
    x->stream = s->works[s->work].stream;
}

/* Of this kernel the last one who touched the place. */
static uint64_t tag_at(const struct work_done *w, uint64_t address,
                       unsigned class)
{
    struct race_unit unit;
    unit_at(w, (address - DEVICE_BASE) / (LEDGER_PAGE / w->units), 1u << class,
            &unit);
    return unit.tag[class];
}

/* Did the same two accesses hit each other at another byte? Of two copies each
 * word counts. */
static bool is_counted(struct work_done *w, uint64_t tag, uint64_t address,
                       struct seen before, uint32_t other)
{
    uint32_t mine = w->workers ? race_width(w->workers->run, tag) : 0;
    uint32_t width = !mine || (other && other < mine) ? other : mine;
    struct pair x = {tag, address / (width ? width : RACE_WORD), before};
    for (unsigned n = 0; n < w->pairs && n < PAIRS; n++)
        if (w->pair[n].tag == x.tag && w->pair[n].place == x.place &&
            w->pair[n].before.work == before.work &&
            w->pair[n].before.site == before.site)
            return true;
    w->pair[w->pairs++ % PAIRS] = x;
    return false;
}

static void accuse_kernel(const struct work_done *w, uint64_t tag,
                          struct finding *x)
{
    const struct run *run = w->workers->run;
    x->at = race_site_of(run, tag);
    race_bytes(x);
    race_block_at(run->launch->grid, (tag >> TAG_STAMP) - 1, x->block);
    found_add(w->workers, x, 0);
}

static void accuse(void *context, uint64_t address, unsigned class,
                   struct seen before)
{
    struct work_done *w = context;
    struct streams *s = w->streams;
    struct finding x = {.kind = FIND_RACE, .space = PTX_SPACE_GLOBAL,
                        .kernel = s->works[s->work].name, .count = 1,
                        .address = address,
                        .at = {.write = class & RACE_WRITE,
                               .frees = frees(&s->works[s->work])}};
    uint64_t tag = w->workers ? tag_at(w, address, class) : 0;
    describe_other(&x, s, before);
    if (is_counted(w, tag, address, before, x.other.bytes))
        return;
    place_about_global(w->engine, address, &x);
    if (before.work == s->primary && streams_before(s, before.work))
        snprintf(x.detail, sizeof x.detail, "that kernel may still run, until "
                 "this one calls cudaGridDependencySynchronize()");
    if (w->workers) {
        accuse_kernel(w, tag, &x);
        return;
    }
    x.bytes = w->bytes < UINT32_MAX ? (uint32_t)w->bytes : UINT32_MAX;
    if (!s->found)
        s->found = own_not_null(calloc(1, sizeof *s->found));
    found_put(s->found, &x);
}

/* Launches ---------------------------------------------------------------- */

/* Classes of access to a page, a bit each; and how finely it must be looked
 * at. */
static unsigned touched(struct work_done *w, size_t page)
{
    const struct run *run = w->workers->run;
    unsigned bytes = 0, how;
    if (w->fenced) {
        how = race_fenced_touched(run, page);
        w->units = how & 2 ? LEDGER_PAGE : RACE_GROUP;
        return how;
    }
    for (unsigned k = 0; run->narrow && k < RACE_WORD; k++)
        bytes |= race_blocks_touched(w->workers, w->n, 1,
                                     page * RACE_WORD + k);
    w->units = bytes ? LEDGER_PAGE : RACE_GROUP;
    return bytes | race_blocks_touched(w->workers, w->n, 0, page);
}

static uint16_t add_deed(struct deeds *all, const struct race_unit *x)
{
    struct deed d = {.known = !x->many};
    for (unsigned class = 0; class < RACE_CLASSES; class++) {
        d.classes |= x->tag[class] ? 1u << class : 0;
        d.site[class] = (uint32_t)(x->tag[class] & (TAG_EARLY | SITE_MASK));
    }
    return d.classes ? deeds_add(all, &d) : 0;
}

/* The page's deeds; false: there is none. */
static bool gather(const struct work_done *w, size_t page, unsigned classes)
{
    struct deeds *all = w->deeds;
    all->units = w->units;
    all->n = 0;
    for (uint32_t k = 0; k < w->units; k++) {
        struct race_unit x;
        unit_at(w, page * w->units + k, classes, &x);
        all->which[k] = add_deed(all, &x);
        all->value[k] = x.value;
    }
    return all->n;
}

static unsigned all_classes(const struct deeds *x)
{
    unsigned classes = 0;
    for (uint32_t k = 1; k <= x->n; k++)
        classes |= x->deed[k].classes;
    return classes;
}

/* Races are looked for in the program's memory alone, not in the engine's own
 * (the heap, a grid's barrier). */
static bool is_programs(const struct work_done *w, const struct allocation *a)
{
    struct finding x = {0};
    if (a)
        place_about_global(w->engine, a->address, &x);
    return x.allocation || x.array;
}

/* The one allocation that has bytes in the page, which has a deed. */
static const struct allocation *allocation_of(const struct work_done *w,
                                              uint64_t page)
{
    uint32_t k = 0, bytes = LEDGER_PAGE / w->units;
    while (!w->deeds->which[k])
        k++;
    return memory_find(&w->engine->memory, page + k * bytes);
}

typedef void with_page(struct work_done *w, uint64_t address,
                       const struct allocation *a);

static void look(struct work_done *w, uint64_t address,
                 const struct allocation *a)
{
    bool strong = all_classes(w->deeds) & 1u << RACE_STRONG_WRITE;
    w->tells |= strong && a->kind != ALLOCATION_PLAIN;
    ledger_page(w->streams, address, w->deeds, accuse, w);
}

static void listen(struct work_done *w, uint64_t address,
                   const struct allocation *a)
{
    uint32_t heard = ledger_signal(w->streams, address, w->deeds);
    (void)a;
    if (heard)
        streams_saw(w->streams, heard);
}

static void do_page(struct work_done *w, size_t page, unsigned classes,
                    with_page *what)
{
    uint64_t address = DEVICE_BASE + page * LEDGER_PAGE;
    if (!gather(w, page, classes))
        return;
    const struct allocation *a = allocation_of(w, address);
    if (is_programs(w, a))
        what(w, address, a);
}

/* One that may have been touched; end: none. */
static size_t next_page(const struct work_done *w, size_t page, size_t end)
{
    const struct run *run = w->workers->run;
    return w->fenced || run->narrow
               ? page : race_blocks_next(w->workers, w->n, 0, page, end);
}

static void each_page(struct work_done *w, with_page *what)
{
    const struct run *run = w->workers->run;
    size_t n = w->fenced ? race_fenced_groups(run)
                         : race_blocks_groups(w->workers, w->n, 0);
    struct reach x = {.of = &w->engine->memory};
    while (race_reach(&x, LEDGER_PAGE))
        for (size_t page = x.from, end = x.end < n ? x.end : n;
             (page = next_page(w, page, end)) < end; page++) {
            unsigned classes = touched(w, page);
            if (classes)
                do_page(w, page, classes, what);
        }
}

static void race_streams_report(struct worker *workers, int n)
{
    const struct run *run = workers->run;
    struct streams *s = run->engine->streams;
    struct work_done w = {.engine = run->engine, .streams = s,
                          .workers = workers, .n = n,
                          .fenced = run->race_mode == RACES_FENCED};
    if (!s->work || run->fault || run->race_mode == RACES_OFF)
        return;
    w.deeds = own_not_null(malloc(sizeof *w.deeds));
    s->works[s->work].kernel = run->kernel;
    s->works[s->work].name = run->kernel->info.name;
    s->works[s->work].fenced = w.fenced;
    if (w.fenced)
        each_page(&w, listen);
    each_page(&w, look);
    if (w.tells)
        streams_told(s);
    s->work = 0;
    free(w.deeds);
}

bool race_overlaps(const struct run *r)
{
    return streams_overlap(r->engine->streams);
}

void race_report(struct worker *workers, int n)
{
    race_streams_report(workers, n);
    if (workers->run->race_mode == RACES_APART)
        race_blocks_report(workers, n);
}

/* Other work -------------------------------------------------------------- */

static void touch(struct engine *engine, uint64_t address, size_t n,
                  enum race_class class, const uint32_t *value)
{
    struct streams *s = engine->streams;
    struct work_done w = {.engine = engine, .streams = s, .bytes = n};
    struct deed d = {.classes = 1u << class, .known = value != NULL};
    if (s->work && n)
        ledger_range(s, address, n, &d, value ? *value : 0, accuse, &w);
}

void engine_touch(struct engine *engine, uint64_t address, size_t n, bool write,
                  const uint32_t *value)
{
    touch(engine, address, n, write ? RACE_WRITE : RACE_READ, value);
}

void engine_touch_signal(struct engine *engine, uint64_t address, size_t n)
{
    struct streams *s = engine->streams;
    if (s->work)
        s->works[s->work].fenced = true;
    touch(engine, address, n, RACE_STRONG_WRITE, NULL);
}

size_t engine_findings(const struct engine *engine,
                       const struct finding **list)
{
    const struct found *f = engine->streams->found;
    *list = f ? f->list : NULL;
    return f ? f->n : 0;
}

void engine_forget_findings(struct engine *engine)
{
    free(engine->streams->found);
    engine->streams->found = NULL;
}
