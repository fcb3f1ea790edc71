// SPDX-License-Identifier: MIT
/*
 * launch.c: a grid over worker threads, a block over warps.
 *
 *   engine_launch, engine_report_free
 *
 * A worker takes the next block, runs its warps in turn, each until it waits
 * or its slice is over, and goes on until all have exited. In a cooperative
 * launch each block has a worker, and a thread goes round among several.
 * Counters and findings are the worker's own and are added up at the end.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "async.h"
#include "find.h"
#include "heap.h"
#include "ops.h"
#include "shared_pages.h"
#include "traffic.h"

static void *map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        abort();
    return p;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* The n-th of count in an order drawn from seed: a Feistel network over the
 * next even power of two, walked until it lands inside. */
static uint64_t shuffled(uint64_t n, uint64_t count, uint64_t seed)
{
    int half = 1;
    while (half < 32 && (1ull << 2 * half) < count)
        half++;
    uint64_t low = (1ull << half) - 1;
    do {
        for (int round = 0; round < 4; round++) {
            uint64_t left = n >> half, right = n & low;
            left ^= mix(right + seed + (uint64_t)round) & low;
            n = right << half | left;
        }
    } while (n >= count);
    return n;
}

static void place_block(struct worker *k, uint64_t index)
{
    struct block *b = &k->block;
    const uint32_t *grid = k->run->launch->grid;
    const uint32_t *size = k->run->launch->block;
    b->index = index;
    b->id[0] = (uint32_t)(index % grid[0]);
    b->id[1] = (uint32_t)(index / grid[0] % grid[1]);
    b->id[2] = (uint32_t)(index / grid[0] / grid[1]);
    b->n_threads = size[0] * size[1] * size[2];
    b->n_warps = (b->n_threads + LANES - 1) / LANES;
    b->live = b->n_threads;
    memset(b->barriers, 0, sizeof b->barriers);
}

static void start_block(struct worker *k, uint64_t index)
{
    struct run *r = k->run;
    struct block *b = &k->block;
    copies_reset(k);
    place_block(k, index);
    if (r->shared_end > SHARED_START)
        bits_clear(k->shared_init, SHARED_START,
                   r->shared_end - SHARED_START);
    size_t local = (size_t)r->kernel->local_bytes * LANES;
    for (uint32_t n = 0; n < b->n_warps; n++) {
        struct warp *w = &b->warps[n];
        uint32_t left = b->n_threads - n * LANES;
        w->worker = k;
        w->block = b;
        w->index = n;
        w->local = k->local + n * local;
        w->local_init = k->local_init + n * local / 8;
        warp_start(w, r->kernel->function,
                   left >= LANES ? UINT32_MAX : (1u << left) - 1);
    }
    race_block_begins(k);
}

static void over_budget(struct worker *k, struct warp *w)
{
    struct finding x = {0};
    snprintf(x.detail, sizeof x.detail,
             "more than %llu warp instructions: an endless loop?",
             (unsigned long long)k->run->budget);
    struct node *leaf = w->leaves;
    if (!leaf)
        return;
    w->leaf = leaf;
    find(w, leaf->pc, first_lane(leaf->mask), FIND_BUDGET, &x);
    fail(w, FAULT_BUDGET);
}

/* Tells the launch what was executed since the last time. */
static void spend(struct worker *k, struct warp *w)
{
    uint64_t now = k->counters.warp_instructions;
    uint64_t all =
        atomic_fetch_add(&k->run->spent, now - k->spent) + now - k->spent;
    k->spent = now;
    if (k->run->budget && all > k->run->budget)
        over_budget(k, w);
}

static bool can_run(const struct warp *w)
{
    for (const struct node *n = w->leaves; n; n = n->next)
        if (n->state == NODE_RUN)
            return true;
    return false;
}

/* Blocks before the faulty one still run, so that the report does not depend
 * on timing; but not those that may wait for it. */
static bool stopped(const struct worker *k)
{
    uint64_t fault = atomic_load_explicit(&k->run->fault_order,
                                          memory_order_relaxed);
    return k->run->launch->cooperative ? fault != UINT64_MAX
                                       : fault <= k->order;
}

/* Nobody can run: lanes that left early wait for the others, to exit with
 * them; else lanes that a .sync waits for may wait to reconverge. */
static bool unblock(struct block *b)
{
    bool any = false;
    for (uint32_t n = 0; n < b->n_warps; n++)
        any |= release_exits(&b->warps[n]);
    if (any)
        return true;
    for (uint32_t n = 0; n < b->n_warps; n++) {
        bool syncs = false;
        for (struct node *x = b->warps[n].leaves; x; x = x->next)
            syncs |= x->state == NODE_SYNC;
        any |= syncs && release_early(&b->warps[n]);
    }
    return any;
}

/* Each warp's turn, until it waits or its slice is over; false: all done. */
static bool run_round(struct worker *k, run_warp *run)
{
    struct block *b = &k->block;
    uint64_t seed = k->run->engine->config.seed;
    bool left = false, moved = false;
    for (uint32_t n = 0; n < b->n_warps && !stopped(k); n++) {
        uint64_t at = seed ? shuffled(n, b->n_warps, seed + b->index) : n;
        struct warp *w = &b->warps[at];
        if (!w->done && can_run(w)) {
            run(w);
            spend(k, w);
            moved = true;
        }
        left |= !w->done;
    }
    if (left && !moved && !stopped(k) && !unblock(b))
        deadlock(b);
    return left && !stopped(k);
}

