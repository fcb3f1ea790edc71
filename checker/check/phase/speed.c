// SPDX-License-Identifier: MIT
/*
 * speed.c: times a stage against the one before; see speed.h.
 *
 * Three runners share the GPU: this stage, the previous one, and a copy of as
 * many bytes, which is as fast as memory lets anything be. Each creates a
 * context, which takes a second or so: hence the first is the one that ran the
 * cases, and the others serve all kernels of a check, the copy's also measures
 * ceilings. A grade begins each anew. timing.c lets them take turns.
 * Random cells of the last timed launch are compared as any other
 * output: a stage may not be right on small cases and fast on the big one.
 */
#include "speed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/base/clock.h"
#include "check/base/crew.h"
#include "check/base/progress.h"
#include "check/base/spent.h"
#include "check/time/roofs.h"
#include "previous.h"
#include "spares.h"

enum { WINDOWS_MOST = 256 };
static const uint64_t timing_seed = 0x74696d65; /* apart from any case's */

/* Flops that check spends on references of timed cells. */
static const double reference_flops = 2e8;
/* Of the GPU's memory, for one of the three runners. Where another process
 * keeps the arrays, they are there several times over. */
static const double memory_share = 0.25, kept_share = 0.04;
enum { LOOKS = 5 }; /* calls whose outputs are compared, for a grade */

/* Used by this kernel and by those to come: the copy holds no learner's code,
 * and of the stages before, which were right, each makes room for the next. */
static struct runner *kept[TIMING_SIDES];

static struct op_shape shrink(const struct op *op, struct op_shape shape,
                              double room)
{
    while (op->bytes(op, &shape) > room) {
        int *most = &shape.dim[0];

        for (int i = 1; i < op->n_dims; i++)
            if (shape.dim[i] > *most)
                most = &shape.dim[i];
        if (*most < 2)
            break;
        *most /= 2;
    }
    return shape;
}

static bool has_previous(const struct phase *phase)
{
    const struct kernel_conf *conf = phase->result->conf;

    return conf->previous || conf->previous_kernel[0] ||
           phase->workbook->conf.previous;
}

int speed_runners(const struct phase *phase)
{
    return !kept[TIMING_COPY] +
           (has_previous(phase) && !kept[TIMING_PREVIOUS]);
}

void speed_end(void)
{
    for (int i = 0; i < TIMING_SIDES; i++)
        if (kept[i])
            runner_kill(kept[i]);
    for (int i = 0; i < TIMING_SIDES; i++) {
        runner_stop(kept[i]);
        kept[i] = NULL;
    }
}

/* Other inputs of the same shape; equal for equal cases. */
static void make_other(struct data *other, const struct data *d,
                       struct test_case *c)
{
    *c = *d->c;
    c->problem = op_timed(d->op, &d->c->problem.shape,
                          seed_mix(d->c->problem.seed, 1));
    data_make(other, d->op, c);
}

static enum runner_status upload_other(struct runner *runner,
                                       const struct data *d,
                                       struct runner_failure *failure)
{
    enum runner_status status;
    struct test_case c;
    struct data other;

    make_other(&other, d, &c);
    status = runner_upload_other(runner, other.given, failure);
    data_free(&other);
    return status;
}

/* A side's runner, kept or new, with the case loaded and uploaded, or NULL.
 * What an earlier stage left behind is no fault of the next: that gets another.
 */
static struct runner *ready(const struct phase *phase, enum timing_side side,
                            const char *stage, const struct data *d,
                            struct runner_failure *failure,
                            enum runner_status *status)
{
    struct runner_case rc = {.op = d->op, .shape = d->c->problem.shape,
                             .stage = stage};
    struct runner_layout layout;
    struct runner *runner = kept[side];
    bool again = runner && side != TIMING_CURRENT;

    kept[side] = NULL;
    if (!runner)
        runner = spare_take(phase->workbook, failure);
    *status = runner ? runner_load(runner, &rc, &layout, failure)
                     : RUNNER_DEVICE;
    if (*status == RUNNER_OK)
        *status = runner_upload(runner, d->given, d->c->problem.scalar,
                                failure);
    if (*status == RUNNER_OK && runner_sets(runner).n > 0)
        *status = upload_other(runner, d, failure);
    if (*status == RUNNER_OK)
        return runner;
    runner_stop(runner);
    return again ? ready(phase, side, stage, d, failure, status) : NULL;
}

