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
 * represents the others.
 */
#include "traffic.h"

#include <stdlib.h>
#include <string.h>

#include "simgpu/core/access/bulk.h"
#include "simgpu/core/memory/cost.h"
#include "simgpu/core/state/finding.h"
#include "model.h"

enum {
    WAVES = 3,       /* of blocks: with so many the first is not counted */
    ENOUGH = 1000 * 1000, /* instructions to judge a sampled launch by */
    QUANTUM = 256,   /* instructions of a warp before the next one runs */
    /* Clocks from issue to use, as tests/hardware/rates.cu measured them on
     * an H200; used for every GPU. */
    CLOCKS_L1 = 32, CLOCKS_L2 = 280, CLOCKS_MEMORY = 658, CLOCKS_SHARED = 23,
    LINES_PER_CLOCK = 2, /* whose tags the load/store unit compares */
    BYTES_PER_CLOCK = 128,
};

static void *allocate(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p)
        abort();
    return p;
}

/* Opening ------------------------------------------------------------------ */

int traffic_resident(const struct run *r)
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
    t->resident = traffic_resident(r);
    t->arrays = allocate(r->engine->memory.n, sizeof *t->arrays);
    t->events = allocate(l->trace_events, sizeof *t->events);
    return t;
}

/* Multiprocessors; or what as many of them as a cluster has blocks make
 * together. */
static uint64_t groups_of(const struct run *r)
{
    uint64_t sms = (uint64_t)r->engine->config.gpu->sms;
    return sms > r->cluster_blocks ? sms / r->cluster_blocks : 1;
}

struct traffic_probe *traffic_open(const struct run *r, uint32_t slots)
{
    if (!(r->checks & CHECK_TRAFFIC))
        return NULL;
    const struct gpu_model *gpu = r->engine->config.gpu;
    struct traffic_probe *t = allocate(1, sizeof *t);
    t->run = r;
    t->traffic = open_traffic(r);
    t->functions = allocate(r->kernel->module->n_functions,
                            sizeof *t->functions);
    t->l1 = allocate((size_t)gpu->sms, sizeof *t->l1);
    t->l1_bytes = model_l1(gpu, t->traffic->resident,
                           t->traffic->shared_bytes);
    size_t share = gpu->l2_bytes / (r->launch->sample ? (size_t)gpu->sms : 1);
    cache_open(&t->l2, share);
    cache_open(&t->dirty, share);
    t->slots = allocate(slots, sizeof *t->slots);
    t->n_slots = slots;
    uint64_t mine = run_clusters(r) / groups_of(r);
    uint32_t at_once = r->cluster_blocks > 1 ? 1 : slots;
    if (r->launch->sample && mine >= WAVES * at_once)
        t->warm = at_once;
    return t;
}

uint64_t traffic_count(const struct run *r)
{
    uint64_t sms = groups_of(r), units = run_clusters(r);
    return (units + sms - 1) / sms;
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
    for (size_t k = 0; k < t->n_arrays; k++)
        t->arrays[k].read_sectors = t->arrays[k].write_sectors = 0;
    for (size_t f = 0; f < m->n_functions; f++)
        if (p->functions[f].tally)
            memset(p->functions[f].tally, 0,
                   m->functions[f].n_insts * sizeof(struct tally));
}

bool traffic_enough(const struct worker *k)
{
    struct traffic_probe *p = k->run->probe;
    const struct traffic *t = p->traffic;
    bool first = k->order == 0;
    if (t->instructions >= ENOUGH)
        return first || t->blocks >= (uint64_t)t->resident;
    if (first && p->warm)
        forget_counts(p);
    return false;
}

/* Every sms-th block, near enough: one more than that, so that where the work
 * of a block depends on its index modulo something, every kind is met. From
 * the middle of the grid; if all of it is resident at once, from the first. */