static void begin(struct worker *k)
{
    uint64_t seed = k->run->engine->config.seed;
    start_block(k, k->tap ? tap_index(k->tap, k->order)
                   : seed ? shuffled(k->order, k->run->n_blocks, seed)
                          : k->order);
    if (k->tap)
        tap_block(k);
}

/* Blocks one after the other. */
static void work_alone(struct worker *k, run_warp *run)
{
    struct run *r = k->run;
    for (;;) {
        k->order = atomic_fetch_add(&r->next_block, 1);
        if (k->order >= r->n_blocks || stopped(k))
            break;
        begin(k);
        while (run_round(k, run))
            ;
        if (k->tap)
            tap_block_end(k);
    }
}

/* Some blocks of one multiprocessor: as many in turns as it holds. */
static void work_sampled(struct worker *first, run_warp *run)
{
    uint64_t next = 0, n = first->run->n_sampled;
    bool left = false;
    for (struct worker *k = first; k; k = k->mate) {
        k->order = next++;
        begin(k);
    }
    do {
        left = false;
        for (struct worker *k = first; k; k = k->mate) {
            if (k->order == UINT64_MAX)
                continue;
            if (run_round(k, run)) {
                left = true;
                continue;
            }
            tap_block_end(k);
            bool more = next < n && !stopped(k) && !tap_enough(k);
            k->order = more ? next++ : UINT64_MAX;
            if (k->order != UINT64_MAX)
                begin(k);
            left |= k->order != UINT64_MAX;
        }
    } while (left);
}

/* A cooperative launch: blocks in turns, as they may wait for each other. */
static void work_together(struct worker *first, run_warp *run)
{
    bool left = true;
    for (struct worker *k = first; k; k = k->mate)
        begin(k);
    while (left) {
        left = false;
        for (struct worker *k = first; k; k = k->mate)
            left |= run_round(k, run);
    }
}

static void *work(void *argument)
{
    struct worker *k = argument;
    const struct run *r = k->run;
    (r->launch->cooperative ? work_together
     : r->n_sampled         ? work_sampled
                            : work_alone)(k, r->tap ? tap_run
                                                    : lane_table()->run);
    return NULL;
}

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static size_t local_total(const struct run *r)
{
    const uint32_t *size = r->launch->block;
    size_t warps = ((size_t)size[0] * size[1] * size[2] + LANES - 1) / LANES;
    return warps * LANES * r->kernel->local_bytes;
}

static void open_worker(struct worker *k, struct run *r)
{
    *k = (struct worker){.run = r, .tap = r->tap};
    size_t shared = round_up(r->shared_end + 64, 64);
    k->windows = calloc((size_t)r->kernel->module->n_caches + 1,
                        sizeof *k->windows);
    k->shared = map(shared);
    k->shared_init = map(shared / 8 + 64);
    k->patterns = calloc((size_t)r->kernel->module->n_caches + 1,
                         sizeof *k->patterns);
    if (!k->windows || !k->patterns)
        abort();
    race_worker_open(k);
    size_t local = local_total(r);
    if (local) {
        k->local = map(local);
        k->local_init = map(local / 8 + 64);
    }
}

static void free_frames(struct frame *f)
{
    while (f) {
        struct frame *next = f->next;
        free(f->params);
        free(f);
        f = next;
    }
}

/* After a fault the tree still stands: frames and nodes hang on leaves. */
static void free_tree(struct worker *k, struct warp *w)
{
    struct node *n = w->leaves;
    w->leaves = NULL;
    while (n) {
        struct node *next = n->next, *parent = n->parent;
        if (n->is_call) {
            n->frame->next = k->frames;
            k->frames = n->frame;
        }
        node_recycle(k, n);
        if (parent && --parent->children == 0) {
            parent->next = next;
            next = parent;
        }
        n = next;
    }
}

static void close_worker(struct worker *k)
{
    struct run *r = k->run;
    size_t shared = round_up(r->shared_end + 64, 64), local = local_total(r);
    for (uint32_t n = 0; n < MAX_WARPS; n++) {
        free_tree(k, &k->block.warps[n]);
        if (k->block.warps[n].root) {
            k->block.warps[n].root->next = NULL;
            free_frames(k->block.warps[n].root);
        }
    }
    copies_close(k);
    free_frames(k->frames);
    while (k->nodes) {
        struct node *next = k->nodes->next;
        free(k->nodes);
        k->nodes = next;
    }
    free(k->windows);
    free(k->patterns);
    free(k->found);
    munmap(k->shared, shared);
    munmap(k->shared_init, shared / 8 + 64);
    race_worker_close(k);
    if (local) {
        munmap(k->local, local);
        munmap(k->local_init, local / 8 + 64);
    }
}

