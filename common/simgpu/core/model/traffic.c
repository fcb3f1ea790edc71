// SPDX-License-Identifier: MIT
/*
 * traffic.c: what a multiprocessor does, instruction by instruction.
 * Interface: traffic.h.
 *
 * A sampled launch runs only the blocks that one multiprocessor would get, as
 * many at a time as it holds. Their warps run in turn, up to one global request
 * each, so that L1 sees the order that a real one sees. If there are enough
 * blocks, the first ones warm the caches and are not counted. The very first
 * runs alone: if it is long, its loop fills the caches by itself, and it
 * represents the others. What an access costs is traffic_access.c's.
 */
#include "traffic.h"

#include <stdlib.h>
#include <string.h>

#include "simgpu/core/state/finding.h"
#include "model.h"

enum {
    WAVES = 3,       /* of blocks: with so many the first is not counted */
    ENOUGH = 1000 * 1000, /* instructions to judge a sampled launch by */
    QUANTUM = 256,   /* instructions of a warp before the next one runs */
    CONSTANTS_NEAR = 2048, /* bytes of constants that are there in 33 clocks on
                        an H200, and not in 104: caches.cu */
};

static void *allocate(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p)
        abort();
    return p;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Opening ------------------------------------------------------------------ */

/* Blocks that a multiprocessor holds. */
static int resident_blocks(const struct run *r)
{
    const struct launch *l = r->launch;
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    return model_resident(r->engine->config.gpu,
                          (int)((threads + LANES - 1) / LANES),
                          l->registers ? l->registers : MODEL_REGISTERS,
                          r->kernel->info.static_shared + l->dynamic_shared);
}

static struct traffic *open_traffic(const struct run *r)
{
    const struct launch *l = r->launch;
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    struct traffic *t = allocate(1, sizeof *t);
    t->by_class = allocate(ISSUE_CLASSES, sizeof *t->by_class);
    t->grid_blocks = r->n_blocks;
    t->warps = (int)((threads + LANES - 1) / LANES);
    t->shared_bytes = r->kernel->info.static_shared + l->dynamic_shared;
    t->registers = l->registers ? l->registers : MODEL_REGISTERS;
    t->resident = resident_blocks(r);
    t->arrays = allocate(r->engine->memory.n + 1, sizeof *t->arrays);
    t->events = allocate(l->trace_events, sizeof *t->events);
    return t;
}

/* Multiprocessors; or what as many of them as a cluster has blocks make
 * together. */
uint64_t traffic_groups(const struct run *r)
{
    uint64_t sms = (uint64_t)r->engine->config.gpu->sms;
    return sms > r->cluster_blocks ? sms / r->cluster_blocks : 1;
}

/* Multiprocessors that get a block. */
static size_t busy_sms(const struct run *r)
{
    size_t sms = (size_t)r->engine->config.gpu->sms;
    return r->n_blocks < sms ? (size_t)r->n_blocks : sms;
}

/* slots: blocks that run at a time. */
static struct traffic_probe *open_probe(const struct run *r, uint32_t slots)
{
    const struct gpu_model *gpu = r->engine->config.gpu;
    struct traffic_probe *t = allocate(1, sizeof *t);
    t->run = r;
    t->traffic = open_traffic(r);
    t->functions = allocate(r->kernel->module->n_functions,
                            sizeof *t->functions);
    t->l1 = allocate((size_t)gpu->sms, sizeof *t->l1);
    t->l1_bytes = model_l1(gpu, t->traffic->resident,
                           t->traffic->shared_bytes);
    size_t share = gpu->l2_bytes / (r->launch->sample ? busy_sms(r) : 1);
    cache_open(&t->constants, CONSTANTS_NEAR);
    cache_open(&t->l2, share);
    cache_open(&t->fetched, share);
    dirty_open(&t->dirty, share);
    t->contention = contention_open();
    t->began = r->engine->clock;
    t->spills = traffic_spills(r);
    t->slots = allocate(slots, sizeof *t->slots);
    t->n_slots = slots;
    uint64_t mine = run_clusters(r) / traffic_groups(r);
    uint32_t at_once = r->cluster_blocks > 1 ? 1 : slots;
    if (r->launch->sample && mine >= WAVES * at_once)
        t->warm = at_once;
    return t;
}

/* Blocks of one multiprocessor. */
static uint64_t blocks_of_one(const struct run *r)
{
    uint64_t sms = traffic_groups(r), units = run_clusters(r);
    return (units + sms - 1) / sms;
}

