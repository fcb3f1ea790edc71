// SPDX-License-Identifier: MIT
/*
 * launch.c: a launch from its arguments to its report.
 *
 *   engine_launch, engine_report_free
 *   engine_launch_open, engine_launch_step, engine_launch_close
 *   engine_launch_look, engine_launch_found
 *   engine_launch_run, engine_launch_finish
 *   launch_*        see opened.h
 *
 * worker.c has what executes a block, scheduler.c the order in which blocks and
 * warps run. Counters and findings are each worker's own and are added up
 * here, at the end.
 */
#include <stdlib.h>
#include <string.h>

#include "simgpu/core/exec/freeze.h"
#include "simgpu/core/exec/heap.h"
#include "simgpu/core/memory/mapped_pages.h"
#include "simgpu/core/model/traffic.h"
#include "simgpu/core/exec/scheduler.h"
#include "simgpu/core/exec/steps.h"
#include "simgpu/core/exec/worker.h"
#include "opened.h"
#include "simgpu/core/race/detect.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/host/threads.h"

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void add_busiest(struct busiest_block *to,
                        const struct busiest_block *from)
{
    to->warp_instructions =
        larger(to->warp_instructions, from->warp_instructions);
    to->sectors = larger(to->sectors, from->sectors);
}

/* How often a loop that waits goes round is nothing that the launch has to do.
 */
static void add_counters(struct engine_counters *to, const struct worker *k)
{
#define X(name) to->name += k->counters.name;
    ENGINE_COUNTERS(X)
#undef X
    to->warp_instructions -= k->spun.warps;
    to->lane_instructions -= k->spun.lanes;
}

/* Threads of the host. */
static int thread_count(const struct run *r)
{
    if (r->checks & CHECK_TRAFFIC)
        return 1;
    int n = threads_count(r->engine->config.workers);
    uint64_t most = run_clusters(r);
    return (uint64_t)n > most ? (int)most : n;
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

/* Its blocks run by the model's order and clock. */
static void open_probe(struct run *r)
{
    if (!(r->checks & CHECK_TRAFFIC))
        return;
    if (freeze_host(r->engine) > r->engine->clock)
        r->engine->clock = freeze_host(r->engine);
    traffic_begin(r);
}

static void open_run(struct run *r, struct engine *engine,
                     struct kernel *kernel, const struct launch *launch,
                     unsigned checks)
{
    *r = (struct run){.engine = engine, .kernel = kernel, .launch = launch,
                      .checks = checks,
                      .budget = engine->config.instruction_budget,
                      .quota = NO_QUOTA,
                      .still_rounds = checks & CHECK_COUNTERS
                                          ? engine->config.still_rounds : 0,
                      .watch = engine->config.watch,
                      .inputs = engine->config.inputs[0].bytes
                                    ? engine->config.inputs : NULL};
    atomic_init(&r->fault_order, UINT64_MAX);
    r->n_blocks = (uint64_t)launch->grid[0] * launch->grid[1] *
                  launch->grid[2];
    r->cluster_blocks = 1;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t n = launch->cluster[axis] ? launch->cluster[axis]
                                           : kernel->info.cluster[axis];
        r->cluster[axis] = n ? n : 1;
        r->cluster_blocks *= r->cluster[axis];
        r->explicit_cluster |= n != 0;
    }
    r->shared_end = kernel->static_end + (uint32_t)launch->dynamic_shared;
    r->params = calloc(kernel->info.param_bytes + 16, 1);
    if (!r->params)
        abort();
    if (launch->params)
        memcpy(r->params, launch->params, kernel->info.param_bytes);
    r->out = lock_new();
    if (race_open(r))
        r->races = &race_observer;
    mapped_note_writes(&engine->memory);
    heap_launch(engine);
    open_probe(r);
    if (launch->cooperative)
        open_grid_barrier(engine);
    engine->launches++;
}

void launch_open(struct engine_stepped *l, struct engine *engine,
                 struct kernel *kernel, bool stepped)
{
    struct run *r = &l->run;
    l->start = host_nanoseconds();
    l->paused = false;
    open_run(r, engine, kernel, &l->launch,
             engine->config.checks & ~(stepped ? CHECK_TRAFFIC : 0u));
    l->threads = stepped ? 1 : thread_count(r);
    if (stepped) {
        l->steps = (struct steps){0};
        r->steps = &l->steps;
        r->traffic = &steps_observer;
    }
    l->workers = workers_open(r, l->threads, &l->n_workers);
}

static void work(void *launch, int k)
{
    const struct engine_stepped *l = launch;
    scheduler_work(&l->workers[k]);
}

