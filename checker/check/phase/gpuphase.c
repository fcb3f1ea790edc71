// SPDX-License-Identifier: MIT
/*
 * gpuphase.c: one stage on a GPU: all its cases, then its time.
 *
 * How cases are run is gpucases.c's, how a stage is timed speed.c's.
 */
#include <stdlib.h>
#include <string.h>

#include "check/base/clock.h"
#include "check/base/progress.h"
#include "check/base/spent.h"
#include "check/judge/wrong.h"
#include "harness/probe.h"
#include "gpucases.h"
#include "phase.h"
#include "sides.h"
#include "spares.h"
#include "speed.h"
#include "warm.h"

void gpu_choose(struct workbook *w)
{
    enum device_wish wish = w->options->device;
    struct probe probe;

    if (wish == DEVICE_SIM)
        return;
    probe_gpu(&probe);
    if (!probe.usable && wish == DEVICE_GPU)
        give_up("DEVICE=gpu, but no GPU can be used: %s; `make doctor` says "
                "more",
                probe.why);
    if (!probe.usable)
        return;
    snprintf(w->gpu, sizeof w->gpu, "%.79s", probe.name);
    w->gpu_bytes = probe.memory_bytes;
    w->sm = toolkit_sm(&w->toolkit, 10 * probe.cc_major + probe.cc_minor);
}

static bool is_timed(const struct phase *phase)
{
    return phase->result->conf->has_time_shape &&
           !phase->workbook->options->draw;
}

/* Stages alone: a program, and a timer, is a process of its own. */
static bool has_runner(const struct kernel_conf *conf)
{
    return !conf->host && !conf_is_c(conf);
}

void gpu_ahead(const struct phase *phase, const struct kernel_conf *next)
{
    const struct workbook *w = phase->workbook;
    int n = next && has_runner(next);

    if (!w->gpu[0] || w->options->grade || !has_runner(phase->result->conf))
        return;
    spares_begin(w, 1 + n + (is_timed(phase) ? sides_missing(phase) : 0));
    if (is_timed(phase))
        warm_begin(phase);
}

bool gpu_is_open(void)
{
    return speed_is_open();
}

void gpu_settle(void)
{
    speed_settle();
}

void gpu_quiet(void)
{
    warm_end();
}

void gpu_tidy(void)
{
    sides_tidy();
}

void gpu_prepare(const struct phase *phase)
{
    if (phase->workbook->gpu[0] && is_timed(phase) &&
        has_runner(phase->result->conf))
        speed_prepare(phase);
}

void gpu_end(void)
{
    warm_end();
    speed_end();
    spares_drop();
}

void gpu_phase(const struct phase *phase, const struct before *before)
{
    struct kernel_result *r = phase->result;
    struct run *run = &r->run[RUN_GPU];
    struct runner_failure failure = {0};
    double begun = clock_seconds();
    struct runner *runner = spare_take(phase->workbook, &failure);
    struct text *t;

    spent_on(begun, "%s: waiting for a runner", r->conf->name);
    warm_await_ceilings();
    progress_begin(r->conf->name);
    run->ran = true;
    if (!runner) {
        t = result_blame(r, VERDICT_LAUNCH, OWNER_MACHINE, -1);
        if (t)
            text_add(t, "the GPU cannot be used: %s\n", failure.message);
        return;
    }
    snprintf(run->device, sizeof run->device, "%.79s",
             runner_device(runner)->name);
    begun = clock_seconds();
    gpu_run_cases(phase, runner, run);
    spent_on(begun, "%s: %d cases on the GPU", r->conf->name, run->cases);
    wrong_blame(r, run);
    keep_output(r, runner_output(runner));
    if (run->passed == run->cases && is_timed(phase))
        speed_measure(phase, run, runner, before);
    else
        runner_stop(runner);
    progress_clear();
}
