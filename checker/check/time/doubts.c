// SPDX-License-Identifier: MIT
/*
 * doubts.c: see doubts.h.
 */
#include "doubts.h"

#include <math.h>

#include "harness/clocks.h"
#include "simgpu/gpu.h"

enum { LEAST_PART = 10 }; /* samples of a third */

static const double wall_seconds = 0.01; /* launches back to back */
static const double drift_limit = 0.05;

void doubts_throttled(struct meter *m)
{
    struct clock_reading now;

    if (!m->clocks || !clocks_read(m->clocks, &now) || !clocks_trouble(&now))
        return;
    meter_say(m->out, &m->out->throttled, "%s (%u of %u MHz)",
              clocks_trouble(&now), now.sm_mhz, now.sm_max_mhz);
}

/* Without NVML: the same kernel at the end against at the beginning. */
void doubts_drift(struct meter *m)
{
    const struct side *side = &m->side[TIMING_COPY];

    if (!side->runner)
        side = &m->side[TIMING_CURRENT];
    int part = side->n / 3;
    if (m->clocks || part < LEAST_PART)
        return;
    double first = stats_median(side->seconds, part, meter_confidence).median;
    double last = stats_median(side->seconds + side->n - part, part,
                               meter_confidence).median;
    if (last > first * (1 + drift_limit))
        meter_say(m->out, &m->out->throttled,
                  "the same kernel became %.0f %% slower while measuring",
                  100 * (last / first - 1));
}

/* The shortest time that launches took by check's clock: n, and 2 n. */
struct walls {
    int n;
    double once, twice;
};

static enum runner_status try_walls(struct meter *m, struct runner *runner,
                                    struct walls *w)
{
    double once, twice;
    enum runner_status status =
        runner_time(runner, false, w->n, NULL, &once, m->failure);

    if (status == RUNNER_OK)
        status =
            runner_time(runner, false, 2 * w->n, NULL, &twice, m->failure);
    if (status != RUNNER_OK)
        return status;
    w->once = fmin(w->once, once);
    w->twice = fmin(w->twice, twice);
    return RUNNER_OK;
}

/* Whether a side's launches take about as long by check's clock as by their
 * events. Work that events do not see (another stream, a thread) shows in what
 * n more launches add to the wall clock. The machine may be busy too, which
 * only ever adds: so the shortest of each counts, and a few tries at least. */
static enum runner_status agree(struct meter *m, enum timing_side which,
                                bool *yes, double *by_clock)
{
    enum { TRIES = 24 };
    const double slack = 1.5, overhead = 20e-6; /* of launching, at most */
    double events = m->out->seconds[which].median;
    /* Many, so that a moment lost to another process counts for little: few
     * of long ones, which no moment changes much. */
    bool is_long = events >= meter_long_seconds;
    bool is_slow = events >= meter_slow_seconds;
    int least = is_slow ? 1 : is_long ? 2 : 4;
    int least_tries = is_slow ? 1 : is_long ? 2 : 3;
    struct walls w = {(int)fmax(wall_seconds / (events + overhead), least),
                      INFINITY, INFINITY};

    *yes = false;
    for (int i = 0; i < least_tries || (i < TRIES && !*yes); i++) {
        enum runner_status status = try_walls(m, m->side[which].runner, &w);
        if (status != RUNNER_OK) {
            m->out->failed = which;
            return status;
        }
        *by_clock = (w.twice - w.once) / w.n;
        *yes = *by_clock <= slack * events + overhead;
    }
    return RUNNER_OK;
}

/* The stage before was looked at so when it was checked itself; if it were to
 * hide work, it would be harder to beat. Where the clocks of a plain copy do
 * not agree either, another process keeps the GPU busy: nobody is accused. */
enum runner_status doubts_clocks(struct meter *m)
{
    const struct interval *seconds = m->out->seconds;
    double now, copy = NAN;
    bool honest, calm = true;
    enum runner_status status = agree(m, TIMING_CURRENT, &honest, &now);

    if (status == RUNNER_OK && !honest && m->side[TIMING_COPY].runner)
        status = agree(m, TIMING_COPY, &calm, &copy);
    if (status != RUNNER_OK || honest)
        return status;
    if (calm)
        meter_say(m->out, &m->out->refused,
                  "a launch takes %.4g ms by its events, but %.4g ms by the "
                  "checker's clock: work is done outside the given stream",
                  seconds[TIMING_CURRENT].median * 1e3, now * 1e3);
    else
        meter_say(m->out, &m->out->busy,
                  "another process keeps this GPU busy: even a copy takes "
                  "%.4g ms by its events, but %.4g ms by the checker's clock",
                  seconds[TIMING_COPY].median * 1e3, copy * 1e3);
    return RUNNER_OK;
}

/* Bytes per second by the datasheet; by NVML's clock and bus for a GPU that is
 * not known. */
static double datasheet_bandwidth(const struct meter *m)
{
    const struct gpu_model *model =
        gpu_named(runner_device(m->config->runner[TIMING_CURRENT])->name);

    if (model)
        return model->bandwidth;
    return m->clocks ? clocks_bandwidth(m->clocks) : 0.0;
}

/* What must cross the memory's pins: all inputs, for L2 is cold, and of the
 * outputs what L2 cannot hold back. A launch need not read what an in-and-out
 * buffer holds: a scalar of 0 may make that needless. */
static double least_bytes(const struct meter *m)
{
    const struct timing_config *c = m->config;
    double l2 = (double)runner_device(c->runner[TIMING_CURRENT])->l2_bytes;
    double in = 0, out = 0;

    for (int i = 0; i < c->op->n_buffers; i++) {
        double bytes =
            (double)op_count(c->op, i, &c->shape) *
            (double)type_row[c->op->buffers[i].type].bytes;
        *(c->op->buffers[i].role == OP_INPUT ? &in : &out) += bytes;
    }
    return in + fmax(out - l2, 0);
}

void doubts_floor(struct meter *m)
{
    double bandwidth = datasheet_bandwidth(m);
    struct timing *out = m->out;

    if (!(bandwidth > 0))
        return;
    out->floor_seconds = least_bytes(m) / bandwidth;
    if (!(out->seconds[TIMING_CURRENT].median >= out->floor_seconds))
        meter_say(out, &out->refused,
                  "%.4g ms is less than the %.4g ms that its %.1f MB take at "
                  "this GPU's full bandwidth",
                  out->seconds[TIMING_CURRENT].median * 1e3,
                  out->floor_seconds * 1e3, least_bytes(m) * 1e-6);
}

