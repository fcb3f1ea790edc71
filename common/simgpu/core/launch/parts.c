// SPDX-License-Identifier: MIT
/*
 * parts.c: a launch that runs part by part, with others between.
 *
 *   engine_launch_begin, engine_launch_go, engine_launch_end
 *   engine_launch_stands, engine_launch_polls, engine_launch_at
 *   engine_launch_condemn, engine_launch_deeds
 *   engine_tend
 *
 * A launch that waits for the host, or for other work, must let them come. So
 * between two rounds over their blocks all workers stop, and the launch lies
 * still: nothing else runs then, and whoever called may use the engine as if
 * no launch were under way, and run another one. Workers' records, and those of
 * races, are a launch's own; what the engine has of a launch under way (its
 * place among the streams' work) is put aside.
 */
#include <stdlib.h>

#include "opened.h"
#include "simgpu/core/exec/scheduler.h"
#include "simgpu/core/exec/still.h"
#include "simgpu/core/memory/mapped_pages.h"
#include "simgpu/core/race/detect.h"
#include "simgpu/host/threads.h"

/* Nanoseconds of a launch, or of its part, until others have their turn,
 * whatever it does. */
static const uint64_t patience = 250 * 1000 * 1000;

struct engine_stepped *engine_launch_begin(struct engine *engine,
                                           struct kernel *kernel,
                                           const struct launch *launch)
{
    struct engine_stepped *l = launch_new(launch);
    launch_open(l, engine, kernel, false);
    l->run.pauses = l->run.n_sampled == 0; /* sampled ones never wait */
    streams_put_aside(engine->streams, &l->works);
    return l;
}

static void work(void *launch, int k)
{
    struct engine_stepped *l = launch;
    if (!scheduler_work(&l->workers[k]))
        atomic_store(&l->paused, true);
}

bool engine_launch_go(struct engine_stepped *l)
{
    struct engine *engine = l->run.engine;
    bool again = atomic_load(&l->paused);
    if (again) {
        mapped_note_writes(&engine->memory);
        race_resume(&l->run);
        still_again(&l->run);
    }
    atomic_store(&l->run.pause, false);
    atomic_store(&l->paused, false);
    l->resumed = host_nanoseconds();
    launch_watch(engine, l);
    threads_run(l->threads, work, l, again || l->launch.cooperative);
    launch_watch(engine, NULL);
    return !atomic_load(&l->paused);
}

void engine_launch_end(struct engine_stepped *l, struct launch_report *report)
{
    streams_take_up(l->run.engine->streams, &l->works);
    launch_close(l, report);
    free(l);
}

enum engine_stand engine_launch_stands(const struct engine_stepped *l)
{
    return !l->run.standing         ? STAND_NOT
           : l->run.standing_mapped ? STAND_FOR_HOST
           : l->run.standing_timed  ? STAND_FOR_TIME : STAND_FOR_ANY;
}

bool engine_launch_polls(const struct engine_stepped *l)
{
    return l->run.standing || still_polls(&l->run, STILL_LONG);
}

uint64_t engine_launch_deeds(const struct engine_stepped *l)
{
    return still_deeds(&l->run);
}

bool engine_launch_at(const struct engine_stepped *l, struct finding *x)
{
    const struct source *s = still_at(&l->run, x);
    if (s)
        x->at = finding_site(s);
    return s;
}

bool engine_launch_condemn(struct engine_stepped *l, const char *why)
{
    if (l->run.standing && l->run.standing_timed) {
        l->run.time.leaps = true;
        return false;
    }
    if (l->run.standing)
        still_condemn(l->run.standing, why);
    return true;
}

void engine_tend(struct engine *engine, bool asked, bool others)
{
    lock_take(engine->watched);
    struct run *r = engine->running;
    if (r && r->pauses && (asked || others)) {
        const struct engine_stepped *l =
            (const struct engine_stepped *)(const void *)r;
        uint64_t since = asked ? l->start : l->resumed;
        if (still_polls(r, STILL_LONG) || host_nanoseconds() - since > patience)
            atomic_store(&r->pause, true);
    }
    lock_leave(engine->watched);
}
