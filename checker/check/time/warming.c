// SPDX-License-Identifier: MIT
/*
 * warming.c: see warming.h.
 */
#include "warming.h"

#include <math.h>
#include <string.h>

#include "wire.h"

enum {
    MOST_ROUNDS = 256, /* that are remembered: more than fit into
                          still_seconds, unless batches are brief */
};

static const double first_warm_up = 3;   /* how long clocks take to settle */
static const double least_warm_up = 1;   /* if times stand still by then: */
static const double still_seconds = 0.6;
static const double later_warm_up = 0.06;

static double warmed; /* seconds, in this process: one device is one check's */

static void forget(struct meter *m)
{
    for (int i = 0; i < TIMING_SIDES; i++)
        m->side[i].n = 0;
}

/* The medians of the batches so far. Single ones scatter by more than a clock
 * that still rises moves them, so halves of the last moments are compared. */
struct settling {
    double began;
    int n;
    double at[MOST_ROUNDS], median[TIMING_SIDES][MOST_ROUNDS];
};

static void forget_older_half(struct settling *w)
{
    int kept = w->n / 2;

    memmove(w->at, w->at + w->n - kept, (size_t)kept * sizeof *w->at);
    for (int i = 0; i < TIMING_SIDES; i++)
        memmove(w->median[i], w->median[i] + w->n - kept,
                (size_t)kept * sizeof **w->median);
    w->n = kept;
}

static void note_round(const struct meter *m, struct settling *w)
{
    if (w->n == MOST_ROUNDS)
        forget_older_half(w);
    for (int i = 0; i < TIMING_SIDES; i++)
        w->median[i][w->n] = stats_median(m->side[i].seconds, m->side[i].n,
                                          meter_confidence).median;
    w->at[w->n++] = wire_now();
}

static bool stands_still(const double *median, int n)
{
    double early = stats_median(median, n / 2, meter_confidence).median;
    double late = stats_median(median + n / 2, n - n / 2,
                               meter_confidence).median;

    return fabs(late / early - 1) <= meter_tight;
}

/* Once no side's time moves by more than its interval may be wide in the end.
 * Of rounds that take long, the last two will do. */
static bool has_settled(const struct meter *m, const struct settling *w,
                        double warmed_now)
{
    int n = 0;

    while (n < w->n && w->at[w->n - 1 - n] >= wire_now() - still_seconds)
        n++;
    n = n < 2 ? 2 : n;
    if (warmed_now < least_warm_up || w->n < n ||
        wire_now() - w->began < still_seconds)
        return false;
    for (int i = 0; i < TIMING_SIDES; i++)
        if (m->side[i].runner && !stands_still(w->median[i] + w->n - n, n))
            return false;
    return true;
}

enum runner_status warming_up(struct meter *m)
{
    struct settling settling = {.began = wire_now()};
    double usual = fmax(first_warm_up - warmed, later_warm_up);
    double begun = wire_now();
    double until = begun + (m->config->warm_up > 0 ? m->config->warm_up
                                                   : usual);
    enum runner_status status = meter_each(m, meter_size);

    while (status == RUNNER_OK && wire_now() < until &&
           (m->config->warm_up > 0 ||
            !has_settled(m, &settling, warmed + wire_now() - begun))) {
        status = meter_each(m, meter_round);
        note_round(m, &settling);
        forget(m);
    }
    if (status == RUNNER_OK && m->config->warm_up <= 0)
        warmed = fmax(warmed, first_warm_up);
    return status;
}

void warming_keep(struct runner *runner, const atomic_bool *stop)
{
    static double seconds[METER_MOST];
    struct runner_failure failure;
    enum runner_status status = RUNNER_OK;
    int n = METER_PILOT;

    while (status == RUNNER_OK && !*stop) {
        double wall;

        status = runner_time(runner, true, n, seconds, &wall, &failure);
        warmed += wall;
        if (wall < meter_batch_seconds / 2 && 2 * n <= METER_MOST)
            n *= 2;
    }
}