static bool has_atomics(const struct module *m)
{
    for (uint32_t n = 1; m->sites && n <= m->n_sites; n++)
        if (m->sites[n].form && m->sites[n].form->kind == ACCESS_ATOMIC)
            return true;
    return false;
}

/* Whether all blocks meet at one word, a multiprocessor's only block cannot
 * tell: another one runs, of which nothing is counted. */
static bool wants_stranger(const struct run *r)
{
    return r->launch->sample && blocks_of_one(r) == 1 && r->n_blocks > 1 &&
           r->cluster_blocks == 1 && has_atomics(r->kernel->module);
}

/* How many blocks run at most of a sampled launch: those that one
 * multiprocessor gets, and if that is a single one that has atomics, a
 * stranger. */
static uint64_t sampled_blocks(const struct run *r)
{
    return blocks_of_one(r) + wants_stranger(r);
}

/* Back to nothing counted; arrays keep their names. */
static void forget_counts(struct traffic_probe *p)
{
    struct traffic *t = p->traffic, kept = *t;
    const struct module *m = p->run->kernel->module;
    *t = (struct traffic){
        .by_class = kept.by_class, .arrays = kept.arrays,
        .n_arrays = kept.n_arrays, .events = kept.events,
        .n_events = kept.n_events, .grid_blocks = kept.grid_blocks,
        .warps = kept.warps, .resident = kept.resident,
        .registers = kept.registers, .shared_bytes = kept.shared_bytes};
    memset(t->by_class, 0, ISSUE_CLASSES * sizeof *t->by_class);
    contention_forget(p->contention);
    for (size_t k = 0; k < t->n_arrays; k++) {
        t->arrays[k].read_sectors = t->arrays[k].write_sectors = 0;
        t->arrays[k].apart_sectors = 0;
        t->arrays[k].requests = t->arrays[k].spans = 0;
        t->arrays[k].blocks = t->arrays[k].block_spans = 0;
    }
    for (size_t f = 0; f < m->n_functions; f++)
        if (p->functions[f].tally)
            memset(p->functions[f].tally, 0,
                   m->functions[f].n_insts * sizeof(struct tally));
}

/* Whether fewer are enough. */
static bool is_enough(const struct worker *k)
{
    struct traffic_probe *p = k->run->probe;
    const struct traffic *t = p->traffic;
    bool first = k->order == 0;
    if (k->run->launch->fair)
        return false;
    if (t->instructions >= ENOUGH)
        return first || t->blocks >= (uint64_t)t->resident;
    if (first && p->warm)
        forget_counts(p);
    return false;
}

/* The order-th block of those that run -> its number in the grid.
 * Every sms-th block, near enough: one more than that, so that where the work
 * of a block depends on its index modulo something, every kind is met. From
 * the middle of the grid; if all of it is resident at once, from the first. */
static uint64_t nth_block(const struct run *r, uint64_t order)
{
    uint64_t sms = traffic_groups(r), units = run_clusters(r);
    bool at_once = blocks_of_one(r) <= (uint64_t)r->probe->traffic->resident;
    if (!r->launch->sample)
        return order;
    if (order >= blocks_of_one(r))
        return units - 1; /* the stranger */
    if (at_once)
        return order * (sms + 1) % units;
    return (units / 2 + order * (sms + 1)) % units;
}

/* Is this number one of theirs? */
static bool is_sampled(const struct run *r, uint64_t block)
{
    for (uint64_t order = 0; order < sampled_blocks(r); order++)
        if (nth_block(r, order) == block)
            return true;
    return false;
}

static void close_probe(struct traffic_probe *t)
{
    const struct module *m = t->run->kernel->module;
    for (size_t f = 0; f < m->n_functions; f++)
        free(t->functions[f].tally);
    for (int s = 0; s < t->run->engine->config.gpu->sms; s++)
        if (t->l1[s].line)
            cache_close(&t->l1[s]);
    for (uint32_t s = 0; s < t->n_slots; s++) {
        swaps_close(&t->slots[s].swaps);
        for (int n = 0; n < MAX_WARPS; n++)
            scoreboard_close(&t->slots[s].scoreboard[n]);
    }
    cache_close(&t->constants);
    cache_close(&t->l2);
    cache_close(&t->fetched);
    dirty_close(&t->dirty);
    contention_close(t->contention);
    free(t->functions);
    free(t->l1);
    free(t->slots);
    free(t);
}

