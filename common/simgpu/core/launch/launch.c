// SPDX-License-Identifier: MIT
/*
 * launch.c: a launch from its arguments to its report.
 *
 *   engine_launch, engine_report_free
 *
 * worker.c has what executes a block, scheduler.c the order in which blocks and
 * warps run. Counters and findings are each worker's own and are added up
 * here, at the end.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "simgpu/core/exec/heap.h"
#include "simgpu/core/memory/mapped_pages.h"
#include "simgpu/core/model/traffic.h"
#include "simgpu/core/exec/scheduler.h"
#include "simgpu/core/exec/worker.h"
#include "simgpu/core/race/detect.h"
#include "simgpu/core/state/finding.h"

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

/* A thread that the host refuses leaves its blocks to the others; those of a
 * cooperative launch are nobody else's. */
static void run_all(struct worker *workers, int n)
{
    for (int k = 1; k < n; k++) {
        workers[k].started =
            pthread_create(&workers[k].thread, NULL, scheduler_work,
                           &workers[k]) == 0;
        if (!workers[k].started && workers[k].run->launch->cooperative)
            abort();
    }
    scheduler_work(&workers[0]);
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
    mapped_note_writes(&engine->memory);
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
    struct worker *workers = workers_open(&r, threads, &n);
    run_all(workers, threads);
    *report = (struct launch_report){
        .fault = r.fault};
    size_t max = engine->config.max_findings;
    race_report(workers, n);
    found_merge(workers, n, max ? max : 16, report);
    for (int k = 0; k < n; k++) {
        add_counters(&report->counters, &workers[k].counters);
        worker_close(&workers[k]);
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