/* A float4 copy that reads and writes as many bytes as the operator must. */
static struct runner *ready_copy(const struct phase *phase, double bytes)
{
    const struct op *op = op_find("roof_copy");
    struct runner_failure failure = {0};
    struct runner *runner = NULL;
    enum runner_status status;
    struct op_shape shape = {{0}, {0}};
    struct test_case c = {.number = -1};
    char stage[PATH_BYTES];
    struct data d;

    path_set(stage, "%s/harness/roofs.so", phase->workbook->build);
    if (!op)
        return NULL;
    for (int i = 0; i < op->n_dims; i++)
        shape.dim[i] = 1;
    shape.dim[0] = (int)(bytes / op->bytes(op, &shape));
    if (op_shape_error(op, &shape) || !file_exists(stage))
        return NULL;
    if (kept[TIMING_COPY] && runner_holds(kept[TIMING_COPY], op, &shape)) {
        runner = kept[TIMING_COPY]; /* since the kernel before */
        kept[TIMING_COPY] = NULL;
        return runner;
    }
    c.problem = op_timed(op, &shape, 1);
    data_make(&d, op, &c);
    runner = ready(phase, TIMING_COPY, stage, &d, &failure, &status);
    data_free(&d);
    return runner;
}

/* Cells of one output, of which each window takes a core. */
struct windows {
    const struct data *data;
    int buffer, n;
    size_t cells; /* of each */
    size_t first[WINDOWS_MOST + 2];
    struct comparison found[WINDOWS_MOST + 2];
};

static void compare_window(void *context, size_t i)
{
    struct windows *w = context;

    data_window(w->data, w->buffer, w->first[i], w->cells, &w->found[i]);
}

/* At the two ends, and at random places. */
static void place_windows(struct windows *w)
{
    const struct op *op = w->data->op;
    const struct op_problem *p = &w->data->c->problem;
    size_t count = op_count(op, w->buffer, &p->shape);
    double flops = op->flops(&p->shape) / (double)count * DATA_WINDOW;
    int n = (int)fmin(WINDOWS_MOST, fmax(2.0, reference_flops / flops));

    w->cells = count < DATA_WINDOW ? count : DATA_WINDOW;
    w->first[0] = 0;
    w->first[1] = count - w->cells;
    w->n = 2;
    for (int i = 0; i < n; i++)
        w->first[w->n++] = seed_mix(p->seed, (uint64_t)i) %
                           (count - w->cells + 1);
}

static void compare_some(const struct data *d, struct run *run)
{
    struct windows *w = check_alloc(1, sizeof *w);

    w->data = d;
    for (w->buffer = 0; w->buffer < d->op->n_buffers; w->buffer++) {
        if (!op_is_written(d->op, w->buffer))
            continue;
        place_windows(w);
        crew_work((size_t)w->n, compare_window, w);
        for (int i = 0; i < w->n; i++)
            result_keep_wrong(run, d->c, &w->found[i], true);
    }
    free(w);
}

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
    if (!(least > 0.0) || !s->has_previous || s->speedup.low >= least)
        return;
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

