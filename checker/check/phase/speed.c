// SPDX-License-Identifier: MIT
/*
 * speed.c: times a stage against the one before; see speed.h.
 *
 * Three runners share the GPU (sides.h): this stage, the previous one, and a
 * copy of as many bytes, which is as fast as memory lets anything be. timing.c
 * lets them take turns.
 * Random cells of the last timed launch are compared as any other
 * output: a stage may not be right on small cases and fast on the big one. That
 * takes no GPU, and so it goes on beside the next kernel's cases.
 */
#include "speed.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check/base/clock.h"
#include "check/base/progress.h"
#include "check/base/spent.h"
#include "check/judge/wrong.h"
#include "check/time/roofs.h"
#include "check/time/timing.h"
#include "sides.h"
#include "spares.h"
#include "warm.h"
#include "windows.h"

static const uint64_t timing_seed = 0x74696d65; /* apart from any case's */

enum { LOOKS = 5 }; /* calls whose outputs are compared, for a grade */

/* Where it stands under the ceilings. Memory's is the copy of this very
 * session where there is one, so that the ratio comes from one run. */
static void place(const struct phase *phase, const struct timing *t,
                  struct runner *copier_now, struct speed *s)
{
    struct runner_failure failure = {0};
    char stages[PATH_BYTES], cache[PATH_BYTES];
    struct roofs_config config = {.stages = stages, .cache = cache};
    enum pipe pipe = phase->result->conf->op->pipe;
    double copy = t->seconds[TIMING_COPY].median;
    struct roofline line;
    struct roofs roofs;

    path_set(stages, "%s/harness", phase->workbook->build);
    path_set(cache, "%s/roofs", phase->workbook->build);
    config.runner = copier_now && !phase->workbook->options->grade
                        ? copier_now
                        : spare_own(phase->workbook, &failure);
    if (config.runner &&
        roofs_get(&config, pipe, &roofs, &failure) == RUNNER_OK) {
        if (copy > 0.0)
            roofs.bandwidth = s->bytes / copy;
        line = roofline_place(s->flops, s->bytes,
                              t->seconds[TIMING_CURRENT].median, &roofs);
        s->percent_of_roof = line.percent_of_roof;
        snprintf(s->bound, sizeof s->bound, "%s", line.bound);
        s->datasheet = roofs.datasheet;
    }
    if (config.runner != copier_now)
        runner_stop(config.runner);
}

static struct interval in_ms(struct interval seconds)
{
    return (struct interval){seconds.median * 1e3, seconds.low * 1e3,
                             seconds.high * 1e3};
}

static void note_timing(struct speed *s, const struct timing *t,
                        const struct data *d, bool has_previous, bool has_copy)
{
    s->timed = true;
    s->has_previous = has_previous;
    s->this_ms = in_ms(t->seconds[TIMING_CURRENT]);
    s->flops = d->op->flops(&d->c->problem.shape);
    s->bytes = d->op->bytes(d->op, &d->c->problem.shape);
    s->percent_of_roof = NAN;
    snprintf(s->bound, sizeof s->bound, "unknown");
    if (has_previous) {
        s->previous_ms = in_ms(t->seconds[TIMING_PREVIOUS]);
        s->speedup = t->speedup;
        s->verdict = t->verdict;
    }
    if (has_copy)
        s->copy_ms = t->seconds[TIMING_COPY].median * 1e3;
    snprintf(s->message, sizeof s->message, "%s", t->message);
}

/* What is asked of a stage must not go unasked since the stage took the memory
 * that it is measured by. */
static void blame_unmeasured(struct kernel_result *r, const char *what)
{
    struct text *t = result_blame(r, VERDICT_SLOW, OWNER_MACHINE, -1);

    if (!t)
        return;
    text_add(t, "%s could not be measured beside it\n", what);
    text_add(&r->advice, "Is the GPU's memory in use by others, or by the "
             "stage itself? Run it again when it is free.");
}

