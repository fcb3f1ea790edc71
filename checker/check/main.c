// SPDX-License-Identifier: MIT
/*
 * main.c: check one chapter, from the command line to the exit code.
 *
 * Builds all kernels at once, then takes them one by one (turns.h) and tells
 * what came of them in the order of chapter.conf: on the simulated GPU always
 * (correctness, findings, gates), on a GPU where there is one. The chapter's
 * verdict is that of its first failing kernel; the others still run.
 */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/base/clock.h"
#include "check/base/proc.h"
#include "check/base/fair.h"
#include "check/base/progress.h"
#include "check/base/spent.h"
#include "check/base/supervise.h"
#include "check/phase/building.h"
#include "check/phase/inspect.h"
#include "check/phase/known.h"
#include "check/phase/phase.h"
#include "check/report/facts.h"
#include "check/report/json.h"
#include "check/report/ownroofs.h"
#include "check/report/report.h"
#include "check/run/memory.h"
#include "check/turns.h"

/* Small enough to follow by hand, and no extent like another: for --run. */
static struct op_shape small_shape(const struct op *op)
{
    struct op_shape shape = {{0}, {0}};

    for (int i = 0; i < op->n_dims; i++)
        shape.dim[i] = i + (op->n_dims > 1 ? 2 : 6);
    return shape;
}

static void refuse_giants(const struct op *op, const struct op_shape *shape)
{
    double needed = memory_needed(op, shape), there = memory_available();

    if (there <= 0 || needed <= there)
        return;
    fprintf(stderr, "check: that SHAPE takes %.1f GB of memory to check; "
            "%.1f GB are free here\n", needed / 1e9, there / 1e9);
    exit(2);
}

/* "M516 N4 K208 on 4": of how many multiprocessors the simulated GPU is; 0: of
 * all. What is before stays in text. */
static int cut_multiprocessors(char *text)
{
    char *on = strstr(text, " on "), *end;
    long n = on ? strtol(on + strlen(" on "), &end, 10) : 0;

    if (!on || *end || n < 1 || n > 99)
        return 0; /* no shape at all, as its parser will say */
    *on = '\0';
    return (int)n;
}

/* Returns the number of multiprocessors that it asks for, or 0. */
static int read_shape(const struct options *o, const struct op *op,
                      struct op_shape *shape)
{
    char text[PATH_BYTES];
    int n;
    const char *wrong;

    path_set(text, "%s", o->shape);
    n = cut_multiprocessors(text);
    wrong = op_parse_shape(op, text, shape);

    if (!wrong) {
        refuse_giants(op, shape);
        return n;
    }
    fprintf(stderr, "check: SHAPE \"%s\": %s; an example: ", o->shape, wrong);
    for (int i = 0; i < op->n_dims; i++)
        fprintf(stderr, "%s%s%d", i ? " " : "", op->dim_names[i],
                small_shape(op).dim[i]);
    fprintf(stderr, "\n");
    fflush(stderr);
    exit(2);
}

static struct case_list choose(const struct workbook *w, uint64_t seed,
                               const struct kernel_conf *conf,
                               struct op_shape *shape)
{
    const struct options *o = w->options;
    struct case_choice choice = {.only = o->only_case, .seed = seed,
                                 .draw = o->draw, .thorough = o->grade,
                                 .once = o->run};
    struct case_list list;
    int total;

    if (o->shape) {
        choice.multiprocessors = read_shape(o, conf->op, shape);
        choice.shape = shape;
    }
    if (o->inspect && !choice.shape) {
        *shape = conf->sim_shapes[0];
        choice.shape = shape;
        choice.only = 0;
    }
    if (o->run && choice.only < 0) {
        if (!choice.shape)
            *shape = small_shape(conf->op);
        choice.shape = shape;
        choice.only = 0;
    }
    list = cases_make(conf, &choice, &total);
    if (list.n == 0) {
        fprintf(stderr, "check: %s has no case %d; they are 0 to %d\n",
                conf->name, o->only_case, total - 1);
        exit(2);
    }
    return list;
}

static void tell(void *context, struct kernel_result *r)
{
    report_kernel(context, r);
}

