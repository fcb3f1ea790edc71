// SPDX-License-Identifier: MIT
/*
 * race_sample.h: accesses made by hand, and the races that they are found in;
 * for the tests of race/.
 *
 *   race_begin, race_finish blocks of threads, each on a worker of its own
 *   does, does_each          some lanes of a warp access one word, or a word
 *                            each; how many races that makes
 *   barrier, warp_sync, fence
 *   seen                     races since the last question
 *   noted                    writes of equal values so far
 *   touch, before            what an access leaves; is it ordered before?
 *   all_early, early         of a launch that began beside the one before
 */
#ifndef RACE_SAMPLE_H
#define RACE_SAMPLE_H

#include "simgpu/core/race/race.h"
#include "warp_sample.h"

/* What an instruction does; each has a line of its own. STRONG_LOAD, ADD and
 * SWAP acquire; the RELAXED ones and volatile ones do not. */
enum verb {
    LOAD, STORE, LOAD_BYTE, STORE_BYTE, LOAD_FOUR, STORE_FOUR, STRONG_LOAD,
    STRONG_STORE, VOLATILE_LOAD, VOLATILE_STORE, ADD, ADD_IN_BLOCK, SWAP,
    RELEASE, RELEASE_IN_BLOCK, COPY, BULK_READ, BULK_WRITE, INIT,
    RELAXED_LOAD, LOAD_IN_BLOCK, RELAXED_ADD, ADD_EIGHT, CONSTANT_LOAD, VERBS,
};

static const struct access_form verb_forms[VERBS] = {
    [LOAD] = {.kind = ACCESS_LOAD, .size = 4, .n = 1},
    [STORE] = {.kind = ACCESS_STORE, .size = 4, .n = 1, .write = true},
    [LOAD_BYTE] = {.kind = ACCESS_LOAD, .size = 1, .n = 1},
    [STORE_BYTE] = {.kind = ACCESS_STORE, .size = 1, .n = 1, .write = true},
    [LOAD_FOUR] = {.kind = ACCESS_LOAD, .size = 4, .n = 4},
    [STORE_FOUR] = {.kind = ACCESS_STORE, .size = 4, .n = 4, .write = true},
    [STRONG_LOAD] = {.kind = ACCESS_LOAD, .size = 4, .n = 1, .strong = true,
                     .acquire = true},
    [STRONG_STORE] = {.kind = ACCESS_STORE, .size = 4, .n = 1, .write = true,
                      .strong = true},
    [VOLATILE_LOAD] = {.kind = ACCESS_LOAD, .size = 4, .n = 1, .strong = true,
                       .is_volatile = true},
    [VOLATILE_STORE] = {.kind = ACCESS_STORE, .size = 4, .n = 1,
                        .write = true, .strong = true, .is_volatile = true},
    [ADD] = {.kind = ACCESS_ATOMIC, .size = 4, .n = 1, .write = true,
             .strong = true, .scope = SCOPE_GPU, .acquire = true},
    [ADD_IN_BLOCK] = {.kind = ACCESS_ATOMIC, .size = 4, .n = 1, .write = true,
                      .strong = true, .scope = SCOPE_BLOCK},
    [SWAP] = {.kind = ACCESS_ATOMIC, .size = 4, .n = 1, .write = true,
              .strong = true, .scope = SCOPE_GPU, .swaps = true,
              .acquire = true},
    [RELEASE] = {.kind = ACCESS_STORE, .size = 4, .n = 1, .write = true,
                 .strong = true, .scope = SCOPE_GPU, .release = true},
    [RELEASE_IN_BLOCK] = {.kind = ACCESS_STORE, .size = 4, .n = 1,
                          .write = true, .strong = true, .scope = SCOPE_BLOCK,
                          .release = true},
    [COPY] = {.kind = ACCESS_COPY, .size = 4, .n = 1, .write = true},
    [BULK_READ] = {.kind = ACCESS_BULK, .size = 4, .n = 1,
                   .proxy = PROXY_ASYNC, .scope = SCOPE_CLUSTER},
    [BULK_WRITE] = {.kind = ACCESS_BULK, .size = 4, .n = 1, .write = true,
                    .proxy = PROXY_ASYNC, .scope = SCOPE_CLUSTER},
    [INIT] = {.kind = ACCESS_OBJECT, .size = 8, .n = 1, .write = true},
    [RELAXED_LOAD] = {.kind = ACCESS_LOAD, .size = 4, .n = 1, .strong = true,
                      .scope = SCOPE_GPU},
    [LOAD_IN_BLOCK] = {.kind = ACCESS_LOAD, .size = 4, .n = 1, .strong = true,
                       .scope = SCOPE_BLOCK, .acquire = true},
    [RELAXED_ADD] = {.kind = ACCESS_ATOMIC, .size = 4, .n = 1, .write = true,
                     .strong = true, .scope = SCOPE_GPU},
    [ADD_EIGHT] = {.kind = ACCESS_ATOMIC, .size = 8, .n = 1, .write = true,
                   .strong = true, .scope = SCOPE_GPU},
    [CONSTANT_LOAD] = {.kind = ACCESS_LOAD, .size = 4, .n = 1,
                       .constant = true},
};

