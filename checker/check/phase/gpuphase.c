// SPDX-License-Identifier: MIT
/*
 * gpuphase.c: one stage on a GPU: all its cases, then its time.
 *
 * The runner brings outputs back here; fresh inputs, poison and guard bytes are
 * what is held against it. For a grade another process keeps the arrays
 * (keeper.h) and brings them back. How a stage is timed is speed.c's.
 */
#include <stdlib.h>
#include <string.h>

#include "check/base/clock.h"
#include "check/base/progress.h"
#include "check/base/spent.h"
#include "harness/probe.h"
#include "phase.h"
#include "sides.h"
#include "spares.h"
#include "speed.h"
#include "warm.h"

static void blame_guard(const struct phase *phase,
                        const struct runner_result *result,
                        const struct test_case *c)
{
    struct kernel_result *r = phase->result;
    const struct op_buffer *b;
    struct text *t;

    if (result->guards_ok)
        return;
    t = result_blame(r, VERDICT_MEMORY, OWNER_YOU, c->number);
    if (!t)
        return;
    b = result->guard_buffer >= 0 &&
                result->guard_buffer < r->conf->op->n_buffers
            ? &r->conf->op->buffers[result->guard_buffer]
            : NULL;
    text_add(t, "it writes outside %s, %lld bytes from its start\n  at ",
             b ? b->name : "the workspace", result->guard_offset);
    case_name(t, r->conf->op, c);
    text_add(t, "\n");
    text_add(&r->advice, "DEVICE=sim names the line and the thread.");
}

static void blame_inputs(const struct phase *phase,
                         const struct runner_result *result,
                         const struct test_case *c)
{
    struct text *t;

    if (result->inputs_ok)
        return;
    t = result_blame(phase->result, VERDICT_REFUSED, OWNER_YOU, c->number);
    if (t)
        text_add(t, "the launch changed one of its inputs\n");
}

/* One launch of one case; false: the runner is of no more use. */
static bool run_case(const struct phase *phase, struct runner *runner,
                     struct run *run, const struct test_case *c)
{
    struct runner_failure failure = {0};
    struct runner_result result = {.guards_ok = true, .inputs_ok = true};
    enum runner_status status;
    struct comparison cmp;
    struct data d;

    data_make(&d, phase->result->conf->op, c);
    run->cases++;
    status = runner_upload(runner, d.given, c->problem.scalar, &failure);
    if (status == RUNNER_OK)
        status = runner_launch(runner, &failure);
    if (status == RUNNER_OK)
        status = runner_download(runner, d.got, &result, &failure);
    if (status == RUNNER_OK) {
        data_compare(&d, NULL, &cmp);
        result_keep_wrong(run, c, &cmp, true);
        run->passed += cmp.kind == CELL_RIGHT;
        blame_guard(phase, &result, c);
        blame_inputs(phase, &result, c);
    } else {
        blame_runner(phase, status, &failure, c);
    }
    data_free(&d);
    return status == RUNNER_OK;
}

static void run_cases(const struct phase *phase, struct runner *runner,
                      struct run *run)
{
    const struct case_list *list = phase->cases;
    struct runner_case rc = {.op = phase->result->conf->op,
                             .stage = phase->result->build.result};
    struct runner_failure failure = {0};
    struct runner_layout layout;

    for (int i = 0; i < list->n; i++) {
        const struct test_case *c = &list->cases[i];
        enum runner_status status = RUNNER_OK;

        progress_step("GPU, case %d of %d", i + 1, list->n);
        if (i == 0 || memcmp(&c->problem.shape,
                             &list->cases[i - 1].problem.shape,
                             sizeof c->problem.shape) != 0) {
            rc.shape = c->problem.shape;
            status = runner_load(runner, &rc, &layout, &failure);
        }
        if (status != RUNNER_OK) {
            blame_runner(phase, status, &failure, c);
            return;
        }
        if (!run_case(phase, runner, run, c))
            return;
    }
}

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
    run_cases(phase, runner, run);
    spent_on(begun, "%s: %d cases on the GPU", r->conf->name, run->cases);
    result_blame_wrong(r, run);
    keep_output(r, runner_output(runner));
    if (run->passed == run->cases && is_timed(phase))
        speed_measure(phase, run, runner, before);
    else
        runner_stop(runner);
    progress_clear();
}