/* Blocks ------------------------------------------------------------------- */

static void block_begins(struct worker *k)
{
    struct traffic_slot *s = &k->run->probe->slots[k->slot];
    k->stranger = k->guest || (wants_stranger(k->run) && k->order > 0);
    if (k->stranger)
        return;
    s->counted = k->order == 0 || k->order >= k->run->probe->warm;
    memset(s->meeting, 0, sizeof s->meeting);
    memset(s->spilled, 0, sizeof s->spilled);
    s->met = (struct traffic_meeting){0};
    swaps_forget(&s->swaps);
    for (uint32_t n = 0; n < k->block.n_warps; n++) {
        scoreboard_begin(&s->scoreboard[n], k->run->kernel->function,
                         traffic_free_registers(k->run));
        merge_begin(&s->merge[n]);
    }
}

/* A warp comes to a barrier, and will have waited there for what a barrier
 * takes, as its stretch ends (scoreboard.c). */
static void arrives(struct warp *w, uint32_t mask, struct barrier *x)
{
    if (w->worker->stranger)
        return;
    struct traffic_slot *s = &run_of(w)->probe->slots[w->worker->slot];
    struct scoreboard *p = &s->scoreboard[w->index];
    struct traffic_meeting *m = &s->meeting[x - w->block->barriers];
    uint64_t at = scoreboard_reached(p);
    (void)mask;
    m->at = later(m->at, at);
    m->least = later(m->least, at - p->waited);
}

/* No warp goes on before the last one came, nor all of them before the busiest
 * word of shared memory let everybody through. The warp at hand came last, and
 * its stretch is still to end; those of the others ended when they came. */
static void meet(struct block *b, struct barrier *x, uint32_t waiting)
{
    if (b->warps[0].worker->stranger)
        return;
    struct traffic_probe *t = run_of(&b->warps[0])->probe;
    struct traffic_slot *s = &t->slots[b->warps[0].worker->slot];
    struct traffic_meeting m = s->meeting[x - b->barriers];
    s->meeting[x - b->barriers] = (struct traffic_meeting){0};
    if (x->arrived >= b->live) {
        m.at = later(m.at, s->met.at + swaps_busiest(&s->swaps));
        m.least = later(m.least, s->met.least + swaps_busiest(&s->swaps));
        swaps_forget(&s->swaps);
        s->met = m;
    }
    for (uint32_t n = 0; n < b->n_warps; n++) {
        bool ended = s != t->slot || n != t->warp;
        uint32_t more = ended ? issue_clocks(ISSUE_BARRIER) : 0;
        if (waiting >> n & 1)
            scoreboard_meet(&s->scoreboard[n], m.at + more, m.least + more);
    }
}

/* How far what a block touched lies apart, array by array. */
static void note_extents(struct traffic *t, struct traffic_slot *s)
{
    for (size_t k = 0; k < t->n_arrays && k < TRAFFIC_EXTENTS; k++) {
        if (!s->extent[k].any)
            continue;
        t->arrays[k].blocks++;
        t->arrays[k].block_spans += s->extent[k].last - s->extent[k].first;
    }
    memset(s->extent, 0, sizeof s->extent);
}

static void block_ends(struct worker *k)
{
    if (k->stranger)
        return;
    struct traffic_slot *s = &k->run->probe->slots[k->slot];
    note_extents(k->run->probe->traffic, s);
    uint64_t slowest = s->met.at + swaps_busiest(&s->swaps);
    uint64_t least = s->met.least + swaps_busiest(&s->swaps);
    for (uint32_t n = 0; n < k->block.n_warps; n++) {
        const struct scoreboard *p = &s->scoreboard[n];
        slowest = later(slowest, p->latest);
        least = later(least, p->latest - p->waited);
    }
    s->start += slowest;
    if (!s->counted)
        return;
    k->run->probe->traffic->blocks++;
    k->run->probe->traffic->alone_clocks += slowest;
    k->run->probe->traffic->alone_waited += slowest - least;
    if (slowest > k->run->probe->traffic->alone_most)
        k->run->probe->traffic->alone_most = slowest;
}

/* Instructions ------------------------------------------------------------- */

static struct tally *tally_of(struct traffic_probe *t, const struct function *f,
                              const struct inst *i)
{
    struct traffic_function *to = &t->functions[f - f->module->functions];
    if (!to->tally)
        to->tally = allocate(f->n_insts, sizeof *to->tally);
    return &to->tally[i - f->insts];
}

