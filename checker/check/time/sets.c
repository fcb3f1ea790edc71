// SPDX-License-Identifier: MIT
/*
 * sets.c: see sets.h.
 *
 * The hard idea: a call passes through two processes, which takes longer than
 * most kernels. So a call launches once on each of many sets, enough to fill
 * several milliseconds, and what it takes besides is measured: the copy kernel
 * on one set against the same on many.
 */
#include "sets.h"

#include <math.h>
#include <stddef.h>

#include "harness/stats.h"

/* Launches in a call, against the jitter of calls. */
static const double call_seconds = 8e-3;
static const double usual_overhead = 4e-4; /* of a call, roughly */
enum {
    PILOT = 3,           /* calls that tell how long one takes */
    OVERHEAD_TRIES = 9,
    MOST_SETS = 256,
    MEMORY_PART = 8,     /* an eighth of the device's per side, at most */
};

bool sets_in_use(const struct runner *runner)
{
    return runner_sets(runner).n > 0;
}

/* How many sets of arrays fill a call of this runner, and fit. */
static enum runner_status choose(struct runner *runner,
                                 struct runner_failure *failure)
{
    struct runner_sets sets = runner_sets(runner);
    double room = (double)runner_device(runner)->memory_bytes / MEMORY_PART /
                  (double)sets.bytes;
    double best = INFINITY;

    for (int i = 0; i < PILOT; i++) {
        double seconds;
        enum runner_status status =
            runner_on_sets(runner, 1, &seconds, failure);

        if (status != RUNNER_OK)
            return status;
        best = fmin(best, seconds);
    }
    double each = fmax(best - usual_overhead, best / 20);
    sets.n = (int)fmax(1, fmin(fmin(call_seconds / each, room), MOST_SETS));
    sets.least_bytes = 0;
    sets.overhead = 0;
    runner_plan(runner, &sets);
    return RUNNER_OK;
}

/* A call's time without work: that of one set, less what more sets add. */
static enum runner_status call_overhead(struct runner *copy, double *overhead,
                                        struct runner_failure *failure)
{
    int n = runner_sets(copy).n;
    double tried[OVERHEAD_TRIES];

    *overhead = 0;
    if (n <= 1)
        return RUNNER_OK;
    for (int i = 0; i < OVERHEAD_TRIES; i++) {
        double one, all;
        enum runner_status status = runner_on_sets(copy, 1, &one, failure);

        if (status == RUNNER_OK)
            status = runner_on_sets(copy, n, &all, failure);
        if (status != RUNNER_OK)
            return status;
        tried[i] = one - (all - one) / (n - 1);
    }
    *overhead = fmax(0, stats_median(tried, OVERHEAD_TRIES, 0.95).median);
    return RUNNER_OK;
}

/* All runners share as much memory, because opening it takes longer the more
 * it is. */
static void give_plan(const struct sets_sides *sides, double overhead)
{
    size_t most = 0;

    for (int i = 0; i < sides->n; i++) {
        if (!sides->runner[i])
            continue;
        struct runner_sets sets = runner_sets(sides->runner[i]);
        if (most < sets.bytes * (size_t)sets.n)
            most = sets.bytes * (size_t)sets.n;
    }
    for (int i = 0; i < sides->n; i++) {
        if (!sides->runner[i])
            continue;
        struct runner_sets sets = runner_sets(sides->runner[i]);
        sets.least_bytes = most;
        sets.overhead = overhead;
        runner_plan(sides->runner[i], &sets);
    }
}

enum runner_status sets_plan(const struct sets_sides *sides, int *at,
                             struct runner_failure *failure)
{
    struct runner *copy = sides->runner[sides->copy];
    enum runner_status status = RUNNER_OK;
    double overhead = 0;

    for (int i = 0; i < sides->n && status == RUNNER_OK; i++) {
        if (!sides->runner[i])
            continue;
        *at = i;
        status = choose(sides->runner[i], failure);
    }
    give_plan(sides, 0);
    if (status == RUNNER_OK && copy) {
        *at = sides->copy;
        status = call_overhead(copy, &overhead, failure);
    }
    give_plan(sides, overhead);
    return status;
}