static void judge_speed(const struct phase *phase, const struct speed *s,
                        const struct timing *timing)
{
    struct kernel_result *r = phase->result;
    double least = r->conf->min_speedup;
    /* A grade hangs on it: nobody is to lose points by scatter. */
    bool open = s->verdict == TIMING_AMBIGUOUS ||
                (phase->workbook->options->grade && s->speedup.high >= least);
    struct text *t;

    if (timing->refused) {
        t = result_blame(r, VERDICT_REFUSED, OWNER_YOU, -1);
        if (t)
            text_add(t, "%s\n", timing->message);
        return;
    }
    if (timing->busy) {
        t = result_blame(r, VERDICT_SLOW, OWNER_MACHINE, -1);
        if (t)
            text_add(t, "%s\n", timing->message);
        text_add(&r->advice, "Close what else uses the GPU, and run it again.");
        return;
    }
    if (!(least > 0.0) || !s->has_previous || s->speedup.low >= least)
        return;
    if (speed_at_floor(s, 1e3 * timing->floor_seconds)) {
        text_add(&r->notes, "%.3gx is asked for; it passes, since it takes at "
                 "most a tenth longer than a copy of its bytes.\n", least);
        return;
    }
    t = result_blame(r, VERDICT_SLOW, open ? OWNER_MACHINE : OWNER_YOU, -1);
    if (!t)
        return;
    text_add(t, "%.3gx as fast as %s (at least %.3gx, 95 %% sure); %.3gx is "
             "asked for\n", s->speedup.median, s->previous, s->speedup.low,
             least);
    if (open)
        text_add(&r->advice, "The times scatter too much to tell: close what "
                 "else uses the GPU, and run it again.");
}

/* No roof was measured: nothing is asked, unless a grade hangs on it. */
static void judge_roof(const struct phase *phase, const struct speed *s)
{
    struct kernel_result *r = phase->result;
    double least = r->conf->min_percent_of_roof;
    struct text *t;

    if (!(least > 0.0) || s->percent_of_roof >= least)
        return;
    if (isnan(s->percent_of_roof)) {
        if (phase->workbook->options->grade)
            blame_unmeasured(r, "the ceilings of this GPU");
        return;
    }
    t = result_blame(r, VERDICT_SLOW, OWNER_YOU, -1);
    if (t)
        text_add(t, "it reaches %.3g %% of the %s roof that the %s; %.3g %% is "
                 "asked for\n", s->percent_of_roof, s->bound,
                 s->datasheet ? "datasheet names" : "harness measured", least);
}

/* Compares some cells of what the last timed launch wrote. */
static enum runner_status look(struct runner *runner, struct run *run,
                               struct data *d, struct runner_failure *failure)
{
    struct runner_result result;
    enum runner_status status = runner_download(runner, d->got, &result,
                                                failure);

    if (status == RUNNER_OK)
        windows_compare(d, run);
    return status;
}

/* The same of a few more calls, each with inputs of its own: a set that the
 * stage cannot foresee. */
static enum runner_status look_at_sets(struct runner *runner, struct run *run,
                                       struct data *d,
                                       struct runner_failure *failure)
{
    int n = runner_sets(runner).n;
    enum runner_status status = RUNNER_OK;
    struct test_case c;
    struct data other, held;

    sides_other_data(&other, d, &c);
    data_make(&held, d->op, d->c);
    for (int i = 0; i < LOOKS && status == RUNNER_OK; i++) {
        status = runner_on_sets(runner, n, NULL, failure);
        if (status != RUNNER_OK)
            break;
        runner_mix(runner, (int)(seed_mix(d->c->problem.seed, (uint64_t)i) %
                                 (uint64_t)n),
                   d->given, other.given, held.given);
        status = look(runner, run, &held, failure);
    }
    data_free(&held);
    data_free(&other);
    return status;
}