static void add_counters(struct engine_counters *to,
                         const struct engine_counters *from)
{
#define X(name) to->name += from->name;
    ENGINE_COUNTERS(X)
#undef X
}

/* Threads of the host. */
static int thread_count(const struct run *r)
{
    long n = r->engine->config.workers;
    if (r->checks & CHECK_TRAFFIC)
        return 1;
    if (n <= 0)
        n = sysconf(_SC_NPROCESSORS_ONLN);
    if (n < 1)
        n = 1;
    return (uint64_t)n > r->n_blocks ? (int)r->n_blocks : (int)n;
}

/* Blocks of a sampled launch that run in turns. */
static uint32_t slots_of(const struct run *r)
{
    uint64_t resident = (uint64_t)tap_resident(r);
    uint64_t mine = tap_count(r);
    return (uint32_t)(mine < resident ? mine : resident);
}

/* One a thread, or, where all blocks must be there at once, one a block:
 * thread t has those of blocks t, t + threads, ... */
static struct worker *open_workers(struct run *r, int threads, int *n)
{
    *n = r->launch->cooperative ? (int)r->n_blocks : threads;
    if (r->n_sampled)
        *n = (int)slots_of(r);
    struct worker *workers = aligned_alloc(
        64, round_up((size_t)*n * sizeof *workers, 64));
    if (!workers)
        abort();
    for (int k = 0; k < *n; k++) {
        open_worker(&workers[k], r);
        workers[k].order = (uint64_t)k;
        workers[k].slot = (uint32_t)k;
        workers[k].mate = k + threads < *n ? &workers[k + threads] : NULL;
    }
    return workers;
}

/* A thread that the host refuses leaves its blocks to the others; those of a
 * cooperative launch are nobody else's. */
static void run_all(struct worker *workers, int n)
{
    for (int k = 1; k < n; k++) {
        workers[k].started =
            pthread_create(&workers[k].thread, NULL, work, &workers[k]) == 0;
        if (!workers[k].started && workers[k].run->launch->cooperative)
            abort();
    }
    work(&workers[0]);
    for (int k = 1; k < n; k++)
        if (workers[k].started)
            pthread_join(workers[k].thread, NULL);
}

/* What cg::grid_group finds through %envreg: its second word is a barrier. */
static void open_grid_barrier(struct engine *engine)
{
    enum { BYTES = 64 };
    if (!engine->grid_barrier)
        engine->grid_barrier = memory_alloc(&engine->memory, BYTES, true);
    if (!engine->grid_barrier ||
        engine_fill(engine, engine->grid_barrier, 0, 1, BYTES) != MEM_OK)
        abort();
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void open_tap(struct run *r)
{
    if (!(r->checks & CHECK_TRAFFIC))
        return;
    uint32_t resident = (uint32_t)tap_resident(r);
    if (r->launch->sample && !r->launch->cooperative)
        r->n_sampled = tap_count(r);
    r->tap = tap_open(r, r->launch->cooperative ? (uint32_t)r->n_blocks
                                                : resident);
}

static void open_run(struct run *r, struct engine *engine,
                     struct kernel *kernel, const struct launch *launch)
{
    *r = (struct run){.engine = engine, .kernel = kernel, .launch = launch,
                      .checks = engine->config.checks,
                      .budget = engine->config.instruction_budget,
                      .watch = engine->config.watch};
    atomic_init(&r->fault_order, UINT64_MAX);
    r->n_blocks = (uint64_t)launch->grid[0] * launch->grid[1] *
                  launch->grid[2];
    r->shared_end = kernel->static_end + (uint32_t)launch->dynamic_shared;
    r->params = calloc(kernel->info.param_bytes + 16, 1);
    if (!r->params)
        abort();
    if (launch->params)
        memcpy(r->params, launch->params, kernel->info.param_bytes);
    pthread_mutex_init(&r->out, NULL);
    race_open(r);
    shared_note_writes(engine);
    heap_launch(engine);
    open_tap(r);
    if (launch->cooperative)
        open_grid_barrier(engine);
    engine->launches++;
}

void engine_launch(struct engine *engine, struct kernel *kernel,
                   const struct launch *launch, struct launch_report *report)
{
    struct run r;
    double start = now();
    open_run(&r, engine, kernel, launch);
    int threads = thread_count(&r), n;
    struct worker *workers = open_workers(&r, threads, &n);
    run_all(workers, threads);
    *report = (struct launch_report){
        .fault = r.fault};
    size_t max = engine->config.max_findings;
    race_report(workers, n);
    found_merge(workers, n, max ? max : 16, report);
    for (int k = 0; k < n; k++) {
        add_counters(&report->counters, &workers[k].counters);
        close_worker(&workers[k]);
    }
    race_close(&r);
    if (r.tap) {
        tap_lines(r.tap);
        report->traffic = r.tap->traffic;
        tap_close(r.tap);
    }
    free(workers);
    free(r.params);
    pthread_mutex_destroy(&r.out);
    if (launch->out)
        fflush(launch->out);
    report->seconds = now() - start;
}

void engine_report_free(struct launch_report *report)
{
    free(report->findings);
    traffic_free(report->traffic);
    *report = (struct launch_report){0};
}
