// SPDX-License-Identifier: MIT
/*
 * timing.c: see timing.h.
 *
 * Three doubts are met here. The clocks may still be rising: warm up first.
 * The runner may lie: check's own clock must allow what the events say, and
 * launches back to back, timed by check alone, must not take much longer. The
 * kernel may not have done the work: no time is below the floor of its bytes.
 *
 * Where another process keeps the arrays (a grade), times are check's own: of a
 * call, less what a call takes without work, per set of arrays (sets.h).
 */
#include "timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/base/spent.h"
#include "doubts.h"
#include "harness/clocks.h"
#include "meter.h"
#include "sets.h"
#include "warming.h"
#include "wire.h"

enum {
    LEAST_SAMPLES = 30,
    LEAST_LONG = 8,  /* of launches that take meter_long_seconds or more: what
                        scatters between launches scatters less in them */
    LEAST_SLOW = 6,  /* of those that take meter_slow_seconds or more: fewer
                        have no interval of 95 % */
    KNOWN_SHARE = 8, /* of the copy's batch, once its interval is tight */
};

static const double default_seconds = 20;
static const double alone_seconds = 2;   /* where no verdict needs more */
static const double clear = 0.1; /* half a speedup's interval, over it, where
                                     all of it lies on one side of a limit */
static const double same = 0.02;         /* a difference nobody can use */

static int least_samples(const struct meter *m, int side)
{
    double median = m->out->seconds[side].median;

    if (meter_has_sets(m) || !(median >= meter_long_seconds))
        return LEAST_SAMPLES;
    return median >= meter_slow_seconds ? LEAST_SLOW : LEAST_LONG;
}

static bool is_known(const struct meter *m, int side)
{
    return m->side[side].n >= least_samples(m, side) &&
           stats_width(&m->out->seconds[side]) <= meter_tight;
}

/* By the interval's own width: it is looked at after every batch, and one
 * look among many may err. */
static bool lies_apart(const struct interval *speedup, double limit)
{
    double margin = speedup->high - speedup->low;

    return speedup->low - margin >= limit || speedup->high + margin < limit;
}

/* The previous stage is known well enough once the speedup can become no other
 * verdict. What is told is the interval as it then is. */
static bool is_decided(const struct meter *m)
{
    const struct side *now = &m->side[TIMING_CURRENT];
    const struct side *before = &m->side[TIMING_PREVIOUS];
    struct interval r;

    if (!before->runner || !m->config->to_decide)
        return false;
    r = stats_ratio(before->seconds, before->n, now->seconds, now->n,
                    meter_confidence);
    return stats_width(&r) <= clear && lies_apart(&r, m->config->least) &&
           lies_apart(&r, 1 - same) && lies_apart(&r, 1 + same);
}

static void summarise(struct meter *m)
{
    struct timing *out = m->out;

    out->converged = true;
    for (int i = 0; i < TIMING_SIDES; i++) {
        struct side *side = &m->side[i];
        if (!side->runner)
            continue;
        out->seconds[i] =
            stats_median(side->seconds, side->n, meter_confidence);
        out->samples[i] = side->n;
        out->converged &= is_known(m, i) ||
                          (i == TIMING_PREVIOUS &&
                           side->n >= least_samples(m, i) && is_decided(m));
    }
}

static bool full(const struct meter *m)
{
    for (int i = 0; i < TIMING_SIDES; i++)
        if (m->side[i].n >= METER_ALL)
            return true;
    return false;
}

static void note_spent(const struct meter *m, double begun, const char *what)
{
    const struct side *side = m->side;

    spent_on(begun, "%s, samples: this %d, previous %d, copy %d; the first's "
             "interval is within %.2g %%", what, side[TIMING_CURRENT].n,
             side[TIMING_PREVIOUS].n, side[TIMING_COPY].n,
             100 * stats_width(&m->out->seconds[TIMING_CURRENT]));
}

/* The stages take turns to the end, so that a drift of clocks meets both
 * alike. A copy that is known well enough need not hold them up. */
static enum runner_status next_batch(struct meter *m, enum timing_side which)
{
    int n = m->side[which].batch;

    if (which == TIMING_COPY && is_known(m, which) && n > METER_LEAST)
        n = (int)fmax(n / KNOWN_SHARE, METER_LEAST);
    return meter_batch(m, which, n);
}