static void run_kernels(struct outcome *o)
{
    struct turn *turn = check_alloc((size_t)o->n, sizeof *turn);

    for (int i = 0; i < o->n; i++) {
        struct kernel_result *r = &o->kernels[i];
        struct turn *t = &turn[i];

        t->list = choose(o->workbook, o->seed, r->conf, &t->shape);
        t->phase = (struct phase){.workbook = o->workbook, .cases = &t->list,
                                  .seed = o->seed, .result = r};
        for (int k = 0; k < RUNS; k++)
            r->run[k].planned = t->list.n;
    }
    turns_take(turn, o->n, tell, o);
    gpu_end(); /* what warms up has the first turn */
    for (int i = 0; i < o->n; i++)
        cases_free(&turn[i].list);
    free(turn);
}

/* CASE= and SHAPE= must suit every kernel, before any work is done. */
static void refuse_wrong_choice(const struct outcome *o)
{
    for (int i = 0; i < o->n; i++) {
        struct op_shape shape;
        struct case_list list = choose(o->workbook, o->seed,
                                       o->kernels[i].conf, &shape);

        cases_free(&list);
    }
}

static void sum_sources(struct outcome *o)
{
    const char *paths[CONF_KERNELS];

    for (int i = 0; i < o->n; i++)
        paths[i] = o->kernels[i].source;
    source_sum(paths, o->n, o->source_sha256);
}

static void refuse_kernel(const struct conf *conf, const char *only)
{
    fprintf(stderr, "check: no such kernel: %s; the chapter has", only);
    for (int i = 0; i < conf->n_kernels; i++)
        fprintf(stderr, "%s %s", i ? "," : "", conf->kernels[i].name);
    fputc('\n', stderr);
    exit(2);
}

/* KERNEL= leaves the others out, and their files too. */
static void choose_kernels(struct outcome *o)
{
    const struct workbook *w = o->workbook;
    const char *only = w->options->kernel;

    o->kernels = check_alloc((size_t)w->conf.n_kernels, sizeof *o->kernels);
    for (int i = 0; i < w->conf.n_kernels; i++) {
        const struct kernel_conf *k = &w->conf.kernels[i];
        struct kernel_result *r = &o->kernels[o->n];

        if (only && strcmp(only, k->name) != 0)
            continue;
        r->conf = k;
        path_set(r->source, "%s/%s.%s", w->source, k->name, conf_extension(k));
        o->n++;
    }
    if (o->n == 0)
        refuse_kernel(&w->conf, only);
}

static void prepare(struct outcome *o, const struct workbook *w)
{
    o->workbook = w;
    o->partial = w->options->shape || w->options->only_case >= 0 ||
                 w->options->draw || w->options->run;
    o->seed = w->options->seed;
    if (!w->options->seed_given) {
        uint32_t fresh = 0;

        if (getrandom(&fresh, sizeof fresh, 0) != sizeof fresh)
            give_up("no random numbers for a seed; give SEED=");
        o->seed = fresh;
    }
    choose_kernels(o);
    refuse_wrong_choice(o);
    sum_sources(o);
}

/* A PASS stands on a device where at least one case ran, and all were right. */
static bool is_proven(const struct kernel_result *r)
{
    for (int i = 0; i < RUNS; i++)
        if (r->run[i].ran && r->run[i].cases > 0 &&
            r->run[i].passed == r->run[i].cases)
            return true;
    return false;
}

/* An optional kernel that is not solved yet leaves the chapter's PASS; one
 * that cheats does not, and KERNEL= asks for it alone. */
static bool counts(const struct outcome *o, const struct kernel_result *r)
{
    return !r->conf->optional || o->n == 1 || r->verdict == VERDICT_REFUSED;
}

/* The first failing kernel's, in chapter.conf's order. */
static void conclude(struct outcome *o)
{
    for (int i = 0; i < o->n; i++) {
        const struct kernel_result *r = &o->kernels[i];

        if (r->verdict == VERDICT_PASS && !is_proven(r))
            give_up("%s was not checked: a defect of the workbook",
                    r->conf->name);
        if (o->verdict != VERDICT_PASS || !counts(o, r))
            continue;
        o->verdict = r->verdict;
        o->owner = r->owner;
    }
}

