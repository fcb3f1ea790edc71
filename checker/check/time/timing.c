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
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/base/spent.h"
#include "harness/clocks.h"
#include "sets.h"
#include "simgpu/gpu.h"
#include "wire.h"

enum {
    PILOT = 3,           /* launches that size a batch; a brief one's least */
    LEAST_BATCH = 4,
    MOST_BATCH = 200,
    LEAST_SAMPLES = 30,
    LEAST_LONG = 8,      /* of launches that take long_seconds or more: what
                            scatters between launches scatters less in them */
    LEAST_SLOW = 6,      /* of those that take slow_seconds or more: fewer have
                            no interval of 95 % */
    KNOWN_SHARE = 8,     /* of the copy's batch, once its interval is tight */
    MOST_SAMPLES = 4000, /* a side */
    MOST_ROUNDS = 256,   /* of warming up that are remembered: more than fit
                            into still_seconds, unless batches are brief */
};

static const double default_seconds = 20;
static const double alone_seconds = 2;   /* where no verdict needs more */
static const double first_warm_up = 3;   /* how long clocks take to settle */
static const double least_warm_up = 1;   /* if times stand still by then: */
static const double still_seconds = 0.6;
static const double later_warm_up = 0.06;
static const double batch_seconds = 0.05; /* short against a drift of clocks */
static const double wall_seconds = 0.01; /* launches back to back */
static const double tight = 0.01;        /* half an interval over its median */
static const double long_seconds = 5e-3;
static const double slow_seconds = 0.25;
static const double clear = 0.1; /* half a speedup's interval, over it, where
                                     all of it lies on one side of a limit */
static const double same = 0.02;         /* a difference nobody can use */
static const double confidence = 0.95;
static const double drift_limit = 0.05;

struct side {
    struct runner *runner;
    double *seconds; /* MOST_SAMPLES + MOST_BATCH */
    int n, batch;
};

struct session {
    const struct timing_config *config;
    struct timing *out;
    struct runner_failure *failure;
    struct side side[TIMING_SIDES];
    struct clocks *clocks;
    double began;
};

/* Whose time a doubt is about; the current stage goes without saying. */
static const char *const whose[TIMING_SIDES] = {
    [TIMING_CURRENT] = "",
    [TIMING_PREVIOUS] = "previous stage: ",
    [TIMING_COPY] = "copy kernel: ",
};

static double warmed; /* seconds, in this process: one device is one check's */

