// SPDX-License-Identifier: MIT
/*
 * too_slow.c: see too_slow.h.
 *
 * A stage with a stage before it is held against that one's predicted time, as
 * on a GPU. What has none, and some that have, is held against the roof: what
 * the operator's bytes or flops take at the least, of which chapter.conf asks
 * for a share (min_percent_of_roof).
 */
#include "too_slow.h"

#include <math.h>
#include <string.h>

/* How much longer than what is asked a kernel must be predicted to take before
 * it is SLOW. tests/predict holds single predictions of the solutions to a
 * factor of 1.35, except for those that it names. What waits is the least
 * certain part. How long a kernel polls is not known at all, and not counted;
 * where the least time is known from instructions alone, those that poll are
 * among them. */
static const double model_error = 1.5, latency_error = 2.0, waiting_error = 6.0;

/* The same against the roof. On a GPU the roof is what a copy reaches, or a
 * kernel of multiply-adds; here it is the datasheet's, which none reaches. */
static const double roof_error = 2.0;

/* The model's error was measured on one GPU, and where there is a GPU, that
 * measures the time. */
bool too_slow_is_judged(const struct phase *phase)
{
    return !phase->workbook->gpu[0] && !phase->workbook->options->gpu[0];
}

/* What is asked of a kernel, over the stage before: what a GPU would be asked,
 * or else no less than its time. */
static double least_speedup(const struct phase *phase)
{
    double factor = phase->result->conf->min_speedup;

    return factor > 0.0 ? factor : 1.0;
}

/* Of what is known to bind it; NULL: nothing special. */
static const char *bound_advice(const struct predicted *p)
{
    return strcmp(p->bound, "blocks") == 0
               ? "Most of it is starting blocks: give a block more threads, or "
                 "each thread more to do, so that there are fewer."
           : strcmp(p->bound, "launch") == 0
               ? "Most of it is launching: each launch takes microseconds, "
                 "however little it does. Does the launcher launch in a loop? "
                 "One launch can have blocks for all of it."
               : NULL;
}

static void judge_speedup(const struct phase *phase)
{
    struct predicted *p = &phase->result->predicted;
    double error = strcmp(p->bound, "latency") == 0 ? latency_error
                                                    : model_error;
    double most = p->speedup * p->ms / p->least_ms;
    double least = least_speedup(phase);
    struct text *t;

    if (!(p->speedup > 0.0))
        return;
    if (most * error >= least) {
        p->asked = p->speedup < least ? phase->result->conf->min_speedup : 0.0;
        return;
    }
    t = result_blame(phase->result, VERDICT_SLOW, OWNER_YOU, -1);
    if (t && most * error < 1.0)
        text_add(t, "PREDICTED to take %.3g times as long as %s:\n  more than "
                 "the prediction's error, a factor of %.1f, explains\n",
                 1.0 / p->speedup, p->previous, error);
    else if (t)
        text_add(t, "PREDICTED to be %.3gx as fast as %s:\n  %.3gx is asked "
                 "for, and the prediction may be wrong by a factor of %.1f\n",
                 p->speedup, p->previous, least, error);
    if (t && bound_advice(p))
        text_add(&phase->result->advice, "%s", bound_advice(p));
}

/* ms: what it takes, at least. */
static void judge_roof(const struct phase *phase, double ms, double error)
{
    struct kernel_result *r = phase->result;
    double least = r->conf->min_percent_of_roof;
    struct roofline at;
    const char *advice;
    struct text *t;

    if (!(least > 0.0) || !bound_roof(r->conf->op, &r->conf->time_shape, ms,
                                      &at) ||
        at.percent_of_roof * error >= least)
        return;
    t = result_blame(r, VERDICT_SLOW, OWNER_YOU, -1);
    if (!t)
        return;
    text_add(t, "PREDICTED to take %.3g ms, %.3g times as long as its %s need "
             "at the least,\n  %.3g ms by the datasheet; %.3g times is "
             "allowed, and the prediction\n  may be wrong by a factor of "
             "%.1f\n", ms, 100.0 / at.percent_of_roof,
             strcmp(at.bound, "memory") == 0 ? "bytes" : "flops",
             ms * at.percent_of_roof / 100.0, 100.0 / least, error);
    advice = bound_advice(&r->predicted);
    text_add(&r->advice, "%s", advice
             ? advice
             : "No lesson's technique costs that much. Look for work that is "
               "done more than once, loops that wait, arithmetic in double, "
               "lanes or blocks that have nothing to do.");
}

void too_slow_predicted(const struct phase *phase)
{
    if (!too_slow_is_judged(phase))
        return;
    judge_speedup(phase);
    judge_roof(phase, phase->result->predicted.least_ms, roof_error);
}

/* Instructions that only wait are in it, hence the larger error. */
void too_slow_at_least(const struct phase *phase, const struct bound *bound,
                       const struct stage_before *before)
{
    struct kernel_result *r = phase->result;
    struct text *t;

    if (!(before->ms > 0.0)) {
        judge_roof(phase, bound->waited_ms, waiting_error);
        return;
    }
    if (bound->ms * least_speedup(phase) <= waiting_error * before->ms)
        return;
    t = result_blame(r, VERDICT_SLOW, OWNER_YOU, -1);
    if (!t)
        return;
    text_add(t, "PREDICTED to take at least %.3g times as long as %s:\n  "
             "%lld block%s for %d multiprocessors\n", bound->ms / before->ms,
             before->whose, bound->blocks, bound->blocks == 1 ? "" : "s",
             bound->multiprocessors);
    text_add(&r->advice, "Give every multiprocessor several blocks: let their "
             "number grow with the work.");
}

bool too_slow_busiest(const struct phase *phase,
                      const struct stage_before *before)
{
    struct kernel_result *r = phase->result;
    const struct busiest *b = &r->run[RUN_SIM].busiest;
    bool any = before->ms > 0.0;
    double times = b->times / waiting_error;
    struct text *t;

    /* Without a stage before, it must not keep the GPU waiting for long. */
    if (any)
        times = fmax(b->issue_ms / waiting_error, b->move_ms / model_error) *
                least_speedup(phase) / before->ms;
    if (times <= 1.0)
        return false;
    t = result_blame(r, VERDICT_SLOW, OWNER_YOU, -1);
    if (!t)
        return true;
    text_add(t, "PREDICTED to take at least %.3g times as long as %s:\n  "
             "few blocks do most of the work, and the others end early\n",
             any ? fmax(b->issue_ms, b->move_ms) / before->ms : b->times,
             any ? before->whose : "if all blocks shared the work");
    text_add(&r->advice, "Divide the work among all blocks: what each of them "
             "does should follow from blockIdx, or from a queue.");
    return true;
}