/* A kernel whose launches were timed, and whose outputs are still to be
 * compared, beside the next kernel's cases. */
static struct {
    bool open;
    const struct phase *phase;
    struct run *run;
    struct timing timing;
    struct runner *runner;
    struct data *data;
    enum runner_status status;
    struct runner_failure failure;
    pthread_t thread;
    bool beside;
} last;

/* The runner that was timed last, with its arrays still in place; the next
 * kernel may be timed against this very stage. */
static struct {
    struct runner *runner;
    char stage[PATH_BYTES];
    const struct data *data;
} settled;

static void *look_at_last(void *unused)
{
    double begun = clock_seconds();

    (void)unused;
    last.status = runner_sets(last.runner).n > 0
                      ? look_at_sets(last.runner, last.run, last.data,
                                     &last.failure)
                      : look(last.runner, last.run, last.data, &last.failure);
    spent_on(begun, "outputs of the last timed launch, brought and compared");
    return NULL;
}

bool speed_is_open(void)
{
    return last.open;
}

static void leave_settled(void)
{
    sides_retire(settled.runner);
    settled.runner = NULL;
}

void speed_settle(void)
{
    double begun = clock_seconds();
    struct run *run = last.run;

    if (!last.open)
        return;
    if (last.beside)
        pthread_join(last.thread, NULL);
    spent_on(begun, "%s: waiting for its outputs",
             last.phase->result->conf->name);
    last.open = false;
    leave_settled();
    if (last.status != RUNNER_OK) {
        run->speed.timed = false;
        blame_runner(last.phase, last.status, &last.failure, last.data->c);
        runner_stop(last.runner);
        return;
    }
    settled.runner = last.runner;
    settled.data = last.data;
    path_set(settled.stage, "%s", last.phase->result->build.result);
    wrong_blame(last.phase->result, run);
    judge_speed(last.phase, &run->speed, &last.timing);
    judge_roof(last.phase, &run->speed);
}

/* A grade's stage meets nothing else. */
static void begin_to_look(void)
{
    last.open = true;
    last.beside = !last.phase->workbook->options->grade &&
                  pthread_create(&last.thread, NULL, look_at_last, NULL) == 0;
    if (last.beside)
        return;
    look_at_last(NULL);
    speed_settle();
    leave_settled();
}

void speed_end(void)
{
    leave_settled();
    sides_end();
}

/* Times; what the last timed launch wrote is looked at from now on. */
static void measure(const struct phase *phase, struct run *run,
                    struct timing_config *config, struct data *d)
{
    struct runner_failure failure = {0};
    enum runner_status status = timing_compare(config, &last.timing, &failure);
    double begun = clock_seconds();

    if (status != RUNNER_OK) {
        blame_runner(phase, status, &failure, d->c);
        return;
    }
    note_timing(&run->speed, &last.timing, d,
                config->runner[TIMING_PREVIOUS] != NULL,
                config->runner[TIMING_COPY] != NULL);
    place(phase, &last.timing, config->runner[TIMING_COPY], &run->speed);
    spent_on(begun, "ceilings of this GPU");
    last.phase = phase;
    last.run = run;
    last.runner = config->runner[TIMING_CURRENT];
    config->runner[TIMING_CURRENT] = NULL;
    last.data = d;
    begin_to_look();
}

/* The stage that was timed last is one of the solutions, and this one's
 * previous; its arrays hold what they should. */
static bool is_settled(const struct previous *previous, const struct data *d)
{
    return settled.runner && settled.data == d &&
           strcmp(settled.stage, previous->stage) == 0;
}

static bool will_be_settled(const struct previous *previous,
                            const struct data *d)
{
    const struct phase *phase = last.phase;

    return last.open && phase->workbook->options->solution &&
           !phase->workbook->options->grade && last.data == d &&
           strcmp(phase->result->build.result, previous->stage) == 0;
}