/* Some of the cases or kernels are no verdict on the chapter: a report of them
 * is written only where one was asked for. */
static bool wants_json(const struct outcome *o)
{
    const struct options *options = o->workbook->options;

    return (!o->partial && !options->kernel) || options->json[0];
}

/* What is there is of an earlier check: whoever interrupts this one must not
 * take it for this one's. */
static void forget_json(const struct outcome *o)
{
    struct stat about;

    if (wants_json(o) && lstat(o->workbook->report, &about) == 0 &&
        S_ISREG(about.st_mode))
        unlink(o->workbook->report);
}

static void write_json(const struct outcome *o)
{
    json_t *report;

    if (!wants_json(o))
        return;
    report = report_json(o);

    if (!report)
        give_up("the JSON report cannot be made: a defect of the workbook");
    if (!json_write(report, o->workbook->report))
        give_up("cannot write %s: %s", o->workbook->report, strerror(errno));
    json_decref(report);
}

/* One kernel for `make trace`; NULL: it says why. */
static json_t *inspect_one(struct outcome *o, struct kernel_result *r)
{
    struct op_shape shape;
    struct case_list list;
    struct phase phase = {.workbook = o->workbook, .cases = &list,
                          .seed = o->seed, .result = r};
    json_t *j;

    building_start(o->workbook, r);
    if (!building_finish(o->workbook, r) ||
        !building_assemble(o->workbook, r)) {
        report_kernel(o, r);
        return NULL;
    }
    list = choose(o->workbook, o->seed, r->conf, &shape);
    j = inspect_kernel(&phase);
    cases_free(&list);
    progress_clear();
    if (!j)
        fprintf(stderr, "check: %s does not run to its end; make check-chapter "
                "%d says why\n", r->source, o->workbook->options->number);
    return j;
}

static int inspect(struct outcome *o)
{
    const struct options *options = o->workbook->options;
    json_t *all = json_array(), *j;
    int missing = 0;
    bool written;

    progress_begin("watching");
    for (int i = 0; i < o->n; i++)
        if (!o->kernels[i].conf->host && !conf_is_c(o->kernels[i].conf)) {
            j = inspect_one(o, &o->kernels[i]);
            missing += !j;
            json_array_append_new(all, j);
        }
    if (json_array_size(all) == 0 && !missing)
        fprintf(stderr, "check: what is no kernel has no trace\n");
    j = json_pack("{si ss so}", "chapter", options->number, "title",
                  o->workbook->conf.title, "kernels", all);
    written = json_array_size(all) > 0 && json_write(j, options->inspect);
    json_decref(j);
    return written && !missing ? 0 : 2;
}

static void forget(struct outcome *o)
{
    for (int i = 0; i < o->n; i++)
        result_free(&o->kernels[i]);
    free(o->kernels);
}

static int check(const struct options *options, const char *scratch)
{
    static struct workbook w;
    struct outcome o = {0};
    double begun = clock_seconds();

    workbook_open(&w, options, scratch);
    prepare(&o, &w);
    if (options->inspect) {
        int code = inspect(&o);

        forget(&o);
        return code;
    }
    gpu_choose(&w);
    spent_on(begun, "opening the workbook, finding a GPU");
    forget_json(&o);
    report_begin(&o);
    if (options->grade)
        progress_for_grade();
    progress_begin("building");
    for (int i = 0; i < o.n; i++)
        building_start(&w, &o.kernels[i]);
    known_begin(&w);
    run_kernels(&o);
    conclude(&o);
    o.seconds = clock_seconds() - begun;
    own_roofs_keep(&o);
    report_end(&o);
    write_json(&o); /* last: a full disk must not cost the verdict */
    forget(&o);
    return verdict_table[o.verdict].exit_code;
}

/* Each case's arrays come and go. What was touched once is kept, since a page
 * from Linux costs more than most of what is done with it. */
static void keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
    mallopt(M_TOP_PAD, 4 << 20);
}

int main(int argc, char **argv)
{
    struct options options;

    keep_memory();
    options_read(&options, argc, argv);
    fair_memory_begin();
    if (options.facts)
        return facts_print(options.facts, options.root);
    return supervise_run(check, &options);
}