static void say(struct timing *out, bool *flag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Of two doubts the heavier is told, of two of a kind the first. */
static void say(struct timing *out, bool *flag, const char *format, ...)
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

static bool has_sets(const struct session *s)
{
    return sets_in_use(s->side[TIMING_CURRENT].runner);
}

/* One batch of one side; adds its samples. A failure names the side. */
static enum runner_status batch(struct session *s, enum timing_side which,
                                int n)
{
    struct side *side = &s->side[which];
    double wall, sum = 0;
    enum runner_status status =
        runner_time(side->runner, true, n, side->seconds + side->n, &wall,
                    s->failure);

    s->out->failed = which;
    if (status != RUNNER_OK)
        return status;
    for (int i = 0; i < n; i++) {
        double t = side->seconds[side->n + i];
        if (!(t > 0))
            say(s->out, &s->out->refused, "%sa launch took %g s",
                whose[which], t);
        sum += t;
    }
    if (!(sum <= wall))
        say(s->out, &s->out->refused,
            "%s%d launches took %.3g ms by their events, but the whole batch "
            "%.3g ms by the checker's clock",
            whose[which], n, sum * 1e3, wall * 1e3);
    side->n += n;
    return RUNNER_OK;
}

/* How many launches fill a batch's time, from a few of them. */
static enum runner_status size_batch(struct session *s, enum timing_side which)
{
    struct side *side = &s->side[which];
    enum runner_status status = batch(s, which, 1);
    double best = side->seconds[0];

    if (status == RUNNER_OK && best < long_seconds)
        status = batch(s, which, PILOT - 1);
    if (status != RUNNER_OK)
        return status;
    for (int i = 1; i < side->n; i++)
        best = fmin(best, side->seconds[i]);
    const double around = 50e-6; /* the flush and the poison, roughly */
    bool brief = s->config->brief;
    double n = (brief ? s->config->seconds : batch_seconds) / (best + around);
    int least = brief ? PILOT : best >= slow_seconds ? 1 : LEAST_BATCH;
    side->batch = (int)fmin(fmax(n, least), MOST_BATCH);
    if (has_sets(s))
        side->batch = LEAST_BATCH; /* making arrays takes longer */
    side->n = 0;
    return RUNNER_OK;
}

static enum runner_status each_side(struct session *s,
                                    enum runner_status (*step)(
                                        struct session *, enum timing_side))
{
    for (int i = 0; i < TIMING_SIDES; i++) {
        enum runner_status status;
        if (!s->side[i].runner)
            continue;
        status = step(s, (enum timing_side)i);
        if (status != RUNNER_OK)
            return status;
    }
    return RUNNER_OK;
}

static enum runner_status one_batch(struct session *s, enum timing_side which)
{
    return batch(s, which, s->side[which].batch);
}

static void forget(struct session *s)
{
    for (int i = 0; i < TIMING_SIDES; i++)
        s->side[i].n = 0;
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

static void note_round(const struct session *s, struct settling *w)
{
    if (w->n == MOST_ROUNDS)
        forget_older_half(w);
    for (int i = 0; i < TIMING_SIDES; i++)
        w->median[i][w->n] = stats_median(s->side[i].seconds, s->side[i].n,
                                          confidence).median;
    w->at[w->n++] = wire_now();
}

static bool stands_still(const double *median, int n)
{
    double early = stats_median(median, n / 2, confidence).median;
    double late = stats_median(median + n / 2, n - n / 2, confidence).median;

    return fabs(late / early - 1) <= tight;
}

/* Once no side's time moves by more than its interval may be wide in the end.
 * Of rounds that take long, the last two will do. */
static bool has_settled(const struct session *s, const struct settling *w,
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
        if (s->side[i].runner && !stands_still(w->median[i] + w->n - n, n))
            return false;
    return true;
}

static enum runner_status warm_up(struct session *s)
{
    struct settling settling = {.began = wire_now()};
    double usual = fmax(first_warm_up - warmed, later_warm_up);
    double begun = wire_now();
    double until = begun + (s->config->warm_up > 0 ? s->config->warm_up
                                                   : usual);
    enum runner_status status = each_side(s, size_batch);

    while (status == RUNNER_OK && wire_now() < until &&
           (s->config->warm_up > 0 ||
            !has_settled(s, &settling, warmed + wire_now() - begun))) {
        status = each_side(s, one_batch);
        note_round(s, &settling);
        forget(s);
    }
    if (status == RUNNER_OK && s->config->warm_up <= 0)
        warmed = fmax(warmed, first_warm_up);
    return status;
}

void timing_keep_warm(struct runner *runner, const atomic_bool *stop)
{
    static double seconds[MOST_BATCH];
    struct runner_failure failure;
    enum runner_status status = RUNNER_OK;
    int n = PILOT;

    while (status == RUNNER_OK && !*stop) {
        double wall;

        status = runner_time(runner, true, n, seconds, &wall, &failure);
        warmed += wall;
        if (wall < batch_seconds / 2 && 2 * n <= MOST_BATCH)
            n *= 2;
    }
}

static int least_samples(const struct session *s, int side)
{
    double median = s->out->seconds[side].median;

    if (has_sets(s) || !(median >= long_seconds))
        return LEAST_SAMPLES;
    return median >= slow_seconds ? LEAST_SLOW : LEAST_LONG;
}

static bool is_known(const struct session *s, int side)
{
    return s->side[side].n >= least_samples(s, side) &&
           stats_width(&s->out->seconds[side]) <= tight;
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
static bool is_decided(const struct session *s)
{
    const struct side *now = &s->side[TIMING_CURRENT];
    const struct side *before = &s->side[TIMING_PREVIOUS];
    struct interval r;

    if (!before->runner || !s->config->to_decide)
        return false;
    r = stats_ratio(before->seconds, before->n, now->seconds, now->n,
                    confidence);
    return stats_width(&r) <= clear && lies_apart(&r, s->config->least) &&
           lies_apart(&r, 1 - same) && lies_apart(&r, 1 + same);
}

static void summarise(struct session *s)
{
    struct timing *out = s->out;

    out->converged = true;
    for (int i = 0; i < TIMING_SIDES; i++) {
        struct side *side = &s->side[i];
        if (!side->runner)
            continue;
        out->seconds[i] = stats_median(side->seconds, side->n, confidence);
        out->samples[i] = side->n;
        out->converged &= is_known(s, i) ||
                          (i == TIMING_PREVIOUS &&
                           side->n >= least_samples(s, i) && is_decided(s));
    }
}

static bool full(const struct session *s)
{
    for (int i = 0; i < TIMING_SIDES; i++)
        if (s->side[i].n >= MOST_SAMPLES)
            return true;
    return false;
}

static void look_at_clocks(struct session *s)
{
    struct clock_reading now;

    if (!s->clocks || !clocks_read(s->clocks, &now) || !clocks_trouble(&now))
        return;
    say(s->out, &s->out->throttled, "%s (%u of %u MHz)", clocks_trouble(&now),
        now.sm_mhz, now.sm_max_mhz);
}

static void note_spent(const struct session *s, double begun, const char *what)
{
    const struct side *side = s->side;

    spent_on(begun, "%s, samples: this %d, previous %d, copy %d; the first's "
             "interval is within %.2g %%", what, side[TIMING_CURRENT].n,
             side[TIMING_PREVIOUS].n, side[TIMING_COPY].n,
             100 * stats_width(&s->out->seconds[TIMING_CURRENT]));
}

/* The stages take turns to the end, so that a drift of clocks meets both
 * alike. A copy that is known well enough need not hold them up. */
static enum runner_status next_batch(struct session *s, enum timing_side which)
{
    int n = s->side[which].batch;

    if (which == TIMING_COPY && is_known(s, which) && n > LEAST_BATCH)
        n = (int)fmax(n / KNOWN_SHARE, LEAST_BATCH);
    return batch(s, which, n);
}

static double most_seconds(const struct session *s)
{
    if (s->config->seconds > 0)
        return s->config->seconds;
    return s->config->to_decide && !s->side[TIMING_PREVIOUS].runner
               ? alone_seconds
               : default_seconds;
}

static enum runner_status measure(struct session *s)
{
    double limit = most_seconds(s);
    enum runner_status status;

    do {
        status = each_side(s, next_batch);
        if (status != RUNNER_OK)
            return status;
        look_at_clocks(s);
        summarise(s);
    } while (!s->out->converged && !full(s) &&
             wire_now() - s->began < limit);
    return RUNNER_OK;
}

/* Without NVML: the same kernel at the end against at the beginning. */
static void look_for_drift(struct session *s)
{
    const struct side *side = &s->side[TIMING_COPY];

    if (!side->runner)
        side = &s->side[TIMING_CURRENT];
    int part = side->n / 3;
    if (s->clocks || part < LEAST_SAMPLES / 3)
        return;
    double first = stats_median(side->seconds, part, confidence).median;
    double last = stats_median(side->seconds + side->n - part, part,
                               confidence).median;
    if (last > first * (1 + drift_limit))
        say(s->out, &s->out->throttled,
            "the same kernel became %.0f %% slower while measuring",
            100 * (last / first - 1));
}

/* The shortest time that launches took by check's clock: n, and 2 n. */
struct walls {
    int n;
    double once, twice;
};

static enum runner_status try_walls(struct session *s, struct runner *runner,
                                    struct walls *w)
{
    double once, twice;
    enum runner_status status =
        runner_time(runner, false, w->n, NULL, &once, s->failure);

    if (status == RUNNER_OK)
        status =
            runner_time(runner, false, 2 * w->n, NULL, &twice, s->failure);
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
static enum runner_status agree(struct session *s, enum timing_side which,
                                bool *yes, double *by_clock)
{
    enum { TRIES = 24 };
    const double slack = 1.5, overhead = 20e-6; /* of launching, at most */
    double events = s->out->seconds[which].median;
    /* Many, so that a moment lost to another process counts for little: few
     * of long ones, which no moment changes much. */
    bool is_long = events >= long_seconds, is_slow = events >= slow_seconds;
    int least = is_slow ? 1 : is_long ? 2 : 4;
    int least_tries = is_slow ? 1 : is_long ? 2 : 3;
    struct walls w = {(int)fmax(wall_seconds / (events + overhead), least),
                      INFINITY, INFINITY};

    *yes = false;
    for (int i = 0; i < least_tries || (i < TRIES && !*yes); i++) {
        enum runner_status status = try_walls(s, s->side[which].runner, &w);
        if (status != RUNNER_OK) {
            s->out->failed = which;
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
static enum runner_status cross_check(struct session *s)
{
    const struct interval *seconds = s->out->seconds;
    double now, copy = NAN;
    bool honest, calm = true;
    enum runner_status status = agree(s, TIMING_CURRENT, &honest, &now);

    if (status == RUNNER_OK && !honest && s->side[TIMING_COPY].runner)
        status = agree(s, TIMING_COPY, &calm, &copy);
    if (status != RUNNER_OK || honest)
        return status;
    if (calm)
        say(s->out, &s->out->refused,
            "a launch takes %.4g ms by its events, but %.4g ms by the "
            "checker's clock: work is done outside the given stream",
            seconds[TIMING_CURRENT].median * 1e3, now * 1e3);
    else
        say(s->out, &s->out->busy,
            "another process keeps this GPU busy: even a copy takes %.4g ms by "
            "its events, but %.4g ms by the checker's clock",
            seconds[TIMING_COPY].median * 1e3, copy * 1e3);
    return RUNNER_OK;
}

/* Bytes per second by the datasheet; by NVML's clock and bus for a GPU that is
 * not known. */
static double datasheet_bandwidth(const struct session *s)
{
    const struct gpu_model *model =
        gpu_named(runner_device(s->config->runner[TIMING_CURRENT])->name);

    if (model)
        return model->bandwidth;
    return s->clocks ? clocks_bandwidth(s->clocks) : 0.0;
}

/* What must cross the memory's pins: all inputs, for L2 is cold, and of the
 * outputs what L2 cannot hold back. A launch need not read what an in-and-out
 * buffer holds: a scalar of 0 may make that needless. */
static double least_bytes(const struct session *s)
{
    const struct timing_config *c = s->config;
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

static void check_floor(struct session *s)
{
    double bandwidth = datasheet_bandwidth(s);
    struct timing *out = s->out;

    if (!(bandwidth > 0))
        return;
    out->floor_seconds = least_bytes(s) / bandwidth;
    if (!(out->seconds[TIMING_CURRENT].median >= out->floor_seconds))
        say(out, &out->refused,
            "%.4g ms is less than the %.4g ms that its %.1f MB take at this "
            "GPU's full bandwidth",
            out->seconds[TIMING_CURRENT].median * 1e3,
            out->floor_seconds * 1e3, least_bytes(s) * 1e-6);
}

static void compare(struct session *s)
{
    const struct side *now = &s->side[TIMING_CURRENT];
    const struct side *before = &s->side[TIMING_PREVIOUS];
    struct interval *r = &s->out->speedup;

    *r = (struct interval){NAN, NAN, NAN};
    s->out->verdict = TIMING_AMBIGUOUS;
    if (!before->runner)
        return;
    *r = stats_ratio(before->seconds, before->n, now->seconds, now->n,
                     confidence);
    if (r->low >= 1 - same && r->high <= 1 + same)
        s->out->verdict = TIMING_SAME;
    else if (r->low > 1)
        s->out->verdict = TIMING_FASTER;
    else if (r->high < 1)
        s->out->verdict = TIMING_SLOWER;
}

static enum runner_status plan_sets(struct session *s)
{
    const struct sets_sides sides = {s->config->runner, TIMING_SIDES,
                                     TIMING_COPY};
    int at = TIMING_CURRENT;
    enum runner_status status = sets_plan(&sides, &at, s->failure);

    s->out->failed = (enum timing_side)at;
    return status;
}

/* Leaves poisoned outputs, written by one launch, for check to look at. */
static enum runner_status last_launch(struct session *s,
                                      enum timing_side which)
{
    return batch(s, which, 1);
}

static enum runner_status run(struct session *s)
{
    double begun = wire_now();
    enum runner_status status = has_sets(s) ? plan_sets(s) : RUNNER_OK;

    if (status == RUNNER_OK)
        status = warm_up(s);
    spent_on(begun, "warming up");
    s->began = wire_now();
    if (status == RUNNER_OK)
        status = measure(s);
    note_spent(s, s->began, "measuring");
    if (status == RUNNER_OK)
        look_for_drift(s);
    begun = wire_now();
    if (status == RUNNER_OK && !has_sets(s))
        status = cross_check(s);
    spent_on(begun, "times by check's own clock");
    if (status == RUNNER_OK)
        status = each_side(s, last_launch);
    if (status != RUNNER_OK)
        return status;
    check_floor(s);
    compare(s);
    return RUNNER_OK;
}

/* The last launch of a batch leaves its outputs for check to look at. */
static enum runner_status run_briefly(struct session *s)
{
    enum runner_status status = each_side(s, size_batch);

    if (status == RUNNER_OK)
        status = each_side(s, one_batch);
    if (status != RUNNER_OK)
        return status;
    summarise(s);
    check_floor(s);
    compare(s);
    return RUNNER_OK;
}

enum runner_status timing_compare(const struct timing_config *config,
                                  struct timing *timing,
                                  struct runner_failure *failure)
{
    struct session s = {.config = config, .out = timing, .failure = failure};
    const char *pci = runner_device(config->runner[TIMING_CURRENT])->pci;
    enum runner_status status;

    memset(timing, 0, sizeof *timing);
    for (int i = 0; i < TIMING_SIDES; i++) {
        timing->seconds[i] = (struct interval){NAN, NAN, NAN};
        s.side[i].runner = config->runner[i];
        s.side[i].seconds = calloc(MOST_SAMPLES + MOST_BATCH, sizeof(double));
        if (!s.side[i].seconds)
            abort();
    }
    if (!config->brief)
        s.clocks = clocks_open(pci);
    status = config->brief ? run_briefly(&s) : run(&s);
    clocks_close(s.clocks);
    for (int i = 0; i < TIMING_SIDES; i++)
        free(s.side[i].seconds);
    return status;
}

const char *timing_verdict_name(enum timing_verdict verdict)
{
    static const char *const names[] = {"FASTER", "SAME", "SLOWER",
                                        "AMBIGUOUS"};

    return names[verdict];
}
