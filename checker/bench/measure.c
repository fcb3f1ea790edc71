// SPDX-License-Identifier: MIT
/*
 * measure.c: see measure.h.
 */
#include "bench/measure.h"

#include <math.h>
#include <stdio.h>

#include "check/time/timing.h"

static const double call_seconds = 60; /* limit, unless it is set otherwise */
static const double most_seconds = 3;  /* of one measurement */

static enum measure_end end_of(enum runner_status status)
{
    switch (status) {
    case RUNNER_OK:
        return MEASURE_OK;
    case RUNNER_TIMEOUT:
        return MEASURE_HANGS;
    case RUNNER_CRASHED:
    case RUNNER_EXITED:
        return MEASURE_CRASHES;
    case RUNNER_LAUNCH:
    case RUNNER_DEVICE: /* it asked for more memory than there is */
        return MEASURE_LAUNCH;
    default:
        return MEASURE_REFUSED;
    }
}

static void say_why(struct measure *m, enum runner_status status,
                    const struct runner_failure *failure)
{
    m->end = end_of(status);
    snprintf(m->reason, sizeof m->reason, "%s",
             failure->message[0] ? failure->message : failure->error_name);
}

static struct runner *start(struct measure *m, struct runner_failure *failure)
{
    struct runner_config config = {.program = m->program,
                                   .cuda_lib = m->cuda_lib,
                                   .device_fd = -1,
                                   .seconds = m->seconds,
                                   .output_path = "/dev/null"};

    return runner_start(&config, failure);
}

/* After a failure the runner is of no more use. */
static void drop(struct measure *m, enum timing_side side)
{
    runner_stop(m->runner[side]);
    m->runner[side] = NULL;
}

/* A runner with the case loaded and its inputs in place, or NULL. */
static struct runner *ready(struct measure *m, enum timing_side side,
                            const char *stage, const struct data *d)
{
    struct runner_case c = {d->op, d->c->problem.shape, stage, 0};
    struct runner_failure failure = {0};
    struct runner_layout layout;
    enum runner_status status = RUNNER_REFUSED;

    if (!m->runner[side])
        m->runner[side] = start(m, &failure);
    if (m->runner[side])
        status = runner_load(m->runner[side], &c, &layout, &failure);
    if (status == RUNNER_OK)
        status = runner_upload(m->runner[side], d->given,
                               d->c->problem.scalar, &failure);
    if (status == RUNNER_OK && side == TIMING_CURRENT)
        m->workspace = layout.workspace_bytes;
    if (status == RUNNER_OK)
        return m->runner[side];
    say_why(m, status, &failure);
    drop(m, side);
    return NULL;
}

static struct runner *ready_copy(struct measure *m, double bytes)
{
    const struct op *op = op_find("roof_copy");
    struct op_shape shape = {.dim = {1, 1}};
    struct test_case c = {.number = -1};
    struct runner *runner;
    struct data d;

    if (m->runner[TIMING_COPY] && m->copy_bytes == bytes)
        return m->runner[TIMING_COPY]; /* it has all it needs */
    shape.dim[0] = (int)(bytes / op->bytes(op, &shape));
    c.problem = op_timed(op, &shape, 1);
    data_make(&d, op, &c);
    runner = ready(m, TIMING_COPY, m->copies, &d);
    data_free(&d);
    m->copy_bytes = bytes;
    return runner;
}

/* Cells that are wrong, and the one that misses its tolerance by most. */
struct misses {
    size_t wrong, compared;
    double beyond; /* its error over its tolerance */
    double got, within;
    const char *buffer;
    size_t cell;
    struct op_cell want;
};

static void note_miss(struct misses *m, const struct data *d, int buffer,
                      size_t cell, double got, const struct op_cell *want)
{
    double within = op_tolerance(d->op, &d->c->problem, buffer, want);
    double beyond = isnan(got) ? INFINITY
                               : fabs(got - want->value) /
                                     fmax(within, 1e-300);

    if (m->wrong++ > 0 && !(beyond > m->beyond))
        return;
    m->beyond = beyond;
    m->got = got;
    m->within = within;
    m->buffer = d->op->buffers[buffer].name;
    m->cell = cell;
    m->want = *want;
}

/* The largest |got - expected| / sum |terms| of cells [first, first + n). */
static double error_of_cells(const struct data *d, int buffer, size_t first,
                             size_t n, struct misses *misses)
{
    const struct op_problem *p = &d->c->problem;
    enum type type = d->op->buffers[buffer].type;
    struct op_cell want[DATA_WINDOW];
    double worst = 0;

    d->op->reference(d->op, p, buffer, (const void *const *)d->given, first, n,
                     want);
    misses->compared += n;
    for (size_t i = 0; i < n; i++) {
        size_t at = op_offset(d->op, buffer, &p->shape, first + i);
        double got = type_get(type, d->got[buffer], at);

        if (!op_accepts(d->op, p, buffer, &want[i],
                        type_bits(type, d->got[buffer], at)))
            note_miss(misses, d, buffer, first + i, got, &want[i]);
        worst = fmax(worst, fabs(got - want[i].value) /
                                fmax(want[i].magnitude, 1e-30));
    }
    return worst;
}

