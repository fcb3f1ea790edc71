// SPDX-License-Identifier: MIT
/*
 * report.c: the report a learner reads; see report.h.
 *
 * A kernel that passes takes a few lines. One that fails reads, top to
 * bottom: the verdict in a word, what it means, the evidence, why, what to do
 * next, and the command that repeats it.
 */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/base/outside.h"
#include "layout.h"
#include "why.h"

/* A compiler's page or a kernel's printf must not hide the verdict. */
enum { WORDS_LINES = 24, OUTPUT_LINES = 8, RUN_LINES = 200 };

static enum style style_of(enum verdict v)
{
    if (v == VERDICT_PASS)
        return STYLE_GOOD;
    return v == VERDICT_TECHNIQUE || v == VERDICT_SLOW ? STYLE_ALMOST
                                                       : STYLE_BAD;
}

/* What stands behind `used` characters; in a narrow window, below them. */
static void say_tail(size_t used, const char *tail)
{
    size_t columns = (size_t)layout_columns();

    if (columns >= LAYOUT_WIDEST || used + strlen(tail) < columns) {
        puts(tail);
        return;
    }
    putchar('\n');
    layout_lines("  ", tail + strspn(tail, ":; "), WORDS_LINES);
}

void report_begin(const struct outcome *o)
{
    struct text t = {0};
    const struct workbook *w = o->workbook;
    const char *whose = w->options->src[0]     ? "the hand-in"
                        : w->options->solution ? "THE SOLUTION"
                                               : "YOUR CHAPTER";

    layout_colour(STYLE_BOLD);
    printf("Chapter %02d, %s", w->options->number, w->conf.title);
    layout_colour(STYLE_PLAIN);
    printf("\n%s: %s\n", whose, w->source);
    text_add(&t, "On the simulated GPU%s%s. Seed %" PRIu64 ", CUDA %s.\n",
             w->gpu[0] ? " and the " : "", w->gpu, o->seed,
             w->toolkit.found ? w->toolkit.version : "toolkit not found");
    layout_lines("", t.s, WORDS_LINES);
    putchar('\n');
    fflush(stdout);
    text_free(&t);
}

static void say_verdict(const struct kernel_result *r)
{
    struct text t = {0};
    int used;

    layout_colour(STYLE_BOLD);
    used = printf("%s.%s", r->conf->name, conf_extension(r->conf));
    layout_colour(STYLE_PLAIN);
    fputs("  ", stdout);
    layout_colour(style_of(r->verdict));
    used += printf("%s%s", verdict_table[r->verdict].name, result_remark(r));
    layout_colour(STYLE_PLAIN);
    if (r->verdict != VERDICT_PASS)
        text_add(&t, ": %s", verdict_meaning(r->verdict, r->owner));
    say_tail((size_t)used + 2, text_get(&t));
    text_free(&t);
}

/* Right by chance: another run may read, or lose, something else. */
static bool is_chance(const struct run *run, enum verdict verdict)
{
    return run->passed > 0 &&
           (verdict == VERDICT_MEMORY || verdict == VERDICT_RACE);
}

static void say_run(const struct run *run, enum verdict verdict)
{
    char line[240];
    const char *where = run->simulated ? "simulated " : "";

    if (!run->ran)
        return;
    snprintf(line, sizeof line, "%d of %d cases right on the %s%s%s",
             run->passed, run->cases, where,
             run->device[0] ? run->device : "GPU",
             is_chance(run, verdict) ? ", this time" : "");
    if (run->known)
        snprintf(line + strlen(line), sizeof line - strlen(line),
                 " (seed %" PRIu64 "; unchanged since then, so not run again)",
                 run->seed);
    layout_wrap("correct", line);
}

static void say_gates(const struct kernel_result *r)
{
    const struct run *run = &r->run[RUN_SIM];
    const char *label = "gates";

    for (int i = 0; run->gates_measured && i < r->conf->n_gates; i++) {
        const struct gate *g = &r->conf->gates[i];
        char line[256], value[32], shape[128] = "";

        if (!run->gate_measured[i])
            continue;
        if (g->at)
            conf_shape_text(r->conf, g->at, shape, sizeof shape);
        gate_value_text(value, sizeof value, run->gate_value[i]);
        snprintf(line, sizeof line, "%-34s %9s  %s %.6g%s%s%s", g->counter,
                 value, gate_op_text(g->op), g->limit, g->at ? " at " : "",
                 shape, run->gate_ok[i] ? "" : "  MISSED");
        layout_wrap(label, line);
        label = "";
    }
}

