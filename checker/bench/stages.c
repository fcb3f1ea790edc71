// SPDX-License-Identifier: MIT
/*
 * stages.c: our own newest stage of an operator, at the shapes of its peers.
 *
 *   bench-stages BUILD OPERATOR...
 *
 * For each peer_shape that a chapter.conf gives one of the operators; what was
 * not built yet is built. Prints the lines that results.c describes, for the
 * peers `copy` (a float4 copy of the bytes that the kernel must move) and
 * `chapter-NN`. Runners, timing and comparison are the checker's, so a time
 * here means what it means in a report. A stage that cannot be built, or fails,
 * is an `absent` line. $WORK: a folder for what the compiler leaves.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/compile/build.h"
#include "check/conf/conf.h"
#include "check/conf/workbook.h"
#include "check/judge/data.h"
#include "check/time/timing.h"
#include "harness/probe.h"

enum { LAST_CHAPTER = 99, REASON_BYTES = 640 };
static const double call_seconds = 60; /* limit of one call into a runner */
static const double most_seconds = 3;  /* of measuring one path */

struct bench {
    const char *build;
    struct toolkit toolkit;
    int sm; /* of the card at hand */
    char program[PATH_BYTES], cuda_lib[PATH_BYTES], copies[PATH_BYTES];
    struct runner *runner[TIMING_SIDES]; /* kept: a start costs a second */
    char reason[REASON_BYTES]; /* of the last failure */
};

/* The newest solution's last kernel that computes an operator. */
struct newest {
    int chapter; /* 0: there is none */
    struct conf conf;
    const char *kernel; /* in conf */
    char stage[PATH_BYTES];
};

static void look_in(int number, const struct op *op, struct newest *found)
{
    static struct conf conf;
    char folder[PATH_BYTES], path[PATH_BYTES], error[512];

    if (!chapter_folder("chapters", number, folder))
        return;
    path_set(path, "%s/chapter.conf", folder);
    if (!conf_read(path, &conf, error, sizeof error))
        give_up("%s", error);
    for (int i = 0; i < conf.n_kernels; i++) {
        if (conf.kernels[i].op != op || conf.kernels[i].host)
            continue;
        found->chapter = number;
        found->conf = conf;
        found->kernel = found->conf.kernels[i].name;
    }
}

/* As the checker builds it; false: bench->reason says why not. */
static bool build(struct bench *bench, struct newest *stage)
{
    char folder[PATH_BYTES], source[PATH_BYTES], out[PATH_BYTES];
    const char *work = getenv("WORK");
    struct build_request request = {
        .toolkit = &bench->toolkit, .source = source, .out = out,
        .name = stage->kernel, .arch = stage->conf.arch, .sm = bench->sm,
        .scratch = work ? work : "/tmp"};
    struct build b;
    bool ok;

    if (!chapter_folder("solutions", stage->chapter, folder)) {
        snprintf(bench->reason, sizeof bench->reason,
                 "there is no solutions/%02d-*", stage->chapter);
        return false;
    }
    path_set(source, "%s/%s.cu", folder, stage->kernel);
    path_set(out, "%s/stage/solution/%02d", bench->build, stage->chapter);
    build_start(&b, &request);
    build_finish(&b);
    ok = b.ok;
    path_set(stage->stage, "%s", b.result);
    if (!ok)
        snprintf(bench->reason, sizeof bench->reason,
                 "%.300s cannot be built: %s", source, b.first_error);
    build_free(&b);
    return ok;
}

static void say_why(struct bench *bench, const struct runner_failure *failure)
{
    snprintf(bench->reason, sizeof bench->reason, "%s",
             failure->message[0] ? failure->message : failure->error_name);
}

static struct runner *start(struct bench *bench, struct runner_failure *failure)
{
    struct runner_config config = {.program = bench->program,
                                   .cuda_lib = bench->cuda_lib,
                                   .device_fd = -1,
                                   .seconds = call_seconds,
                                   .output_path = "/dev/null"};

    return runner_start(&config, failure);
}

