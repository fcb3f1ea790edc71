// SPDX-License-Identifier: MIT
/*
 * why.c: what binds a kernel, from the evidence; see why.h.
 *
 * Where a gate is missed, its sign makes the sentence (signs.h); else the first
 * sign whose value passes its limit does. It names the lesson that explains it,
 * and the lines.
 *
 * Of several gates that are missed the first one speaks, since chapter.conf
 * names the chapter's idea first; unless one of bytes is missed by much more,
 * which then costs more than the idea would gain.
 */
#include "why.h"

#include <math.h>
#include <string.h>

#include "check/conf/holes.h"
#include "check/judge/said.h"
#include "excess.h"
#include "hot.h"
#include "remedy.h"
#include "signs.h"

enum {
    SM_REGISTERS = 65536, /* of every architecture that nvcc 12 builds for */
    FEW_THREADS = 1024,   /* half of what most SMs hold, or all */
    LANES = 32,
    AT_THE_ROOF = 90,     /* per cent: a copy itself varies by a few */
    LINES_SHOWN = 3,
};

/* By so much farther than the first a gate of bytes is missed that speaks in
 * its place. */
static const double outweighs = 1.5;

/* What speaks of a result. */
struct reason {
    const struct sign *sign; /* NULL: nothing does */
    int gate;                /* that is missed; -1: none is */
};

/* gate: the one that is missed, or -1. */
static double value_of(const struct sign *sign,
                       const struct kernel_result *r, int gate)
{
    const struct kernel_conf *conf = r->conf;
    const struct run *run = &r->run[RUN_SIM];
    double excess = excess_value(sign->counter, r);

    if (!isnan(excess))
        return excess;
    if (gate >= 0 && strcmp(conf->gates[gate].counter, sign->counter) == 0)
        return run->gate_value[gate]; /* a study's, too, has no counters */
    return gate_value(sign->counter, r->run[RUN_SIM].counters, conf->op,
                      &r->run[RUN_SIM].counters_shape);
}

static bool speaks(const struct sign *sign, double value)
{
    return sign->too == FEW ? value < sign->limit : value > sign->limit;
}

static enum too side_of(const struct gate *gate)
{
    return gate->op == GATE_GE || gate->op == GATE_GT ? FEW : MANY;
}

bool why_knows(const struct gate *gate)
{
    return signs_named(gate->counter, side_of(gate)) != NULL;
}

static bool is_of_bytes(const struct gate *gate)
{
    return side_of(gate) == MANY && strstr(gate->counter, "_bytes_over_");
}

/* As a factor. A loop that was left out altogether is missed by infinity. */
static double missed_by(const struct gate *gate, double value)
{
    double by = side_of(gate) == FEW ? gate->limit / value
                                     : value / gate->limit;

    return isnan(by) ? INFINITY : by;
}

static int missed(const struct kernel_result *r)
{
    const struct run *run = &r->run[RUN_SIM];
    double most = 0.0;
    int gate = -1, first = -1;

    for (int i = 0; run->gates_measured && i < r->conf->n_gates; i++) {
        double by = missed_by(&r->conf->gates[i], run->gate_value[i]);

        if (!run->gate_measured[i] || run->gate_ok[i] ||
            (first >= 0 && !(is_of_bytes(&r->conf->gates[i]) && by > most)))
            continue;
        most = first < 0 ? by * outweighs : by;
        first = first < 0 ? i : first;
        gate = i;
    }
    return gate;
}

/* Bytes over the compulsory ones have several causes. */
static const struct sign *sign_of(const struct kernel_result *r,
                                  const struct gate *gate)
{
    const struct sign *sign = NULL;
    const char *cause = NULL;

    if (side_of(gate) == MANY && strstr(gate->counter, "_over_compulsory") &&
        r->run[RUN_SIM].counters)
        cause = excess_of(r);
    if (remedy_is_of_tensors(r->conf))
        sign = signs_of_tensors(gate->counter, side_of(gate));
    return sign ? sign
                : signs_named(cause ? cause : gate->counter, side_of(gate));
}

/* Does most of what it counts come from given code, which the learner is not to
 * change? */
static bool is_given(const struct sign *sign, const struct kernel_result *r)
{
    struct hot at;

    if (!sign->line || !r->predicted.report)
        return false;
    if (hot_elsewhere(r->predicted.report, r->source, sign->line))
        return true;
    return hot_line(r->predicted.report, r->source, sign->line, &at) &&
           !holes_around(r->source, at.line);
}

static const struct sign *loudest(const struct kernel_result *r)
{
    const struct sign *sign;

    for (int i = 0; (sign = signs_at(i)); i++)
        if (speaks(sign, value_of(sign, r, -1))) {
            const char *cause = strstr(sign->counter, "_over_compulsory")
                                    ? excess_of(r) : NULL;

            if (cause)
                sign = signs_named(cause, MANY);
            if (!is_given(sign, r))
                return sign;
        }
    return NULL;
}

