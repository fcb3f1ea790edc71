// SPDX-License-Identifier: MIT
/*
 * traffic_access.c: what one memory instruction of a warp costs.
 *
 *   traffic_access   one access of a warp
 *   traffic_touch    lines of local memory
 *
 * An access finds its lines and their sectors, asks L1, L2 and what has been
 * written for them, and leaves in the probe the clocks that it keeps the
 * load/store unit busy (port) and those until its values are there (latency).
 * Clocks of the GPU as a whole come later, from the sums (model.c).
 */

#include "simgpu/core/access/bulk.h"
#include "simgpu/core/memory/cost.h"
#include "model.h"
#include "traffic.h"

enum {
    LINES_PER_CLOCK = 2, /* whose tags the load/store unit compares */
    /* Of atomics of one multiprocessor in L2: some 2.8 clocks per sector where
     * 65,536 words and more are added to at random, 4 where they lie in a row;
     * atomic_own has 2. */
    ATOMIC_LANES = 4, ATOMIC_SECTOR_TENTHS = 28,
    CONSTANT_ADDRESS = 2, /* clocks of the constant cache: residency-h200.txt */
};

static void find_lines(struct lines *x, uint32_t mask, const uint64_t *addr)
{
    uint64_t last = UINT64_MAX;
    x->n = x->n_sectors = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint64_t a = addr[first_lane(rest)], line = a / CACHE_LINE;
        uint8_t sector = (uint8_t)(1u << a % CACHE_LINE / SECTOR);
        uint32_t k = x->n;
        if (a / SECTOR == last) /* neighbours mostly share one */
            continue;
        last = a / SECTOR;
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

/* After find_lines. Lanes of neighbours mostly follow one another. */
static void find_words(struct lines *x, const struct access *a)
{
    uint32_t n = (a->bytes + DIRTY_WORD - 1) / DIRTY_WORD, k = 0;
    for (uint32_t l = 0; l < x->n; l++)
        x->words[l] = 0;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        uint64_t at = a->addr[first_lane(rest)], line = at / CACHE_LINE;
        while (x->line[k] != line)
            k = (k + 1) % x->n;
        x->words[k] |= ((1u << n) - 1) << at % CACHE_LINE / DIRTY_WORD;
    }
}

/* A line has four; processors of the base architecture count by a call. */
static uint32_t bits(uint8_t sectors)
{
    uint32_t pairs = (sectors & 5u) + (sectors >> 1 & 5u);
    return (pairs & 3) + (pairs >> 2);
}

static uint64_t local_bytes(const struct run *r)
{
    const uint32_t *b = r->launch->block;
    return r->n_blocks * b[0] * b[1] * b[2] * r->kernel->local_bytes;
}