enum { BLOCKS_MOST = 4, BYTES = 4 << 10 };
#define ALL 0xffffffffu

struct races {
    struct hand *h;
    struct worker *worker[BLOCKS_MOST]; /* a block each; [0]: h->worker */
    struct inst *inst[VERBS];
    uint32_t slot[VERBS][4];
    uint64_t global;    /* BYTES of memory */
    uint64_t seen;
    uint32_t blocks;
};

static inline void race_add_block(struct races *r, uint32_t n)
{
    struct worker *k = n ? calloc(1, sizeof *k) : &r->h->worker;
    assert_non_null(k);
    r->worker[n] = k;
    if (n) {
        k->run = &r->h->run;
        k->cluster = &r->h->cluster;
        k->block.n_threads = r->h->worker.block.n_threads;
        k->block.n_warps = r->h->worker.block.n_warps;
    }
    k->order = n;
    struct block *b = &k->block;
    b->index = n;
    b->id[0] = n;
    b->live = b->n_threads;
    for (uint32_t w = 0; w < b->n_warps; w++) {
        uint32_t left = b->n_threads - w * LANES;
        b->warps[w].worker = k;
        b->warps[w].block = b;
        b->warps[w].index = w;
        warp_start(&b->warps[w], r->h->function,
                   left >= LANES ? UINT32_MAX : (1u << left) - 1);
        leaf_choose(&b->warps[w]);
    }
    race_observer.open(k);
    race_observer.block(k);
}

/* fenced: the kernel has a fence, so that blocks may wait for each other. */
static inline struct races *race_begin(uint32_t blocks, uint32_t threads,
                                       bool fenced)
{
    struct races *r = calloc(1, sizeof *r);
    assert_non_null(r);
    struct hand *h = r->h = hand_open(threads);
    h->launch.grid[0] = r->blocks = blocks;
    h->run.n_blocks = blocks;
    for (int v = 0; v < VERBS; v++) {
        struct detail *d = &h->detail[v];
        d->access = verb_forms[v];
        d->access.site = (uint32_t)v + 1;
        d->size = d->access.size;
        d->n = d->access.n;
        d->reg = 4;
        d->slot = r->slot[v];
        for (uint32_t n = 0; n < 4; n++)
            d->slot[n] = REG(n);
        r->inst[v] = hand_put(h, (struct inst){.fn = op_nop, .detail = d,
                                               .source = (uint32_t)v + 1});
    }
    h->detail[RELEASE].access.release = fenced;
    h->detail[RELEASE_IN_BLOCK].access.release = fenced;
    h->module.functions[1].n_insts = 0;
    assert_true(memory_open(&h->engine.memory, 1 << 20));
    r->global = memory_alloc(&h->engine.memory, BYTES, false);
    h->run.shared_end = BYTES;
    h->run.checks = CHECK_RACES;
    assert_true(race_open(&h->run));
    h->run.races = &race_observer;
    for (uint32_t n = 0; n < blocks; n++)
        race_add_block(r, n);
    return r;
}

static inline uint64_t found_so_far(const struct races *r, bool notes)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < r->blocks; k++) {
        const struct found *f = r->worker[k]->found;
        for (size_t i = 0; f && i < f->n; i++)
            if (finding_is_note(f->list[i].kind) == notes)
                n += f->list[i].count;
    }
    return n;
}

/* Writes of equal values, since the blocks began. */
static inline uint64_t noted(const struct races *r)
{
    return found_so_far(r, true);
}

/* Races since the last question. */
static inline uint64_t seen(struct races *r)
{
    uint64_t all = found_so_far(r, false), new = all - r->seen;
    r->seen = all;
    return new;
}

/* The race found last, of the block. */
static inline const struct finding *last_race(const struct races *r,
                                              uint32_t block)
{
    const struct found *f = r->worker[block]->found;
    assert_non_null(f);
    size_t n = f->n;
    while (n > 1 && finding_is_note(f->list[n - 1].kind))
        n--;
    return &f->list[n - 1];
}

static inline struct warp *warp_of(struct races *r, uint32_t block,
                                   uint32_t warp)
{
    return &r->worker[block]->block.warps[warp];
}

static inline struct access event(struct races *r, struct warp *w,
                                  enum verb verb, uint32_t mask,
                                  uint64_t address, uint32_t step)
{
    const struct access_form *form = &r->h->detail[verb].access;
    bool shared = address < DEVICE_BASE;
    struct access a = {.warp = w, .inst = r->inst[verb], .form = form,
                       .mask = mask, .bytes = (uint32_t)form->size * form->n,
                       .space = shared ? PTX_SPACE_SHARED : PTX_SPACE_GLOBAL};
    for (uint32_t l = 0; l < LANES; l++)
        a.addr[l] = address + l * step;
    access_facts(&a);
    return a;
}