uint64_t traffic_index(const struct run *r, uint64_t order)
{
    uint64_t sms = groups_of(r), units = run_clusters(r);
    bool at_once = traffic_count(r) <= (uint64_t)r->probe->traffic->resident;
    if (!r->launch->sample)
        return order;
    if (at_once)
        return order * sms;
    return (units / 2 + order * (sms + 1)) % units;
}

void traffic_close(struct traffic_probe *t)
{
    if (!t)
        return;
    const struct module *m = t->run->kernel->module;
    for (size_t f = 0; f < m->n_functions; f++)
        free(t->functions[f].tally);
    for (int s = 0; s < t->run->engine->config.gpu->sms; s++)
        if (t->l1[s].line)
            cache_close(&t->l1[s]);
    for (uint32_t s = 0; s < t->n_slots; s++)
        for (int n = 0; n < MAX_WARPS; n++)
            scoreboard_close(&t->slots[s].scoreboard[n]);
    cache_close(&t->l2);
    cache_close(&t->dirty);
    free(t->functions);
    free(t->l1);
    free(t->slots);
    free(t);
}

/* Blocks ------------------------------------------------------------------- */

static void block_begins(struct worker *k)
{
    struct traffic_slot *s = &k->run->probe->slots[k->slot];
    s->counted = k->order == 0 || k->order >= k->run->probe->warm;
    for (uint32_t n = 0; n < k->block.n_warps; n++) {
        scoreboard_begin(&s->scoreboard[n], k->run->kernel->function);
        merge_begin(&s->merge[n]);
    }
}

static void block_ends(struct worker *k)
{
    struct traffic_slot *s = &k->run->probe->slots[k->slot];
    uint64_t slowest = 0;
    for (uint32_t n = 0; n < k->block.n_warps; n++)
        if (s->scoreboard[n].latest > slowest)
            slowest = s->scoreboard[n].latest;
    if (!s->counted)
        return;
    k->run->probe->traffic->blocks++;
    k->run->probe->traffic->alone_clocks += slowest;
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

/* Warp instructions that are issued for one of PTX: the operations of its pipe,
 * but for tensor cores and exchanges, whose operations are not instructions. */
static unsigned issue_slots(const struct form_work *work)
{
    bool one = !work || work->class == ISSUE_TENSOR ||
               work->class == ISSUE_EXCHANGE;
    return one ? 1 : work->ops;
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
    if (work)
        t->traffic->by_pipe[work->pipe] += work->ops;
}

static void resume(struct warp *w)
{
    struct traffic_probe *t = run_of(w)->probe;
    t->slot = &t->slots[w->worker->slot];
    t->warp = w->index;
    t->asked = false;
    t->left = QUANTUM;
}

static bool pauses(struct warp *w)
{
    struct traffic_probe *t = run_of(w)->probe;
    return t->asked || t->left-- == 0;
}

static void count_wait(struct traffic_probe *t, bool ahead)
{
    if (!t->slot->counted)
        return;
    t->traffic->waits++;
    t->traffic->waits_ahead += ahead;
}

static void issue(struct warp *w, const struct inst *i, uint32_t mask)
{
    static struct tally nowhere; /* what does not count goes here */
    struct traffic_probe *t = run_of(w)->probe;
    const struct function *f = w->leaf->frame->function;
    t->source = finding_source(f, i);
    t->board = f == t->run->kernel->function
                   ? &t->slot->scoreboard[w->index] : NULL;
    t->at = t->board ? scoreboard_issue(t->board, i, t->source) : 0;
    t->tally = t->slot->counted ? tally_of(t, f, i) : &nowhere;
    t->latency = t->port = 0;
    if (t->board && t->source->form &&
        t->source->form->flags & FORM_WAITS)
        count_wait(t, scoreboard_left(t->board, i));
    if (t->slot->counted)
        count(t, (unsigned)__builtin_popcount(mask));
}

static void issued(struct warp *w, const struct inst *i)
{
    struct traffic_probe *t = run_of(w)->probe;
    if (t->board)
        scoreboard_done(t->board, i, t->source, t->at, t->port, t->latency);
}

/* Accesses ----------------------------------------------------------------- */

struct lines { /* of one request */
    uint64_t line[LANES];
    uint8_t sectors[LANES];
    uint32_t n, n_sectors;
};

static void find_lines(struct lines *x, uint32_t mask, const uint64_t *addr)
{
    x->n = x->n_sectors = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint64_t a = addr[first_lane(rest)], line = a / CACHE_LINE;
        uint8_t sector = (uint8_t)(1u << a % CACHE_LINE / SECTOR);
        uint32_t k = x->n;
        while (k > 0 && x->line[k - 1] != line)
            k--;
        if (k == 0) {
            x->line[x->n] = line;
            x->sectors[x->n++] = 0;
            k = x->n;
        }
        x->n_sectors += !(x->sectors[k - 1] & sector);
        x->sectors[k - 1] |= sector;
    }
}