/* At a SHAPE= of the learner's own: nothing to pass, something to see. */
static void say_counters(const struct kernel_result *r)
{
    static const char *const shown[] = {
        "global_load_requests",          "global_load_sectors_per_request",
        "global_store_sectors_per_request", "global_bytes_over_compulsory",
        "shared_load_requests",          "shared_load_conflicts_per_request",
    };
    const struct run *run = &r->run[RUN_SIM];
    const char *label = "counts";

    if (run->gates_measured || !run->counters)
        return;
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        char line[160], value[32];

        gate_value_text(value, sizeof value,
                        gate_value(shown[i], run->counters, r->conf->op,
                                   &run->counters_shape));
        snprintf(line, sizeof line, "%-34s %9s", shown[i], value);
        layout_wrap(label, line);
        label = "";
    }
}

static void say_speed(const struct speed *s)
{
    struct text t = {0};

    if (!s->timed)
        return;
    text_add(&t, "%.4g ms (%.4g to %.4g), %.4g GB/s", s->this_ms.median,
             s->this_ms.low, s->this_ms.high,
             s->bytes / s->this_ms.median * 1e-6);
    if (s->percent_of_roof > 0.0)
        text_add(&t, ", %.0f %% of the %s roof%s", s->percent_of_roof,
                 s->bound, s->datasheet ? " (by the datasheet)" : "");
    if (s->copy_ms > 0.0)
        text_add(&t, "; copying the same bytes takes %.4g ms", s->copy_ms);
    layout_wrap("time", t.s);
    text_free(&t);
    if (s->has_previous) {
        text_add(&t, "%s: %.3gx (%.3g to %.3g) as fast as %s",
                 timing_verdict_name(s->verdict), s->speedup.median,
                 s->speedup.low, s->speedup.high, s->previous);
        layout_wrap("speedup", t.s);
    }
    text_free(&t);
    if (s->message[0])
        layout_wrap("", s->message);
}

/* Never where a time was measured. */
static void say_predicted(const struct kernel_result *r)
{
    const struct predicted *p = &r->predicted;
    struct text t = {0};
    char shape[128];

    if (!(p->ms > 0.0) || r->run[RUN_GPU].speed.timed)
        return;
    op_format_shape(r->conf->op, &r->conf->time_shape, shape, sizeof shape);
    text_add(&t, "%.3g ms PREDICTED for %s at %s, not measured", p->ms,
             p->gpu, shape);
    if (p->speedup > 0.0)
        text_add(&t, "; %.2gx as fast as %s", p->speedup, p->previous);
    text_add(&t, ". Most of it: %s.", p->bound_words);
    layout_wrap("model", t.s);
    text_free(&t);
}

static void say_build_words(const struct kernel_result *r)
{
    const struct build *b = &r->build;
    struct text words = {0};

    if (b->first_error[0]) {
        char place[PATH_BYTES + 300];

        snprintf(place, sizeof place, "%s:%d: %s\n", b->first_file,
                 b->first_line, b->first_error);
        layout_lines("    ", place, 4);
        puts("    nvcc's own words:");
    }
    outside_cut(&words, text_get(&b->words));
    layout_raw("  ", text_get(&words), WORDS_LINES);
    text_free(&words);
}

static void say_output(const struct outcome *o, const struct kernel_result *r)
{
    if (!r->output.n)
        return;
    puts("    what your code printed:");
    layout_lines("      | ", text_get(&r->output),
                 o->workbook->options->run ? RUN_LINES : OUTPUT_LINES);
}

/* As a shell takes it: a folder's name may hold blanks and quotes. */
static void add_quoted(struct text *t, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+";

    if (word[strspn(word, plain)] == '\0') {
        text_add(t, "%s", word);
        return;
    }
    text_add(t, "'");
    for (; *word; word++)
        if (*word == '\'')
            text_add(t, "'\\''");
        else
            text_add(t, "%c", *word);
    text_add(t, "'");
}

static void say_repeat(const struct outcome *o, const struct kernel_result *r)
{
    const struct options *opt = o->workbook->options;
    struct text t = {0};

    text_add(&t, "make check-%s %d SEED=%" PRIu64,
             opt->solution ? "solution" : "chapter", opt->number, o->seed);
    if (opt->kernel || o->workbook->conf.n_kernels > 1)
        text_add(&t, " KERNEL=%s", r->conf->name);
    if (opt->shape)
        text_add(&t, " SHAPE=\"%s\"", opt->shape);
    if (opt->draw)
        text_add(&t, " DRAW=%d", opt->draw);
    if (r->blamed_case >= 0)
        text_add(&t, " CASE=%d", r->blamed_case);
    if (opt->src[0]) {
        text_add(&t, " SRC=");
        add_quoted(&t, opt->src);
    }
    if (opt->gpu[0]) {
        text_add(&t, " GPU=");
        add_quoted(&t, opt->gpu);
    }
    if (opt->device != DEVICE_AUTO)
        text_add(&t, " DEVICE=%s", opt->device == DEVICE_GPU ? "gpu" : "sim");
    layout_raw("    repeat  ", t.s, 1); /* one line, to be pasted */
    text_free(&t);
}