/* In the order in which the engine tells it. */
static inline uint64_t raise_event(struct races *r, const struct access *a)
{
    seen(r);
    const struct access_form *f = a->form;
    if (f->strong && f->write)
        race_observer.release(a);
    if (f->strong && f->kind == ACCESS_LOAD)
        race_observer.acquire(a);
    race_observer.access(a);
    if (f->kind == ACCESS_ATOMIC)
        race_observer.acquire(a);
    return seen(r);
}

/* What a lane's stores put there. */
static inline void value(struct warp *w, uint32_t n)
{
    for (uint32_t reg = 0; reg < 4; reg++)
        for (uint32_t l = 0; l < LANES; l++)
            ((uint32_t *)slot(w, REG(reg)))[l] = n;
}

static inline uint64_t does(struct races *r, struct warp *w, enum verb verb,
                            uint32_t mask, uint64_t address)
{
    struct access a = event(r, w, verb, mask, address, 0);
    return raise_event(r, &a);
}

/* Lane l at address + 4 l. */
static inline uint64_t does_each(struct races *r, struct warp *w,
                                 enum verb verb, uint32_t mask,
                                 uint64_t address)
{
    struct access a = event(r, w, verb, mask, address, 4);
    return raise_event(r, &a);
}

/* What orders ------------------------------------------------------------- */

static inline void warp_sync(struct warp *w, uint32_t members)
{
    race_observer.sync(w, members);
}

/* Warps (a bit each) of a block meet: those of arriving come, and those of
 * waiting go on. */
static inline void meet(struct races *r, uint32_t block, uint32_t arriving,
                        uint32_t waiting)
{
    struct block *b = &r->worker[block]->block;
    struct barrier x = {0};
    uint32_t every = ALL >> (LANES - b->n_warps);
    for (uint32_t w = 0; w < b->n_warps; w++)
        if (arriving >> w & 1) {
            uint32_t alive = ~b->warps[w].dead;
            x.arrived += (uint32_t)__builtin_popcount(alive);
            race_observer.arrive(&b->warps[w], alive, &x);
        }
    x.expected = arriving == every ? 0 : x.arrived;
    race_observer.barrier(b, &x, waiting);
}

static inline void barrier(struct races *r, uint32_t block)
{
    uint32_t every = ALL >> (LANES - r->worker[block]->block.n_warps);
    meet(r, block, every, every);
}

static inline void fence(struct warp *w, uint32_t mask)
{
    race_observer.fence(w, mask, SCOPE_GPU, FENCE_THREADS);
}

/* What an access left behind. */
struct mark {
    uint64_t block, tag;
};

static inline struct mark touch(struct races *r, uint32_t block,
                                uint32_t thread)
{
    const struct warp *w = warp_of(r, block, thread / LANES);
    return (struct mark){block, w->tags[thread % LANES] |
                                    (uint64_t)RACE_WRITE << TAG_CLASS | 1};
}

/* Is it ordered before what this thread does now? As race_fenced.c asks. */
static inline bool before(struct races *r, struct mark m, uint32_t block,
                          uint32_t thread)
{
    struct warp *w = warp_of(r, block, thread / LANES);
    int lane = (int)(thread % LANES);
    if (m.block != block)
        return race_released(w, 1u << lane, m.block, m.tag);
    return m.tag < stamp_tag(w->block->floor) ||
           same_thread(m.tag, w->tags[lane]) || race_ordered(w, lane, m.tag);
}

/* All blocks begin anew, beside the stream's last launch. */
static inline void all_early(struct races *r)
{
    r->h->run.early = true;
    for (uint32_t n = 0; n < r->blocks; n++)
        race_observer.block(r->worker[n]);
}

/* Has the warp not waited for that launch yet? Its accesses say the same. */
static inline bool early(struct races *r, uint32_t block, uint32_t warp)
{
    const struct warp *w = warp_of(r, block, warp);
    for (int l = 0; l < LANES; l++)
        assert_int_equal(!!(w->tags[l] & TAG_EARLY), w->early);
    return w->early;
}

static inline void race_finish(struct races *r)
{
    struct hand *h = r->h;
    for (uint32_t n = 0; n < r->blocks; n++) {
        struct worker *k = r->worker[n];
        race_observer.close(k);
        for (uint32_t w = 0; w < k->block.n_warps; w++) {
            node_recycle(&h->worker, k->block.warps[w].leaf);
            if (n)
                hand_free_frame(k->block.warps[w].root);
        }
        if (n) {
            free(k->found);
            free(k);
        }
    }
    race_close(&h->run);
    race_engine_close(&h->engine);
    memory_close(&h->engine.memory);
    hand_close(h);
    free(r);
}

#endif