/* So that a row of a sweep tells where and how a result is wrong. */
static void say_wrong(struct measure *m, const struct misses *misses)
{
    m->end = MEASURE_WRONG;
    if (misses->wrong == 0) /* what it left could not be read */
        snprintf(m->reason, sizeof m->reason, "no result");
    else
        snprintf(m->reason, sizeof m->reason,
                 "%s[%zu] is %.9g, not %.9g within %.3g (%ld terms); %zu of "
                 "%zu cells", misses->buffer, misses->cell, misses->got,
                 misses->want.value, misses->within, misses->want.terms,
                 misses->wrong, misses->compared);
}

/* Over both ends of every output; NAN: one is wrong, and m says so. */
static double error_of(struct measure *m, struct data *d)
{
    struct runner_failure failure;
    struct runner_result result;
    struct misses misses = {0};
    double worst = 0;

    if (runner_download(m->runner[TIMING_CURRENT], d->got, &result,
                        &failure) != RUNNER_OK) {
        say_wrong(m, &misses);
        return NAN;
    }
    for (int b = 0; b < d->op->n_buffers; b++) {
        size_t count = op_count(d->op, b, &d->c->problem.shape);
        size_t n = count < DATA_WINDOW ? count : DATA_WINDOW;

        if (!op_is_written(d->op, b))
            continue;
        worst = fmax(worst, error_of_cells(d, b, 0, n, &misses));
        worst = fmax(worst, error_of_cells(d, b, count - n, n, &misses));
    }
    if (misses.wrong == 0)
        return worst;
    say_wrong(m, &misses);
    return NAN;
}

/* Times what has a runner; false: m->end and m->reason say why not. */
static bool take_times(struct measure *m, const struct timing_config *config,
                       struct data *d, struct timing *t, double *error)
{
    struct runner_failure failure = {0};
    enum runner_status status = timing_compare(config, t, &failure);

    if (status != RUNNER_OK) {
        say_why(m, status, &failure);
        drop(m, t->failed);
        return false;
    }
    m->end = MEASURE_OK;
    *error = error_of(m, d);
    if (!(*error >= 0))
        drop(m, TIMING_CURRENT);
    if (t->refused) {
        m->end = MEASURE_REFUSED;
        snprintf(m->reason, sizeof m->reason, "%s", t->message);
    }
    return m->end == MEASURE_OK;
}

bool measure_stage(struct measure *m, const char *stage, struct data *d,
                   bool beside, struct timing *timing, double *error)
{
    struct timing_config config = {.op = d->op, .shape = d->c->problem.shape,
                                   .seconds = most_seconds};

    config.runner[TIMING_CURRENT] = ready(m, TIMING_CURRENT, stage, d);
    if (config.runner[TIMING_CURRENT] && beside)
        config.runner[TIMING_COPY] =
            ready_copy(m, d->op->bytes(d->op, &config.shape));
    return config.runner[TIMING_CURRENT] &&
           (config.runner[TIMING_COPY] || !beside) &&
           take_times(m, &config, d, timing, error);
}

void measure_start(struct measure *m)
{
    struct runner_failure failure = {0};

    if (!m->runner[TIMING_CURRENT])
        m->runner[TIMING_CURRENT] = start(m, &failure);
    if (!m->runner[TIMING_CURRENT])
        say_why(m, RUNNER_REFUSED, &failure);
}

bool measure_load(struct measure *m, const char *stage, const struct data *d)
{
    m->end = MEASURE_OK;
    return ready(m, TIMING_CURRENT, stage, d) != NULL;
}

bool measure_again(struct measure *m, const struct data *d, double seconds,
                   double *median)
{
    struct timing_config config = {.op = d->op, .shape = d->c->problem.shape,
                                   .seconds = seconds, .brief = true};
    struct runner_failure failure = {0};
    enum runner_status status;
    struct timing t;

    config.runner[TIMING_CURRENT] = m->runner[TIMING_CURRENT];
    status = timing_compare(&config, &t, &failure);
    *median = t.seconds[TIMING_CURRENT].median;
    m->end = t.refused ? MEASURE_REFUSED : MEASURE_OK;
    if (status != RUNNER_OK) {
        say_why(m, status, &failure);
        drop(m, TIMING_CURRENT);
    } else if (t.refused) {
        snprintf(m->reason, sizeof m->reason, "%s", t.message);
    }
    return m->end == MEASURE_OK;
}

bool measure_result(struct measure *m, struct data *d)
{
    if (error_of(m, d) >= 0)
        return true;
    drop(m, TIMING_CURRENT);
    return false;
}

void measure_open(struct measure *m, const char *build)
{
    *m = (struct measure){.end = MEASURE_OK, .seconds = call_seconds};
    toolkit_find(&m->toolkit);
    probe_gpu(&m->probe);
    m->sm = toolkit_sm(&m->toolkit,
                       10 * m->probe.cc_major + m->probe.cc_minor);
    path_set(m->program, "%s/bin/runner", build);
    path_set(m->copies, "%s/harness/roofs.so", build);
    path_set(m->cuda_lib, "%s", m->toolkit.lib);
}

void measure_close(struct measure *m)
{
    for (int side = 0; side < TIMING_SIDES; side++)
        drop(m, (enum timing_side)side);
}
