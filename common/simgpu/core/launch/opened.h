// SPDX-License-Identifier: MIT
/*
 * opened.h: a launch from open to close, for launch.c and parts.c.
 *
 *   launch_new     memory for one
 *   launch_open    everything is ready to run
 *   launch_watch   from here on engine_progress sees this launch; NULL: none
 *   launch_close   adds up what its workers counted and found
 */
#ifndef SIMGPU_OPENED_H
#define SIMGPU_OPENED_H

#include "simgpu/core/exec/steps.h"
#include "simgpu/core/race/streams.h"
#include "simgpu/core/state/state.h"

struct engine_stepped {
    struct run run;
    struct launch launch;
    struct worker *workers;
    int threads, n_workers;
    uint64_t start;
    struct steps steps;
    /* Of a launch that runs part by part: */
    atomic_bool paused;     /* some worker has not ended */
    uint64_t resumed;       /* when its present part began */
    struct under_way works; /* what it is to the streams */
};

struct engine_stepped *launch_new(const struct launch *launch);
void launch_open(struct engine_stepped *l, struct engine *engine,
                 struct kernel *kernel, bool stepped);
void launch_watch(struct engine *engine, struct engine_stepped *l);
void launch_close(struct engine_stepped *l, struct launch_report *report);

#endif