/* Whoever is graded may have been handed out no later lesson. */
static void say_lesson(struct text *t, int chapter, const struct options *o)
{
    char folder[PATH_BYTES];

    if (o->grade && chapter > o->number)
        return;
    if (chapter_folder("chapters", chapter, folder))
        text_add(t, " See %s/README.md.", folder);
}

/* The chapter's kernel that starts from this one; NULL: it is the last. */
static const struct kernel_conf *step_after(const struct kernel_conf *kernel,
                                            const struct conf *conf)
{
    for (int i = 0; i < conf->n_kernels; i++)
        if (!conf->kernels[i].previous &&
            strcmp(conf->kernels[i].previous_kernel, kernel->name) == 0)
            return &conf->kernels[i];
    return NULL;
}

/* Where to read on: a later chapter only once this one's steps are done. */
static void say_where(struct text *t, const struct kernel_result *r,
                      int chapter, const struct workbook *w)
{
    const struct kernel_conf *after = step_after(r->conf, &w->conf);

    if (chapter <= w->options->number)
        say_lesson(t, chapter, w->options);
    else if (r->verdict == VERDICT_PASS && after)
        text_add(t, " The next step is %s.%s.", after->name,
                 conf_extension(after));
    else if (r->verdict == VERDICT_PASS)
        say_lesson(t, chapter, w->options);
}

/* What is loaded twice, and stored in between, is what most chapters are
 * about: each has its own way out, unless a lesson to come is about nothing
 * else. So has the first gate of each kernel. */
static int lesson_of(const struct reason *why, const struct options *o)
{
    const char *counter = why->sign->counter;
    bool ahead = why->gate < 0 && why->sign->chapter > o->number;
    bool excess = strcmp(counter, EXCESS_LOADS) == 0 ||
                  strcmp(counter, EXCESS_ATOMICS) == 0 ||
                  strcmp(counter, EXCESS_STORES) == 0;

    return why->gate == 0 || (excess && !ahead) ? o->number
                                                : why->sign->chapter;
}

/* An atomic addition is a store to the gates, and moves 4 bytes per lane. */
static bool is_spoiled_by_atomics(const struct sign *sign,
                                  const struct kernel_result *r)
{
    const json_t *counters = r->run[RUN_SIM].counters;
    double atomics = json_number_value(
        json_object_get(counters, "global_atomics"));
    double stores = json_number_value(
        json_object_get(counters, "global_store_requests"));

    return strcmp(sign->counter, "global_store_bytes_per_request") == 0 &&
           atomics > 0.1 * stores;
}

static void say_sentence(struct text *t, const char *sentence, double value)
{
    const char *at = strstr(sentence, "%s");

    if (isnan(value))
        text_add(t, "The gate judges how loads of global memory fall "
                 "together, and this kernel makes none: what it reads comes "
                 "another way.");
    else if (at)
        text_add(t, value < 1000.0 ? "%.*s%.3g%s" : "%.*s%.0f%s",
                 (int)(at - sentence), sentence, value, at + 2);
    else
        text_add(t, "%s", sentence);
}

/* A gate may be for another shape than the chapter's first. */
static void say_shape(struct text *t, const struct kernel_conf *conf, int gate)
{
    char shape[128];

    if (gate < 0 || conf->gates[gate].at == 0)
        return;
    conf_shape_text(conf, conf->gates[gate].at, shape, sizeof shape);
    text_add(t, " That is at %s%s.", shape,
             conf->multiprocessors[conf->gates[gate].at] ? " multiprocessors"
                                                         : "");
}

static void say_bound(struct text *t, const struct speed *s)
{
    if (!s->timed || !(s->percent_of_roof > 0.0))
        return;
    text_add(t, "Its roof on this GPU is %s, and it reaches %.0f %% of that. ",
             s->bound, s->percent_of_roof);
}

/* Timed, and no counter is to blame. */
static void say_rest(struct text *t, const struct kernel_result *r)
{
    const struct speed *s = &r->run[RUN_GPU].speed;
    int threads = r->build.registers > 0 ? SM_REGISTERS / r->build.registers
                                         : 0;

    if (!s->timed || !(s->percent_of_roof > 0.0))
        return;
    if (s->percent_of_roof >= AT_THE_ROOF) {
        text_add(t, "Only less work could make it faster.");
        return;
    }
    text_add(t, "No counter stands out, so it waits: too few loads are under "
             "way at once, or loads and arithmetic take turns.");
    if (threads > 0 && threads < FEW_THREADS)
        text_add(t, " Its %d registers per thread leave room for %d threads "
                 "on an SM.", r->build.registers, threads / LANES * LANES);
}

static bool has_reasons(const struct kernel_result *r)
{
    return r->verdict == VERDICT_PASS || r->verdict == VERDICT_TECHNIQUE ||
           r->verdict == VERDICT_SLOW;
}

/* Spills are not in PTX, so no counter shows them; a missed gate still is the
 * chapter's subject. */