/* After a failure the runner is of no more use. */
static void drop(struct bench *bench, enum timing_side side)
{
    runner_stop(bench->runner[side]);
    bench->runner[side] = NULL;
}

/* A runner with the case loaded and its inputs in place, or NULL. */
static struct runner *ready(struct bench *bench, enum timing_side side,
                            const char *stage, const struct data *d)
{
    struct runner_case c = {d->op, d->c->problem.shape, stage};
    struct runner_failure failure = {{0}, {0}, 0, 0};
    struct runner_layout layout;

    if (!bench->runner[side])
        bench->runner[side] = start(bench, &failure);
    if (bench->runner[side] &&
        runner_load(bench->runner[side], &c, &layout, &failure) == RUNNER_OK &&
        runner_upload(bench->runner[side], d->given, d->c->problem.scalar,
                      &failure) == RUNNER_OK)
        return bench->runner[side];
    say_why(bench, &failure);
    drop(bench, side);
    return NULL;
}

static struct runner *ready_copy(struct bench *bench, double bytes)
{
    const struct op *op = op_find("roof_copy");
    struct op_shape shape = {.dim = {1, 1}};
    struct test_case c = {.number = -1};
    struct runner *runner;
    struct data d;

    shape.dim[0] = (int)(bytes / op->bytes(op, &shape));
    c.problem = op_timed(op, &shape, 1);
    data_make(&d, op, &c);
    runner = ready(bench, TIMING_COPY, bench->copies, &d);
    data_free(&d);
    return runner;
}

/* The largest |got - expected| / sum |terms| of cells [first, first + n). */
static double error_of_cells(const struct data *d, int buffer, size_t first,
                             size_t n)
{
    const struct op_problem *p = &d->c->problem;
    enum type type = d->op->buffers[buffer].type;
    struct op_cell want[DATA_WINDOW];
    double worst = 0;

    d->op->reference(d->op, p, buffer, (const void *const *)d->given, first, n,
                     want);
    for (size_t i = 0; i < n; i++) {
        size_t at = op_offset(d->op, buffer, &p->shape, first + i);
        double got = type_get(type, d->got[buffer], at);

        if (!op_accepts(d->op, p, buffer, &want[i],
                        type_bits(type, d->got[buffer], at)))
            return NAN;
        worst = fmax(worst, fabs(got - want[i].value) /
                                fmax(want[i].magnitude, 1e-30));
    }
    return worst;
}

/* Over both ends of every output; NAN: one is wrong. */
static double error_of(struct runner *runner, struct data *d)
{
    struct runner_failure failure;
    struct runner_result result;
    double worst = 0;

    if (runner_download(runner, d->got, &result, &failure) != RUNNER_OK)
        return NAN;
    for (int b = 0; b < d->op->n_buffers; b++) {
        size_t count = op_count(d->op, b, &d->c->problem.shape);
        size_t n = count < DATA_WINDOW ? count : DATA_WINDOW;
        double head, tail;

        if (!op_is_written(d->op, b))
            continue;
        head = error_of_cells(d, b, 0, n);
        tail = error_of_cells(d, b, count - n, n);
        if (isnan(head) || isnan(tail))
            return NAN;
        worst = fmax(worst, fmax(head, tail));
    }
    return worst;
}

static void print_row(const char *name, const char *path, const char *peer,
                      const struct timing *t, enum timing_side side,
                      double error)
{
    const struct interval *s = &t->seconds[side];

    printf("row %s/%s/%s %.6g %.6g %.6g %d %.3g\n", name, path, peer,
           s->median * 1e3, s->low * 1e3, s->high * 1e3, t->samples[side],
           error);
    fflush(stdout);
}

/* Times both; false: bench->reason says why not. */
static bool measure(struct bench *bench, struct timing_config *config,
                    struct data *d, struct timing *t, double *error)
{
    struct runner_failure failure = {{0}, {0}, 0, 0};

    if (timing_compare(config, t, &failure) != RUNNER_OK) {
        say_why(bench, &failure);
        drop(bench, t->failed);
        return false;
    }
    *error = error_of(config->runner[TIMING_CURRENT], d);
    if (!(*error >= 0))
        drop(bench, TIMING_CURRENT);
    if (t->refused || !(*error >= 0))
        snprintf(bench->reason, sizeof bench->reason, "%s",
                 t->refused ? t->message : "its result is wrong");
    return !t->refused && *error >= 0;
}