static void count(struct traffic_probe *t, unsigned lanes)
{
    const struct form_work *work =
        t->source->form ? t->source->form->work : NULL;
    t->tally->issued++;
    t->tally->lanes += lanes;
    t->traffic->by_class[t->source->class]++;
    t->traffic->instructions++;
    t->traffic->lanes += lanes;
    t->traffic->issue_slots += issue_slots(work);
    if (work) {
        t->traffic->by_pipe[work->pipe] += work->ops;
        t->traffic->by_pipe[PIPE_special] += work->special;
    }
}

static void resume(struct warp *w)
{
    struct traffic_probe *t = run_of(w)->probe;
    t->slot = w->worker->stranger ? NULL : &t->slots[w->worker->slot];
    t->warp = w->index;
    t->asked = false;
    t->left = QUANTUM;
}

static bool pauses(struct warp *w)
{
    struct traffic_probe *t = run_of(w)->probe;
    return t->asked || t->left-- == 0;
}

void traffic_wait(struct traffic_probe *t, bool ahead)
{
    if (!t->counted)
        return;
    t->traffic->waits++;
    t->traffic->waits_ahead += ahead;
}

static void issue(struct warp *w, const struct inst *i, uint32_t mask)
{
    static struct tally nowhere; /* what does not count goes here */
    struct traffic_probe *t = run_of(w)->probe;
    const struct function *f = w->leaf->frame->function;
    bool waits = w->worker->stranger || w->spin.sure;
    t->source = finding_source(f, i);
    t->counted = !waits && t->slot->counted;
    t->board = f == t->run->kernel->function && !waits
                   ? &t->slot->scoreboard[w->index] : NULL;
    t->at = t->board ? scoreboard_issue(t->board, i, t->source) : 0;
    t->tally = t->counted ? tally_of(t, f, i) : &nowhere;
    t->latency = t->port = t->pause = t->done = 0;
    t->apart = false;
    t->mask = mask;
    t->polls = false;
    if (t->board && t->spills > 0)
        traffic_spill(t, w, mask);
    if (t->board && t->source->form &&
        t->source->form->flags & FORM_WAITS)
        traffic_wait(t, scoreboard_left(t->board, i));
    if (t->counted)
        count(t, (unsigned)__builtin_popcount(mask));
}

static void issued(struct warp *w, const struct inst *i)
{
    struct traffic_probe *t = run_of(w)->probe;
    if (t->board && t->polls && t->source->form)
        scoreboard_poll(t->board, i, t->polled,
                        t->source->form->flags & FORM_FENCES, t->at,
                        t->at + t->latency);
    if (t->board)
        scoreboard_done(t->board, i, t->source, t->at, t->port, t->latency);
    if (!w->worker->stranger)
        traffic_pause(t, w, i);
}

static const struct observer observer = {
    .block = block_begins, .block_end = block_ends, .access = traffic_access,
    .arrive = arrives, .barrier = meet, .now = traffic_now,
    .resume = resume, .pauses = pauses, .issue = issue, .issued = issued,
};

/* A launch ----------------------------------------------------------------- */

void traffic_begin(struct run *r)
{
    bool fair = r->launch->fair && r->cluster_blocks == 1;
    uint32_t resident = (uint32_t)resident_blocks(r);
    uint64_t mine = fair ? r->n_blocks : sampled_blocks(r);
    if (fair)
        resident *= (uint32_t)r->engine->config.gpu->sms;
    if ((fair || r->launch->sample) && !r->launch->cooperative) {
        r->n_sampled = mine;
        r->n_slots = mine < resident ? (uint32_t)mine : resident;
    }
    if (r->cluster_blocks > 1) { /* one at a time, unless they wait */
        r->n_slots = r->cluster_blocks;
        resident *= r->cluster_blocks; /* of as many multiprocessors */
    }
    r->n_counted = resident;
    r->probe = open_probe(r, r->launch->cooperative ? (uint32_t)r->n_blocks
                                                    : resident);
    r->traffic = &observer;
    r->choose = nth_block;
    r->enough = is_enough;
    r->is_sampled = is_sampled;
}

struct traffic *traffic_end(struct run *r)
{
    struct traffic *seen = r->probe->traffic;
    traffic_finish(r->probe);
    close_probe(r->probe);
    return seen;
}