static struct reason pick(const struct kernel_result *r)
{
    struct reason why = {.gate = missed(r)};

    if (why.gate >= 0)
        why.sign = sign_of(r, &r->conf->gates[why.gate]);
    else if (r->run[RUN_SIM].counters && r->build.spill_bytes == 0)
        why.sign = loudest(r);
    return why;
}

void why_say(struct text *t, const struct kernel_result *r,
             const struct workbook *w)
{
    struct reason why;

    if (!has_reasons(r))
        return;
    say_bound(t, &r->run[RUN_GPU].speed);
    why = pick(r);
    if (why.sign) {
        say_sentence(t, is_spoiled_by_atomics(why.sign, r)
                            ? "Atomic additions count as stores, and at most "
                              "4 bytes per lane: with them, a store writes %s "
                              "bytes on average."
                            : why.sign->sentence,
                     value_of(why.sign, r, why.gate));
        say_shape(t, r->conf, why.gate);
        say_where(t, r, lesson_of(&why, w->options), w);
    } else if (r->build.spill_bytes > 0) {
        text_add(t, "ptxas spilled %d bytes: a thread wants more registers "
                 "than it has.", r->build.spill_bytes);
        say_lesson(t, 7, w->options);
    } else if (r->run[RUN_SIM].counters) {
        say_rest(t, r);
    }
}

/* A step that has one before it is there for the one thing that is new in it:
 * which its first gate asks for. */
static void say_idea(struct text *t, const struct kernel_result *r,
                     const struct workbook *w)
{
    struct text idea = {0};
    char path[PATH_BYTES];

    if (!w->conf.previous && !r->conf->previous_kernel[0])
        return;
    path_set(path, "%s/%s.%s", w->chapter, r->conf->name,
             conf_extension(r->conf));
    if (remedy_idea(&idea, path))
        text_add(t, "What is new in this step: %s ", idea.s);
    text_free(&idea);
}

static void say_drawing(struct text *t, const struct sign *sign,
                        const struct kernel_result *r,
                        const struct workbook *w)
{
    const char *drawn = signs_drawing(sign);

    if (drawn)
        text_add(t, "%s`make trace %d KERNEL=%s` draws %s.", t->n ? " " : "",
                 w->options->number, r->conf->name, drawn);
}

bool why_next(struct text *t, const struct kernel_result *r,
              const struct workbook *w)
{
    struct reason why = pick(r);
    const char *remedy;

    if (why.gate < 0 || !why.sign)
        return false;
    if (why.gate == 0)
        say_idea(t, r, w);
    remedy = remedy_of(why.sign->counter, why.sign->too == FEW);
    if (is_spoiled_by_atomics(why.sign, r))
        remedy = remedy_of("atomics", false);
    if (remedy_is_of_tensors(r->conf) && remedy_of_tensors(why.sign->counter))
        remedy = remedy_of_tensors(why.sign->counter);
    if (remedy)
        text_add(t, "%s", remedy);
    if (isnan(excess_value(why.sign->counter, r)))
        say_drawing(t, why.sign, r, w); /* twice, a picture looks as once */
    return t->n > 0;
}

/* Of which launch lines are shown: a gate's, if only its shape misses it. */
static const json_t *lines_of(const struct kernel_result *r,
                              const struct reason *why)
{
    return why->gate >= 0 && r->predicted.at_gates ? r->predicted.at_gates
                                                   : r->predicted.report;
}

static void add_place(struct text *place, const struct kernel_result *r,
                      const struct hot *at, int n, const struct reason *why)
{
    char shape[128];

    text_add(place, "%s:%d", r->source, at[0].line);
    for (int i = 1; i < n; i++)
        text_add(place, "%s %d", i + 1 < n ? "," : " and", at[i].line);
    text_add(place, ", with ");
    for (int i = 0; i < n; i++)
        text_add(place, "%s%.0f", i == 0 ? "" : i + 1 < n ? ", " : " and ",
                 100.0 * at[i].share);
    text_add(place, " %% of the %s", why->sign->of);
    if (lines_of(r, why) != r->predicted.report) {
        op_format_shape(r->conf->op, &r->run[RUN_SIM].counters_shape, shape,
                        sizeof shape);
        text_add(place, " at %s", shape);
    }
    text_add(place, ":");
}

bool why_line(struct text *place, struct text *source,
              const struct kernel_result *r)
{
    struct reason why = {.sign = NULL};
    struct hot at[LINES_SHOWN];
    int n;

    if (has_reasons(r))
        why = pick(r);
    if (!why.sign || !why.sign->line)
        return false;
    n = hot_lines(lines_of(r, &why), r->source, why.sign->line, at,
                  isnan(excess_value(why.sign->counter, r)) ? 1 : LINES_SHOWN);
    if (n == 0)
        return false;
    add_place(place, r, at, n, &why);
    for (int i = 0; i < n; i++)
        if (!said_line(source, r->source, r->source, at[i].line))
            return false;
    source->s[source->n - 1] = '\0';
    return true;
}