/* The stage and a copy of its bytes, by turns; false: reason says why not. */
static bool try_path(struct bench *bench, const char *stage, struct data *d,
                     struct timing *timing, double *error)
{
    struct timing_config config = {.op = d->op, .shape = d->c->problem.shape,
                                   .seconds = most_seconds};

    config.runner[TIMING_CURRENT] = ready(bench, TIMING_CURRENT, stage, d);
    if (config.runner[TIMING_CURRENT])
        config.runner[TIMING_COPY] =
            ready_copy(bench, d->op->bytes(d->op, &config.shape));
    return config.runner[TIMING_COPY] &&
           measure(bench, &config, d, timing, error);
}

static void drop_all(struct bench *bench)
{
    for (int side = 0; side < TIMING_SIDES; side++)
        drop(bench, (enum timing_side)side);
}

static void one_path(struct bench *bench, const char *name, const char *path,
                     const struct op *op, const struct op_shape *shape)
{
    struct test_case c = {.number = -1, .problem = op_timed(op, shape, 1)};
    static struct newest stage;
    struct timing timing;
    struct data d;
    double error;
    bool built, done = false;
    char peer[32];

    stage.chapter = 0;
    for (int number = 1; number <= LAST_CHAPTER; number++)
        look_in(number, op, &stage);
    snprintf(peer, sizeof peer, "chapter-%02d", stage.chapter);
    data_make(&d, op, &c);
    built = build(bench, &stage);
    /* Once more with fresh runners, should the ones at hand have suffered. */
    for (int attempt = 0; built && !done && attempt < 2; attempt++) {
        done = try_path(bench, stage.stage, &d, &timing, &error);
        if (!done)
            drop_all(bench);
    }
    if (done) {
        print_row(name, path, peer, &timing, TIMING_CURRENT, error);
        print_row(name, path, "copy", &timing, TIMING_COPY, 0);
    } else {
        printf("absent %s/%s/%s %s\n", name, path, peer, bench->reason);
    }
    data_free(&d);
}

/* The peers' shapes that a chapter asks for, of this operator. */
static void one_chapter(struct bench *bench, int number, const struct op *op)
{
    char folder[PATH_BYTES], path[PATH_BYTES], error[512];
    struct conf conf;

    if (!chapter_folder("chapters", number, folder))
        return;
    path_set(path, "%s/chapter.conf", folder);
    if (!conf_read(path, &conf, error, sizeof error))
        give_up("%s", error);
    for (int i = 0; i < conf.n_kernels; i++) {
        const struct kernel_conf *k = &conf.kernels[i];

        for (int j = 0; k->op == op && j < k->n_peer_shapes; j++)
            one_path(bench, k->peer_shapes[j].name, k->name, op,
                     &k->peer_shapes[j].shape);
    }
}

int main(int argc, char **argv)
{
    static struct bench bench;
    struct probe probe;

    if (argc < 3) {
        fprintf(stderr, "bench-stages BUILD OPERATOR...\n");
        return 2;
    }
    bench.build = argv[1];
    toolkit_find(&bench.toolkit);
    probe_gpu(&probe);
    bench.sm = toolkit_sm(&bench.toolkit, 10 * probe.cc_major + probe.cc_minor);
    path_set(bench.program, "%s/bin/runner", bench.build);
    path_set(bench.copies, "%s/harness/roofs.so", bench.build);
    path_set(bench.cuda_lib, "%s", bench.toolkit.lib);
    printf("label copy float4 copy\nlabel ours ours, newest\n");
    for (int i = 2; i < argc; i++) {
        const struct op *op = op_find(argv[i]);

        if (!op)
            give_up("no operator \"%s\" in common/op", argv[i]);
        for (int number = 1; number <= LAST_CHAPTER; number++)
            one_chapter(&bench, number, op);
    }
    drop_all(&bench);
    return 0;
}