/* No roof was measured: nothing is asked. */
static void judge_roof(const struct phase *phase, const struct speed *s)
{
    struct kernel_result *r = phase->result;
    double least = r->conf->min_percent_of_roof;
    struct text *t;

    if (!(least > 0.0) || isnan(s->percent_of_roof) ||
        s->percent_of_roof >= least)
        return;
    t = result_blame(r, VERDICT_SLOW, OWNER_YOU, -1);
    if (t)
        text_add(t, "it reaches %.0f %% of the %s roof that the %s; %.0f %% is "
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
        compare_some(d, run);
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

    make_other(&other, d, &c);
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

/* Times, then looks at what the last timed launch wrote. */
static void measure(const struct phase *phase, struct run *run,
                    struct timing_config *config, struct data *d)
{
    struct runner *runner = config->runner[TIMING_CURRENT];
    struct runner_failure failure = {0};
    struct timing timing;
    enum runner_status status = timing_compare(config, &timing, &failure);
    double begun = clock_seconds();

    if (status == RUNNER_OK)
        status = runner_sets(runner).n > 0
                     ? look_at_sets(runner, run, d, &failure)
                     : look(runner, run, d, &failure);
    spent_on(begun, "outputs of the last timed launch, brought and compared");
    if (status != RUNNER_OK) {
        blame_runner(phase, status, &failure, d->c);
        return;
    }
    note_timing(&run->speed, &timing, d,
                config->runner[TIMING_PREVIOUS] != NULL,
                config->runner[TIMING_COPY] != NULL);
    begun = clock_seconds();
    place(phase, &timing, config->runner[TIMING_COPY], &run->speed);
    spent_on(begun, "ceilings of this GPU");
    result_blame_wrong(phase->result, run);
    judge_speed(phase, &run->speed, &timing);
    judge_roof(phase, &run->speed);
}

/* The stage before, on the same data if its operator is the same. NULL: there
 * is none. */
static struct runner *ready_previous(const struct phase *phase,
                                     const struct data *d, struct run *run)
{
    struct runner_failure failure = {0};
    struct previous previous;
    enum runner_status status;
    struct runner *runner;
    struct data other = {0};

    if (!previous_stage(phase->workbook, phase->result->conf, &previous))
        return NULL;
    if (previous.op != d->op)
        data_make(&other, previous.op, d->c);
    runner = ready(phase, TIMING_PREVIOUS, previous.stage,
                   previous.op == d->op ? d : &other, &failure, &status);
    data_free(&other);
    path_set(run->speed.previous, "%s", previous.whose);
    return runner;
}

/* For the next kernel, if none of them failed; nothing for a grade. */
static void keep(const struct phase *phase, const struct run *run,
                 const struct timing_config *config)
{
    bool keeps = !phase->workbook->options->grade && run->speed.timed;

    for (int i = 0; i < TIMING_SIDES; i++)
        if (keeps && i != TIMING_CURRENT)
            kept[i] = config->runner[i];
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

void speed_measure(const struct phase *phase, struct run *run,
                   struct runner *current, size_t memory)
{
    const struct kernel_conf *conf = phase->result->conf;
    struct timing_config config = {
        .op = conf->op, .least = conf->min_speedup,
        .to_decide = !phase->workbook->options->grade};
    struct runner_failure failure = {0};
    double share = phase->workbook->options->grade ? kept_share : memory_share;
    struct op_shape shape =
        shrink(conf->op, conf->time_shape, share * (double)memory);
    struct test_case c = {
        .number = -1,
        .problem = op_timed(conf->op, &shape,
                            seed_mix(phase->seed, timing_seed))};
    enum runner_status status;
    double begun = clock_seconds();
    struct data d;

    progress_step("timing");
    data_make(&d, conf->op, &c);
    spent_on(begun, "%.0f MB of inputs at the timed shape",
             inputs_bytes(&d) * 1e-6);
    config.shape = shape;
    if (phase->workbook->options->grade)
        runner_stop(current); /* nothing of the cases is left */
    else
        kept[TIMING_CURRENT] = current;
    begun = clock_seconds();
    config.runner[TIMING_CURRENT] =
        ready(phase, TIMING_CURRENT, phase->result->build.result, &d, &failure,
              &status);
    spent_on(begun, "this stage loaded, its inputs uploaded");
    if (!config.runner[TIMING_CURRENT])
        blame_runner(phase, status, &failure, &c);
    begun = clock_seconds();
    config.runner[TIMING_PREVIOUS] = ready_previous(phase, &d, run);
    spent_on(begun, "the previous stage, the same");
    begun = clock_seconds();
    config.runner[TIMING_COPY] =
        ready_copy(phase, conf->op->bytes(conf->op, &shape));
    spent_on(begun, "the copy kernel, the same, and its inputs made");
    if (config.runner[TIMING_CURRENT])
        measure(phase, run, &config, &d);
    begun = clock_seconds();
    keep(phase, run, &config);
    data_free(&d);
    spent_on(begun, "runners ended, inputs freed");
}
