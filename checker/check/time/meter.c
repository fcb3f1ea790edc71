// SPDX-License-Identifier: MIT
/*
 * meter.c: see meter.h.
 */
#include "meter.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "sets.h"

/* Whose time a doubt is about; the current stage goes without saying. */
static const char *const whose[TIMING_SIDES] = {
    [TIMING_CURRENT] = "",
    [TIMING_PREVIOUS] = "previous stage: ",
    [TIMING_COPY] = "copy kernel: ",
};

/* Of two doubts the heavier is told, of two of a kind the first. */
void meter_say(struct timing *out, bool *flag, const char *format, ...)
{
    bool told = out->refused || (out->busy && flag != &out->refused) ||
                (out->throttled && flag == &out->throttled);
    va_list args;

    *flag = true;
    if (told)
        return;
    va_start(args, format);
    vsnprintf(out->message, sizeof out->message, format, args);
    va_end(args);
}

bool meter_has_sets(const struct meter *m)
{
    return sets_in_use(m->side[TIMING_CURRENT].runner);
}

/* One batch of one side; adds its samples. A failure names the side. */
enum runner_status meter_batch(struct meter *m, enum timing_side which, int n)
{
    struct side *side = &m->side[which];
    double wall, sum = 0;
    enum runner_status status =
        runner_time(side->runner, true, n, side->seconds + side->n, &wall,
                    m->failure);

    m->out->failed = which;
    if (status != RUNNER_OK)
        return status;
    for (int i = 0; i < n; i++) {
        double t = side->seconds[side->n + i];
        if (!(t > 0))
            meter_say(m->out, &m->out->refused, "%sa launch took %g s",
                      whose[which], t);
        sum += t;
    }
    if (!(sum <= wall))
        meter_say(m->out, &m->out->refused,
                  "%s%d launches took %.3g ms by their events, but the whole "
                  "batch %.3g ms by the checker's clock",
                  whose[which], n, sum * 1e3, wall * 1e3);
    side->n += n;
    return RUNNER_OK;
}

/* How many launches fill a batch's time, from a few of them. */
enum runner_status meter_size(struct meter *m, enum timing_side which)
{
    struct side *side = &m->side[which];
    enum runner_status status = meter_batch(m, which, 1);
    double best = side->seconds[0];

    if (status == RUNNER_OK && best < meter_long_seconds)
        status = meter_batch(m, which, METER_PILOT - 1);
    if (status != RUNNER_OK)
        return status;
    for (int i = 1; i < side->n; i++)
        best = fmin(best, side->seconds[i]);
    const double around = 50e-6; /* the flush and the poison, roughly */
    bool brief = m->config->brief;
    double n = (brief ? m->config->seconds : meter_batch_seconds) /
               (best + around);
    int least = brief                        ? METER_PILOT
                : best >= meter_slow_seconds ? 1
                                             : METER_LEAST;
    side->batch = (int)fmin(fmax(n, least), METER_MOST);
    if (meter_has_sets(m))
        side->batch = METER_LEAST; /* making arrays takes longer */
    side->n = 0;
    return RUNNER_OK;
}

enum runner_status meter_each(struct meter *m, meter_step *step)
{
    for (int i = 0; i < TIMING_SIDES; i++) {
        enum runner_status status;
        if (!m->side[i].runner)
            continue;
        status = step(m, (enum timing_side)i);
        if (status != RUNNER_OK)
            return status;
    }
    return RUNNER_OK;
}

enum runner_status meter_round(struct meter *m, enum timing_side which)
{
    return meter_batch(m, which, m->side[which].batch);
}