static void say_source_lines(char *lines)
{
    for (char *line; (line = strsep(&lines, "\n"));)
        layout_wrap("", line + strspn(line, " "));
}

static void say_why(const struct outcome *o, const struct kernel_result *r)
{
    struct text t = {0}, source = {0};

    why_say(&t, r, o->workbook);
    if (t.n)
        layout_wrap("why", t.s);
    text_free(&t);
    if (why_line(&t, &source, r)) {
        layout_wrap("where", t.s);
        say_source_lines(source.s);
    }
    text_free(&t);
    text_free(&source);
}

static void say_next(const struct outcome *o, const struct kernel_result *r)
{
    struct text t = {0};

    if (r->verdict == VERDICT_PASS)
        return;
    if (r->owner != OWNER_YOU)
        text_add(&t, "Not your code's fault, but %s's. ",
                 owner_phrases[r->owner]);
    if (r->advice.n)
        text_add(&t, "%s", r->advice.s);
    else if (r->verdict != VERDICT_TECHNIQUE || !why_next(&t, r, o->workbook))
        text_add(&t, "%s", verdict_table[r->verdict].advice);
    layout_wrap("next", t.s);
    text_free(&t);
}

/* Of this kernel alone, where the chapter has several. */
static void say_hint(const struct outcome *o, const struct kernel_result *r)
{
    struct text t = {0};

    if (r->verdict != VERDICT_TECHNIQUE)
        return;
    text_add(&t, "make hint %d", o->workbook->options->number);
    if (o->workbook->conf.n_kernels > 1)
        text_add(&t, " KERNEL=%s", r->conf->name);
    layout_raw("    hint    ", t.s, 1); /* one line, to be pasted */
    text_free(&t);
}

void report_kernel(const struct outcome *o, const struct kernel_result *r)
{
    say_verdict(r);
    if (r->verdict == VERDICT_BUILD && !r->build.ok)
        say_build_words(r);
    else if (r->verdict != VERDICT_TECHNIQUE) /* there, the gates say it */
        layout_lines("    ", text_get(&r->evidence), WORDS_LINES);
    layout_lines("    ", text_get(&r->table), WORDS_LINES);
    for (int i = 0; i < RUNS; i++)
        say_run(&r->run[i], r->verdict);
    say_gates(r);
    say_counters(r);
    say_speed(&r->run[RUN_GPU].speed);
    say_predicted(r);
    layout_lines("    note    ", r->run[RUN_SIM].findings_noted, 6);
    if (r->notes.n)
        layout_lines("    note    ", r->notes.s, 6);
    if (r->conf->optional && r->verdict != VERDICT_PASS)
        layout_wrap("note", "Optional: the chapter can pass without this "
                            "kernel.");
    say_output(o, r);
    say_why(o, r);
    say_next(o, r);
    say_hint(o, r);
    if (r->verdict != VERDICT_PASS && r->verdict != VERDICT_BUILD)
        say_repeat(o, r);
    putchar('\n');
    fflush(stdout);
}

void report_end(const struct outcome *o)
{
    const struct workbook *w = o->workbook;
    const char *remark = "";
    struct text t = {0};
    int used;

    for (int i = o->n - 1; i >= 0 && o->verdict == VERDICT_SLOW; i--)
        if (o->kernels[i].verdict != VERDICT_PASS)
            remark = result_remark(&o->kernels[i]);
    layout_colour(style_of(o->verdict));
    used = printf("%s%s", verdict_table[o->verdict].name, remark);
    layout_colour(STYLE_PLAIN);
    text_add(&t, "  %s %02d", w->options->solution ? "solution" : "chapter",
             w->options->number);
    if (o->verdict != VERDICT_PASS)
        text_add(&t, ": %s", verdict_meaning(o->verdict, o->owner));
    if (w->options->kernel)
        text_add(&t, " (%s alone)", w->options->kernel);
    if (o->partial)
        text_add(&t, " (only the cases you chose)");
    text_add(&t, "; %.1f s", o->seconds);
    say_tail((size_t)used, t.s);
    text_free(&t);
    fflush(stdout);
}