/* For the next kernel, if none of them failed; nothing for a grade. */
static void keep(const struct phase *phase, const struct run *run,
                 const struct timing_config *config)
{
    bool keeps = !phase->workbook->options->grade && run->speed.timed;

    for (int i = 0; i < TIMING_SIDES; i++)
        if (keeps && i != TIMING_CURRENT)
            sides_keep((enum timing_side)i, config->runner[i]);
        else
            runner_stop(config->runner[i]);
}

static double inputs_bytes(const struct data *d)
{
    double sum = 0;

    for (int i = 0; i < d->op->n_buffers; i++)
        sum += d->given[i] ? (double)d->bytes[i] : 0;
    return sum;
}

static struct runner *ready_current(const struct phase *phase,
                                    struct runner *current,
                                    const struct data *d)
{
    struct runner_failure failure = {0};
    double begun = clock_seconds();
    enum runner_status status;

    if (phase->workbook->options->grade) {
        runner_stop(current); /* nothing of the cases is left */
        current = NULL;
    }
    current = sides_load(phase, current, phase->result->build.result, d,
                         &failure, &status);
    if (!current)
        blame_runner(phase, status, &failure, d->c);
    spent_on(begun, "this stage loaded, its inputs uploaded");
    return current;
}

/* The other two, and in between the kernel before is through: then the GPU is
 * this one's alone. */
static void ready_others(const struct phase *phase, const struct data *d,
                         struct runner *runner[TIMING_SIDES],
                         char whose[PATH_BYTES], const struct before *before)
{
    double begun = clock_seconds();
    struct previous previous = {0};
    bool any = previous_stage(phase->workbook, phase->result->conf, &previous);
    bool same = any && will_be_settled(&previous, d);

    path_set(whose, "%s", previous.whose);
    if (any && !same)
        runner[TIMING_PREVIOUS] = sides_previous(phase, &previous, d);
    spent_on(begun, "the previous stage, the same");
    warm_end();
    begun = clock_seconds();
    runner[TIMING_COPY] = sides_copy(
        phase, d->op->bytes(d->op, &d->c->problem.shape));
    spent_on(begun, "the copy kernel, the same, and its inputs made");
    before->settle(before->context);
    if (same && is_settled(&previous, d)) {
        runner[TIMING_PREVIOUS] = settled.runner;
        settled.runner = NULL;
    } else if (same) {
        runner[TIMING_PREVIOUS] = sides_previous(phase, &previous, d);
    }
    if (any && !runner[TIMING_PREVIOUS] &&
        phase->result->conf->min_speedup > 0.0)
        blame_unmeasured(phase->result, whose);
    leave_settled();
    before->prepare(before->context);
}

static struct data *make_data(const struct phase *phase)
{
    const struct op *op = phase->result->conf->op;
    struct op_shape shape = sides_shape(phase);
    struct test_case c = {
        .number = -1,
        .problem = op_timed(op, &shape, seed_mix(phase->seed, timing_seed))};
    double begun = clock_seconds();
    struct data *d = sides_data(op, &c);

    spent_on(begun, "%.0f MB of inputs at the timed shape",
             inputs_bytes(d) * 1e-6);
    return d;
}

void speed_prepare(const struct phase *phase)
{
    make_data(phase);
}

void speed_measure(const struct phase *phase, struct run *run,
                   struct runner *current, const struct before *before)
{
    const struct kernel_conf *conf = phase->result->conf;
    struct timing_config config = {
        .op = conf->op, .least = conf->min_speedup,
        .to_decide = !phase->workbook->options->grade};
    struct data *d;

    progress_step("timing");
    before->await(before->context);
    d = make_data(phase);
    config.shape = d->c->problem.shape;
    config.runner[TIMING_CURRENT] = ready_current(phase, current, d);
    ready_others(phase, d, config.runner, run->speed.previous, before);
    if (config.runner[TIMING_CURRENT])
        measure(phase, run, &config, d);
    keep(phase, run, &config);
}