static double most_seconds(const struct meter *m)
{
    if (m->config->seconds > 0)
        return m->config->seconds;
    return m->config->to_decide && !m->side[TIMING_PREVIOUS].runner
               ? alone_seconds
               : default_seconds;
}

static enum runner_status measure(struct meter *m)
{
    double limit = most_seconds(m);
    enum runner_status status;

    do {
        status = meter_each(m, next_batch);
        if (status != RUNNER_OK)
            return status;
        doubts_throttled(m);
        summarise(m);
    } while (!m->out->converged && !full(m) &&
             wire_now() - m->began < limit);
    return RUNNER_OK;
}

static void compare(struct meter *m)
{
    const struct side *now = &m->side[TIMING_CURRENT];
    const struct side *before = &m->side[TIMING_PREVIOUS];
    struct interval *r = &m->out->speedup;

    *r = (struct interval){NAN, NAN, NAN};
    m->out->verdict = TIMING_AMBIGUOUS;
    if (!before->runner)
        return;
    *r = stats_ratio(before->seconds, before->n, now->seconds, now->n,
                     meter_confidence);
    if (r->low >= 1 - same && r->high <= 1 + same)
        m->out->verdict = TIMING_SAME;
    else if (r->low > 1)
        m->out->verdict = TIMING_FASTER;
    else if (r->high < 1)
        m->out->verdict = TIMING_SLOWER;
}

static enum runner_status plan_sets(struct meter *m)
{
    const struct sets_sides sides = {m->config->runner, TIMING_SIDES,
                                     TIMING_COPY};
    int at = TIMING_CURRENT;
    enum runner_status status = sets_plan(&sides, &at, m->failure);

    m->out->failed = (enum timing_side)at;
    return status;
}

/* Leaves poisoned outputs, written by one launch, for check to look at. */
static enum runner_status last_launch(struct meter *m, enum timing_side which)
{
    return meter_batch(m, which, 1);
}

static enum runner_status run(struct meter *m)
{
    double begun = wire_now();
    enum runner_status status = meter_has_sets(m) ? plan_sets(m) : RUNNER_OK;

    if (status == RUNNER_OK)
        status = warming_up(m);
    spent_on(begun, "warming up");
    m->began = wire_now();
    if (status == RUNNER_OK)
        status = measure(m);
    note_spent(m, m->began, "measuring");
    if (status == RUNNER_OK)
        doubts_drift(m);
    begun = wire_now();
    if (status == RUNNER_OK && !meter_has_sets(m))
        status = doubts_clocks(m);
    spent_on(begun, "times by check's own clock");
    if (status == RUNNER_OK)
        status = meter_each(m, last_launch);
    if (status != RUNNER_OK)
        return status;
    doubts_floor(m);
    compare(m);
    return RUNNER_OK;
}

/* The last launch of a batch leaves its outputs for check to look at. */
static enum runner_status run_briefly(struct meter *m)
{
    enum runner_status status = meter_each(m, meter_size);

    if (status == RUNNER_OK)
        status = meter_each(m, meter_round);
    if (status != RUNNER_OK)
        return status;
    summarise(m);
    doubts_floor(m);
    compare(m);
    return RUNNER_OK;
}

enum runner_status timing_compare(const struct timing_config *config,
                                  struct timing *timing,
                                  struct runner_failure *failure)
{
    struct meter m = {.config = config, .out = timing, .failure = failure};
    const char *pci = runner_device(config->runner[TIMING_CURRENT])->pci;
    enum runner_status status;

    memset(timing, 0, sizeof *timing);
    for (int i = 0; i < TIMING_SIDES; i++) {
        timing->seconds[i] = (struct interval){NAN, NAN, NAN};
        m.side[i].runner = config->runner[i];
        m.side[i].seconds = calloc(METER_ALL + METER_MOST, sizeof(double));
        if (!m.side[i].seconds)
            abort();
    }
    if (!config->brief)
        m.clocks = clocks_open(pci);
    status = config->brief ? run_briefly(&m) : run(&m);
    clocks_close(m.clocks);
    for (int i = 0; i < TIMING_SIDES; i++)
        free(m.side[i].seconds);
    return status;
}