/* A line has four; processors of the base architecture count by a call. */
static uint32_t bits(uint8_t sectors)
{
    uint32_t pairs = (sectors & 5u) + (sectors >> 1 & 5u);
    return (pairs & 3) + (pairs >> 2);
}

static struct traffic_array *array_of(struct traffic_probe *t, uint64_t address)
{
    const struct memory *m = &t->run->engine->memory;
    const struct allocation *a = memory_find(m, address);
    struct traffic *to = t->traffic;
    if (!a)
        return NULL;
    for (size_t k = 0; k < to->n_arrays; k++)
        if (to->arrays[k].id == a->id)
            return &to->arrays[k];
    to->arrays[to->n_arrays] = (struct traffic_array){.id = a->id,
                                                      .bytes = a->bytes};
    return &to->arrays[to->n_arrays++];
}

/* The blocks of a sampled launch share one multiprocessor, or as many as their
 * cluster has blocks; else they are dealt out. */
static struct cache *l1_of(struct traffic_probe *t, const struct worker *k)
{
    uint64_t sms = t->run->launch->sample
                       ? t->run->cluster_blocks
                       : (uint64_t)t->run->engine->config.gpu->sms;
    struct cache *l1 = &t->l1[sms > 1 ? k->block.index % sms : 0];
    if (!l1->line)
        cache_open(l1, t->l1_bytes);
    return l1;
}

/* Loads of what L1 lacks; returns the sectors that L2 lacks too. */
static uint32_t read_l2(struct traffic_probe *t, uint64_t line, uint8_t sectors)
{
    uint8_t there = cache_touch(&t->l2, line, sectors);
    uint32_t lacks = bits(sectors & (uint8_t)~there);
    struct traffic_array *a =
        lacks ? array_of(t, line * CACHE_LINE +
                                SECTOR * (uint32_t)__builtin_ctz(sectors))
              : NULL;
    if (!t->slot->counted)
        return lacks;
    t->traffic->l2_read_sectors += bits(sectors);
    if (t->bulk)
        t->traffic->l2_bulk_sectors += bits(sectors);
    t->traffic->l2_hits += bits(there);
    if (a)
        a->read_sectors += lacks;
    return lacks;
}

static void load(struct traffic_probe *t, struct worker *k,
                 const struct lines *x, bool l1_too)
{
    struct cache *l1 = l1_of(t, k);
    uint32_t hits = 0, far = 0;
    for (uint32_t n = 0; n < x->n; n++) {
        uint8_t there =
            l1_too ? cache_touch(l1, x->line[n], x->sectors[n]) : 0;
        uint8_t lacks = x->sectors[n] & (uint8_t)~there;
        hits += bits(there);
        if (lacks)
            far += read_l2(t, x->line[n], lacks);
    }
    t->latency = far                     ? CLOCKS_MEMORY
                 : hits < x->n_sectors ? CLOCKS_L2 : CLOCKS_L1;
    t->tally->missed += x->n_sectors - hits;
    if (!t->slot->counted)
        return;
    t->traffic->l1_sectors += x->n_sectors;
    t->traffic->l1_hits += hits;
}

