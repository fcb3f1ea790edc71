// SPDX-License-Identifier: MIT
/*
 * warm.c: see warm.h. What else the GPU does before warm_end() is not timed:
 * contexts are opened, the first kernel's cases run, its inputs come.
 */
#include "warm.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "check/base/clock.h"
#include "check/base/spent.h"
#include "check/time/roofs.h"
#include "check/time/warming.h"
#include "sides.h"
#include "spares.h"

enum { CORES = 4 }; /* fewer have enough to do: waiting for a GPU takes one */

static struct {
    const struct phase *phase;
    struct runner *runner; /* the thread's until the end */
    atomic_bool stop, measured; /* asked to end; the ceilings are known */
    pthread_t thread;
    bool tried, started;
} warm;

/* Of this chapter's kernels. */
static void measure_ceilings(struct runner *runner)
{
    const struct workbook *w = warm.phase->workbook;
    char stages[PATH_BYTES], cache[PATH_BYTES];
    struct roofs_config config = {.runner = runner, .stages = stages,
                                  .cache = cache};
    struct runner_failure failure;
    struct roofs roofs;

    path_set(stages, "%s/harness", w->build);
    path_set(cache, "%s/roofs", w->build);
    for (int i = 0; i < w->conf.n_kernels && !warm.stop; i++)
        if (w->conf.kernels[i].has_time_shape)
            roofs_get(&config, w->conf.kernels[i].op->pipe, &roofs, &failure);
}

static void *work(void *unused)
{
    const struct phase *phase = warm.phase;
    const struct op *op = phase->result->conf->op;
    struct runner_failure failure;
    double begun = clock_seconds();
    struct op_shape shape;

    (void)unused;
    warm.runner = runner_greet(warm.runner, &failure);
    if (warm.runner)
        measure_ceilings(warm.runner);
    warm.measured = true;
    if (!warm.runner)
        return NULL;
    shape = sides_shape(phase);
    warm.runner = sides_load_copy(phase, warm.runner, op->bytes(op, &shape));
    spent_on(begun, "warming: GPU opened, ceilings, the copy loaded");
    begun = clock_seconds();
    if (warm.runner)
        warming_keep(warm.runner, &warm.stop);
    spent_on(begun, "warming");
    return NULL;
}

void warm_begin(const struct phase *phase)
{
    if (warm.tried || phase->workbook->options->grade ||
        sysconf(_SC_NPROCESSORS_ONLN) < CORES)
        return;
    warm.tried = true;
    warm.runner = spare_begun();
    warm.phase = phase;
    warm.started = warm.runner &&
                   pthread_create(&warm.thread, NULL, work, NULL) == 0;
    if (!warm.started)
        runner_stop(warm.runner);
}

void warm_await_ceilings(void)
{
    while (warm.started && warm.phase && !warm.measured)
        usleep(10000);
}

void warm_end(void)
{
    double begun = clock_seconds();

    if (!warm.started || !warm.phase)
        return;
    warm.stop = true;
    pthread_join(warm.thread, NULL);
    sides_keep(TIMING_COPY, warm.runner);
    warm.phase = NULL;
    spent_on(begun, "waiting for the end of warming");
}