void engine_launch_look(const struct engine_stepped *l,
                        struct launch_report *report)
{
    *report = (struct launch_report){.fault = l->run.fault};
    size_t max = l->run.engine->config.max_findings;
    found_merge(l->workers, l->n_workers, max ? max : 16, report);
    for (int k = 0; k < l->n_workers; k++) {
        if (l->workers[k].guest || (k > 0 && l->workers[k].stranger))
            continue;
        add_counters(&report->counters, &l->workers[k]);
        add_busiest(&report->busiest, &l->workers[k].busiest);
    }
}

size_t engine_launch_found(const struct engine_stepped *l)
{
    size_t n = 0;
    for (int k = 0; k < l->n_workers; k++)
        n += l->workers[k].found ? l->workers[k].found->n : 0;
    return n;
}

void launch_close(struct engine_stepped *l, struct launch_report *report)
{
    struct run *r = &l->run;
    struct worker *workers = l->workers;
    int n = l->n_workers = (int)atomic_load(&r->opened);
    if (r->races)
        race_report(workers, n);
    engine_launch_look(l, report);
    if (l->launch.fair && r->cluster_blocks > 1) /* they took no turns */
        report->busiest = (struct busiest_block){0};
    for (int k = 0; k < n; k++)
        worker_close(&workers[k]);
    if (r->races)
        race_close(r);
    report->traffic = r->probe ? traffic_end(r) : NULL;
    free(workers);
    free(r->params);
    lock_free(r->out);
    if (l->launch.out)
        fflush(l->launch.out);
    report->seconds = 1e-9 * (double)(host_nanoseconds() - l->start);
}

/* From here on engine_progress sees this launch; NULL: none. */
void launch_watch(struct engine *engine, struct engine_stepped *l)
{
    lock_take(engine->watched);
    engine->running = l ? &l->run : NULL;
    engine->began = l ? l->start : 0;
    lock_leave(engine->watched);
}

bool engine_progress(struct engine *engine, struct engine_progress *p)
{
    *p = (struct engine_progress){0};
    lock_take(engine->watched);
    struct run *r = engine->running;
    if (r) {
        p->kernel = r->kernel->info.name;
        p->seconds = 1e-9 * (double)(host_nanoseconds() - engine->began);
        p->n_blocks = r->n_blocks;
        p->blocks = atomic_load(&r->next_block);
        p->warp_instructions = atomic_load(&r->spent);
    }
    lock_leave(engine->watched);
    if (p->blocks > p->n_blocks)
        p->blocks = p->n_blocks;
    return p->kernel;
}

void engine_launch(struct engine *engine, struct kernel *kernel,
                   const struct launch *launch, struct launch_report *report)
{
    struct engine_stepped l;
    l.launch = *launch;
    launch_open(&l, engine, kernel, false);
    launch_watch(engine, &l);
    /* A thread that the host refuses leaves its blocks to the others; but in a
     * cooperative launch each has blocks that nobody else would run. */
    threads_run(l.threads, work, &l, launch->cooperative);
    launch_watch(engine, NULL);
    launch_close(&l, report);
}

struct engine_stepped *launch_new(const struct launch *launch)
{
    struct engine_stepped *l =
        aligned_alloc(_Alignof(struct engine_stepped), sizeof *l);
    if (!l)
        abort();
    l->launch = *launch;
    return l;
}

struct engine_stepped *engine_launch_open(struct engine *engine,
                                          struct kernel *kernel,
                                          const struct launch *launch)
{
    struct engine_stepped *l = launch_new(launch);
    l->launch.sample = false;
    launch_open(l, engine, kernel, true);
    return l;
}

size_t engine_launch_step(struct engine_stepped *launch,
                          struct engine_step *steps, size_t n)
{
    struct steps *s = &launch->steps;
    s->to = steps;
    s->n = n;
    s->done = 0;
    if (n)
        scheduler_work(launch->workers);
    return s->done;
}

/* A warp that has paused resumes in any case. */
bool engine_launch_run(struct engine_stepped *launch, uint64_t n)
{
    struct run *r = &launch->run;
    r->traffic = NULL;
    r->steps = NULL;
    r->quota = n;
    bool over = scheduler_work(launch->workers);
    r->traffic = &steps_observer;
    r->steps = &launch->steps;
    r->quota = NO_QUOTA;
    return over;
}

void engine_launch_finish(struct engine_stepped *launch)
{
    engine_launch_run(launch, NO_QUOTA);
}

void engine_launch_close(struct engine_stepped *launch,
                         struct launch_report *report)
{
    launch_close(launch, report);
    free(launch);
}

void engine_report_free(struct launch_report *report)
{
    free(report->findings);
    traffic_free(report->traffic);
    *report = (struct launch_report){0};
}