/* Written through to L2; a sector goes to memory once, when it leaves L2.
 * bytes: that are written. */
static void store(struct traffic_probe *t, const struct lines *x,
                  uint32_t bytes)
{
    uint32_t whole = bytes / SECTOR;
    if (t->slot->counted && whole < x->n_sectors)
        t->traffic->l2_partial_sectors += x->n_sectors - whole;
    for (uint32_t n = 0; n < x->n; n++) {
        uint8_t was = cache_touch(&t->dirty, x->line[n], x->sectors[n]);
        uint32_t fresh = bits(x->sectors[n] & (uint8_t)~was);
        cache_touch(&t->l2, x->line[n], x->sectors[n]);
        if (!t->slot->counted)
            continue;
        struct traffic_array *a =
            fresh ? array_of(t, x->line[n] * CACHE_LINE +
                                    SECTOR * (uint32_t)__builtin_ctz(
                                                 x->sectors[n]))
                  : NULL;
        t->traffic->l2_write_sectors += bits(x->sectors[n]);
        if (a)
            a->write_sectors += fresh;
    }
}

static uint32_t at_least(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* L1 uses shared memory's banks and has the same conflicts: an H200 takes 16
 * clocks for 16 bytes per lane, 64 bytes apart. A store takes at least one
 * clock per line, as Nsight counts (traffic-h200.csv, lsu_wavefronts). */
static uint32_t unit_clocks(const struct access *a, uint32_t lines)
{
    bool is_load = !a->form->write;
    uint32_t waves =
        access_wavefronts(a->addr, a->mask, a->bytes, access_merges(a))
            .wavefronts;
    if (!is_load)
        return waves + lines;
    return at_least(waves, (lines + LINES_PER_CLOCK - 1) / LINES_PER_CLOCK);
}

static void global(struct traffic_probe *t, const struct access *a)
{
    struct lines x;
    find_lines(&x, a->mask, a->addr);
    t->asked = true;
    t->tally->requests++;
    t->tally->sectors += x.n_sectors;
    t->port = unit_clocks(a, x.n);
    uint32_t bytes = (uint32_t)__builtin_popcount(a->mask) * a->bytes;
    if (a->form->kind == ACCESS_ATOMIC) {
        store(t, &x, SECTOR * x.n_sectors);
        t->latency = CLOCKS_L2;
        if (t->slot->counted) {
            t->traffic->atomics += (uint32_t)__builtin_popcount(a->mask);
            t->traffic->l2_atomic_sectors += x.n_sectors;
        }
    } else if (a->form->write) {
        store(t, &x, bytes);
        t->latency = 1; /* nobody waits for it */
    } else {
        load(t, a->warp->worker, &x,
             !(a->form->kind == ACCESS_COPY && a->bytes == 16));
    }
}

/* Clocks of the load/store unit for a shared access. */
static uint32_t merged(struct traffic_probe *t, const struct access *a)
{
    const struct source *s = t->source;
    unsigned fewer;
    uint32_t base = s->n_read ? s->slot[0] : UINT32_MAX;
    uint64_t stretch = t->board ? t->board->stretch : UINT64_MAX;
    uint32_t clocks =
        merge_access(&t->slot->merge[t->warp], a, stretch, base, &fewer);
    if (t->slot->counted)
        t->traffic->merged += fewer;
    return clocks;
}

static void shared(struct traffic_probe *t, const struct access *a)
{
    bool write = a->form->write;
    struct wavefronts w =
        access_wavefronts(a->addr, a->mask, a->bytes, access_merges(a));
    t->tally->shared++;
    t->tally->wavefronts += w.wavefronts;
    t->tally->conflicts += w.conflicts;
    t->port = merged(t, a);
    t->latency = write && a->form->kind != ACCESS_ATOMIC ? 1 : CLOCKS_SHARED;
}

/* The other side of an asynchronous copy: its bytes pass shared memory's banks
 * like a store's. On an H200 the forward path of 09 has as many wavefronts more
 * than its loads and stores (traffic-h200.csv, shared_wavefronts). Global
 * memory comes next, and the longer of the two is the copy's turn. */
static void copied(struct traffic_probe *t, const struct access *a)
{
    if (a->part != PART_LANDED)
        t->port = access_wavefronts(a->addr, a->mask, a->bytes, false)
                      .wavefronts;
}

/* A lane's local words lie side by side with the other lanes'. */
static void local(struct traffic_probe *t, const struct access *a)
{
    uint32_t bytes = (uint32_t)__builtin_popcount(a->mask) * a->bytes;
    t->port = (bytes + BYTES_PER_CLOCK - 1) / BYTES_PER_CLOCK;
    t->latency = CLOCKS_L1;
    if (t->slot->counted)
        t->traffic->local_sectors += (bytes + SECTOR - 1) / SECTOR;
}

/* Bulk copies of another phase are under way: of another mbarrier than the
 * latest one's. */
static bool bulk_ahead(const struct worker *k)
{
    const struct bulk *first = k->block.bulks;
    for (const struct bulk *x = first; x; x = x->next)
        if (x->object != first->object)
            return true;
    return false;
}

/* Through L2 alone, a stretch of lines at a time, by an engine of its own. */
static void bulk(struct traffic_probe *t, const struct access *a)
{
    uint64_t at = a->addr[first_lane(a->mask)], end = at + a->bytes;
    if (a->space != PTX_SPACE_GLOBAL)
        return;
    if (a->part == PART_LANDED)
        return;
    count_wait(t, bulk_ahead(a->warp->worker));
    t->asked = t->bulk = true;
    t->tally->requests++;
    for (; at < end; at = (at / CACHE_LINE + 1) * CACHE_LINE) {
        uint64_t stop = (at / CACHE_LINE + 1) * CACHE_LINE;
        uint64_t last = (stop < end ? stop : end) - 1;
        uint32_t from = at % CACHE_LINE / SECTOR;
        uint32_t to = last % CACHE_LINE / SECTOR;
        struct lines x = {.line = {at / CACHE_LINE}, .n = 1,
                          .sectors = {(uint8_t)((2u << to) - (1u << from))},
                          .n_sectors = to - from + 1};
        t->tally->sectors += x.n_sectors;
        if (a->form->write)
            store(t, &x, (uint32_t)(last - at + 1));
        else
            load(t, a->warp->worker, &x, false);
    }
    t->bulk = false;
    traffic_trace(t, a);
}

static void access(const struct access *a)
{
    struct traffic_probe *t = run_of(a->warp)->probe;
    if (a->form->kind == ACCESS_COPY && a->space == PTX_SPACE_SHARED) {
        copied(t, a);
        return;
    }
    if (a->form->kind == ACCESS_BULK) {
        bulk(t, a);
        return;
    }
    if (a->form->of_group)
        return; /* so do operands of wgmma */
    if (a->form->kind == ACCESS_OBJECT) {
        t->latency = CLOCKS_SHARED;
        return;
    }
    if (a->space == PTX_SPACE_GLOBAL)
        global(t, a);
    else if (a->space == PTX_SPACE_SHARED)
        shared(t, a);
    else if (a->space == PTX_SPACE_LOCAL)
        local(t, a);
    if (t->slot->counted)
        t->traffic->unit_clocks += t->port;
    traffic_trace(t, a);
}

const struct observer traffic_observer = {
    .block = block_begins, .block_end = block_ends, .access = access,
    .resume = resume, .pauses = pauses, .issue = issue, .issued = issued,
};