static struct traffic_array *array_of(struct traffic_probe *t, uint64_t address)
{
    const struct memory *m = &t->run->engine->memory;
    const struct allocation *a = memory_find(m, address);
    struct traffic *to = t->traffic;
    bool is_local = address / CACHE_LINE >= TRAFFIC_LOCAL_LINES;
    int64_t id = a ? a->id : TRAFFIC_LOCAL;
    if (!a && !is_local)
        return NULL;
    for (size_t k = 0; k < to->n_arrays; k++)
        if (to->arrays[k].id == id)
            return &to->arrays[k];
    to->arrays[to->n_arrays] = (struct traffic_array){
        .id = id, .bytes = a ? a->bytes : local_bytes(t->run)};
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

void traffic_empty_l1(struct traffic_probe *t, struct worker *k)
{
    cache_forget(l1_of(t, k));
}

/* Device memory gives two sectors at a time: an H200 reads one of each two as
 * slowly as both (read_apart). Returns the number that it gives, without those
 * that came beside others before. */
static uint32_t fetched(struct traffic_probe *t, uint64_t line, uint8_t lacks)
{
    uint8_t even = (uint8_t)((lacks | lacks >> 1) & 0x5);
    uint8_t pairs = (uint8_t)(even | even << 1);
    return bits(pairs & (uint8_t)~cache_touch(&t->fetched, line, pairs));
}

/* Of a sampled launch the other multiprocessors' loads are not seen. If all of
 * them have asked for as much of an array as this one, they have asked for all
 * of it by now, and L2 can hold it: then it is there, whoever fetched it. */
static bool others_fetched(struct traffic_probe *t, struct traffic_array *a,
                           uint32_t sectors)
{
    if (!a || !t->run->launch->sample || a->id == TRAFFIC_LOCAL)
        return false;
    a->asked_sectors += sectors;
    return a->bytes <= model_l2(t->run->engine->config.gpu) &&
           a->asked_sectors * SECTOR * traffic_groups(t->run) > a->bytes;
}

/* Loads of what L1 lacks; returns the sectors that come from memory. */
static uint32_t read_l2(struct traffic_probe *t, uint64_t line, uint8_t sectors)
{
    uint8_t there = cache_touch(&t->l2, line, sectors);
    uint8_t missing = sectors & (uint8_t)~there;
    uint32_t lacks = bits(missing);
    uint32_t given = lacks ? fetched(t, line, missing) : 0;
    struct traffic_array *a =
        lacks ? array_of(t, line * CACHE_LINE +
                                SECTOR * (uint32_t)__builtin_ctz(sectors))
              : NULL;
    uint32_t far = others_fetched(t, a, lacks) ? 0 : lacks;
    if (!t->counted)
        return far;
    t->traffic->l2_read_sectors += bits(sectors);
    if (!t->bulk && bits(sectors) == 1)
        t->traffic->l2_single_sectors++;
    if (t->bulk)
        t->traffic->l2_bulk_sectors += bits(sectors);
    if (t->copies)
        t->traffic->l2_copied_sectors += bits(sectors);
    t->traffic->l2_hits += bits(there);
    if (a) {
        a->read_sectors += given;
        a->apart_sectors += t->apart ? given : 0;
    }
    return far;
}

static void leaves_l1(struct traffic_probe *t, const struct cache *l1);

static void load(struct traffic_probe *t, struct worker *k,
                 const struct lines *x, bool l1_too)
{
    struct cache *l1 = l1_of(t, k);
    uint32_t hits = 0, far = 0;
    for (uint32_t n = 0; n < x->n; n++) {
        uint8_t there =
            l1_too ? cache_touch(l1, x->line[n], x->sectors[n]) : 0;
        if (l1_too && l1->gone_sectors)
            leaves_l1(t, l1);
        uint8_t lacks = x->sectors[n] & (uint8_t)~there;
        hits += bits(there);
        if (lacks)
            far += read_l2(t, x->line[n], lacks);
    }
    t->latency = far                     ? CLOCKS_MEMORY
                 : hits < x->n_sectors ? CLOCKS_L2 : CLOCKS_L1;
    t->tally->missed += x->n_sectors - hits;
    if (!t->counted)
        return;
    t->traffic->l1_sectors += x->n_sectors;
    t->traffic->l1_hits += hits;
}

static void count_gone(struct traffic_probe *t, const struct dirty_answer *left)
{
    struct traffic_array *a = array_of(t, left->gone * CACHE_LINE);
    if (a) {
        a->left_whole += left->whole;
        a->left_partly += left->partly;
        if (a->id == TRAFFIC_LOCAL)
            a->write_sectors += left->whole + left->partly;
    }
}

/* Written through to L2; a sector goes to memory once, when it leaves L2.
 * bytes: that are written. */
static void store(struct traffic_probe *t, const struct lines *x,
                  uint32_t bytes)
{
    uint32_t whole = bytes / SECTOR;
    if (t->counted && whole < x->n_sectors)
        t->traffic->l2_partial_sectors += x->n_sectors - whole;
    for (uint32_t n = 0; n < x->n; n++) {
        struct dirty_answer there =
            dirty_write(&t->dirty, x->line[n], x->words[n]);
        uint32_t fresh = bits(x->sectors[n] & (uint8_t)~there.was);
        cache_touch(&t->l2, x->line[n], x->sectors[n]);
        if (!t->counted)
            continue;
        struct traffic_array *a =
            fresh ? array_of(t, x->line[n] * CACHE_LINE +
                                    SECTOR * (uint32_t)__builtin_ctz(
                                                 x->sectors[n]))
                  : NULL;
        t->traffic->l2_write_sectors += bits(x->sectors[n]);
        if (there.whole + there.partly)
            count_gone(t, &there);
        if (a && a->id != TRAFFIC_LOCAL) /* nobody needs what threads leave */
            a->write_sectors += fresh;
    }
}

/* A line of local memory that was written, for which L1 has no room. */
static void leaves_l1(struct traffic_probe *t, const struct cache *l1)
{
    struct lines x = {.line = {l1->gone}, .n = 1,
                      .sectors = {l1->gone_sectors},
                      .n_sectors = bits(l1->gone_sectors)};
    x.words[0] = dirty_words(l1->gone_sectors);
    store(t, &x, SECTOR * x.n_sectors);
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

static void count_atomic(struct traffic_probe *t, const struct access *a,
                         uint32_t sectors)
{
    uint32_t lanes = (uint32_t)__builtin_popcount(a->mask);
    contention_add(t->contention, a, a->warp->block->index, t->counted);
    if (!t->counted)
        return;
    t->traffic->atomics += lanes;
    t->traffic->l2_atomic_sectors += sectors;
    t->traffic->atomic_clocks +=
        at_least((lanes + ATOMIC_LANES - 1) / ATOMIC_LANES,
                 ATOMIC_SECTOR_TENTHS * sectors / 10);
}

static void extend(struct traffic_extent *x, uint64_t first, uint64_t last)
{
    x->first = !x->any || first < x->first ? first : x->first;
    x->last = !x->any || last > x->last ? last : x->last;
    x->any = true;
}

/* How far the lanes of a request lie apart, and what its block touches. */
static void spread(struct traffic_probe *t, const struct lines *x)
{
    uint64_t first = UINT64_MAX, last = 0;
    for (uint32_t n = 0; n < x->n; n++) {
        first = x->line[n] < first ? x->line[n] : first;
        last = x->line[n] > last ? x->line[n] : last;
    }
    struct traffic_array *a =
        t->counted ? array_of(t, first * CACHE_LINE) : NULL;
    t->apart = (last - first) * CACHE_LINE >
               model_l2(t->run->engine->config.gpu);
    if (!a)
        return;
    bool none = a->requests++ == 0;
    a->spans += last - first;
    a->first = none || first < a->first ? first : a->first;
    a->last = none || last > a->last ? last : a->last;
    if (a - t->traffic->arrays < TRAFFIC_EXTENTS)
        extend(&t->slot->extent[a - t->traffic->arrays], first, last);
}

static void global(struct traffic_probe *t, const struct access *a)
{
    struct lines x;
    find_lines(&x, a->mask, a->addr);
    spread(t, &x);
    t->asked = true;
    t->tally->requests++;
    t->tally->sectors += x.n_sectors;
    t->port = unit_clocks(a, x.n);
    uint32_t bytes = (uint32_t)__builtin_popcount(a->mask) * a->bytes;
    if (a->form->write)
        find_words(&x, a);
    if (a->form->kind == ACCESS_ATOMIC) {
        store(t, &x, SECTOR * x.n_sectors);
        t->latency = CLOCKS_L2;
        count_atomic(t, a, x.n_sectors);
    } else if (a->form->write) {
        store(t, &x, bytes);
        t->latency = 1; /* nobody waits for it */
    } else {
        load(t, a->warp->worker, &x,
             !a->form->strong &&
                 !(a->form->kind == ACCESS_COPY && a->bytes == 16));
    }
    t->done = a->form->write ? CLOCKS_L2 : t->latency;
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
    for (uint16_t k = 0; k < s->n_written; k++)
        merge_forget(&t->slot->merge[t->warp], s->slot[s->n_read + k]);
    if (t->counted)
        t->traffic->merged += fewer;
    return clocks;
}

static void swap_loop(struct traffic_probe *t, const struct access *a)
{
    struct swaps_cost c = swaps_add(&t->slot->swaps, a);
    t->port = c.port;
    t->latency = t->pause = c.latency;
    if (t->counted)
        t->traffic->issue_slots += c.slots - 1;
}

static void shared(struct traffic_probe *t, const struct access *a)
{
    bool write = a->form->write;
    struct wavefronts w =
        access_wavefronts(a->addr, a->mask, a->bytes, access_merges(a));
    t->tally->shared++;
    t->tally->wavefronts += w.wavefronts;
    t->tally->conflicts += w.conflicts;
    if (swaps_is_loop(a)) {
        swap_loop(t, a);
        return;
    }
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

/* Is the constant cache's nearest part, of 2 KB, without one of these lanes'
 * constants? It gets 64 bytes at a time. */
static bool constants_are_far(struct traffic_probe *t, const struct access *a)
{
    uint8_t lacks = 0;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        uint64_t at = a->addr[first_lane(rest)];
        uint8_t pair = at % CACHE_LINE < CACHE_LINE / 2 ? 0x3 : 0xc;
        lacks |= pair & (uint8_t)~cache_touch(&t->constants, at / CACHE_LINE,
                                              pair);
    }
    return lacks;
}

/* The constant cache serves one address at a time. One that the code names, and
 * so all lanes share, costs nothing if it is near: it is an operand of the
 * instruction that needs it. */
static void constant(struct traffic_probe *t, const struct access *a)
{
    uint32_t n = access_addresses(a->addr, a->mask);
    bool far = constants_are_far(t, a), operand = t->source->n_read == 0;
    t->tally->replays += n - 1;
    t->port = far || !operand ? CONSTANT_ADDRESS * n : 0;
    t->latency = far ? CLOCKS_CONSTANT : operand ? 0 : CLOCKS_L1;
}

/* Written in L1, and back to L2 when it must leave. */
uint32_t traffic_touch(struct traffic_probe *t, struct worker *k,
                       const struct lines *x, bool write)
{
    struct cache *l1 = l1_of(t, k);
    t->port += (x->n + LINES_PER_CLOCK - 1) / LINES_PER_CLOCK;
    if (t->counted)
        t->traffic->local_sectors += x->n_sectors;
    if (!write) {
        load(t, k, x, true);
        return t->latency;
    }
    for (uint32_t n = 0; n < x->n; n++) {
        cache_touch(l1, x->line[n], x->sectors[n] | CACHE_DIRTY);
        if (l1->gone_sectors)
            leaves_l1(t, l1);
    }
    return 1;
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
    traffic_wait(t, bulk_ahead(a->warp->worker));
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
        x.words[0] = dirty_words(x.sectors[0]);
        t->tally->sectors += x.n_sectors;
        if (a->form->write)
            store(t, &x, (uint32_t)(last - at + 1));
        else
            load(t, a->warp->worker, &x, false);
    }
    t->bulk = false;
    traffic_trace(t, a);
}

/* all: with the lanes whose atomics another one does. */
static void watch(struct traffic_probe *t, const struct access *a,
                  const struct access *all)
{
    if (!t->slot) {
        if (a->form->kind == ACCESS_ATOMIC && a->space == PTX_SPACE_GLOBAL)
            contention_add(t->contention, a, a->warp->block->index, false);
        return;
    }
    t->copies = a->form->kind == ACCESS_COPY || a->form->kind == ACCESS_BULK;
    t->polls = a->form->strong && a->mask;
    t->polled = t->polls ? a->addr[first_lane(a->mask)] : 0;
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
        traffic_local(t, a);
    else if (a->space == PTX_SPACE_CONST)
        constant(t, a);
    if (t->counted)
        t->traffic->unit_clocks += t->port;
    traffic_trace(t, all);
}

/* Does ptxas make one of this warp's atomics (decode/alike.c)? What that costs
 * besides is said in instructions: vote, find the leader, compare; count, or
 * redux; two for each step of running sums. */
static bool is_joined(struct traffic_probe *t, const struct access *a)
{
    static const uint8_t slots[] = {[JOINED_BY_COUNT] = 3,
                                    [JOINED_BY_VALUE] = 5,
                                    [JOINED_IF_WHOLE] = 16};
    unsigned how = t->source->joined;
    if (a->form->kind != ACCESS_ATOMIC || how == JOINED_NOT || !a->uniform ||
        (how == JOINED_IF_WHOLE && ~a->mask))
        return false;
    if (t->slot && t->counted)
        t->traffic->issue_slots += slots[how];
    return true;
}

void traffic_access(const struct access *a)
{
    struct traffic_probe *t = run_of(a->warp)->probe;
    if (!is_joined(t, a)) {
        watch(t, a, a);
        return;
    }
    struct access one = *a;
    one.mask &= -one.mask;
    watch(t, &one, a);
}
