// SPDX-License-Identifier: MIT
/*
 * stages.c: our own newest stage of an operator, at the shapes of its peers.
 *
 *   bench-stages BUILD OPERATOR...
 *
 * For each peer_shape that a chapter.conf gives one of the operators; what was
 * not built yet is built. Prints the lines that results.c describes, for the
 * peers `copy` (a float4 copy of the bytes that the kernel must move),
 * `chapter-NN` and `ours_apart`, the kernel that chapter.conf names as `apart`.
 * A row ends with the bytes of workspace. Runners, timing and comparison are
 * the checker's, so a time here means what it means in a report. A stage that
 * cannot be built, or fails, is an `absent` line. $WORK: a folder for what the
 * compiler leaves.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "check/compile/build.h"
#include "check/conf/conf.h"
#include "check/conf/workbook.h"

enum { LAST_CHAPTER = 99 };

struct bench {
    struct measure measure;
    const char *build;
};

/* A kernel of a solution: of the newest that has the operator, its last. */
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

/* As the checker builds it; false: bench->measure.reason says why not. */
static bool build(struct bench *bench, struct newest *stage)
{
    char folder[PATH_BYTES], source[PATH_BYTES], out[PATH_BYTES];
    const char *work = getenv("WORK");
    struct build_request request = {
        .toolkit = &bench->measure.toolkit, .source = source, .out = out,
        .name = stage->kernel, .arch = stage->conf.arch,
        .sm = bench->measure.sm, .machine_code = true,
        .scratch = work ? work : "/tmp"};
    struct build b;
    bool ok;

    if (!chapter_folder("solutions", stage->chapter, folder)) {
        snprintf(bench->measure.reason, sizeof bench->measure.reason,
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
        snprintf(bench->measure.reason, sizeof bench->measure.reason,
                 "%.300s cannot be built: %s", source, b.first_error);
    build_free(&b);
    return ok;
}

static void print_row(const char *name, const char *path, const char *peer,
                      const struct timing *t, enum timing_side side,
                      double error, size_t workspace)
{
    const struct interval *s = &t->seconds[side];

    printf("row %s/%s/%s %.6g %.6g %.6g %d %.3g %zu\n", name, path, peer,
           s->median * 1e3, s->low * 1e3, s->high * 1e3, t->samples[side],
           error, workspace);
    fflush(stdout);
}

/* A stage's row at a shape, and with `copy` the copy's. */
static void one_stage(struct bench *bench, struct newest *stage,
                      const struct peer_shape *at, const char *path,
                      const char *peer, struct data *d, bool copy)
{
    struct timing timing;
    double error;
    bool built = build(bench, stage), done = false;

    /* Once more with fresh runners, should the ones at hand have suffered. */
    for (int attempt = 0; built && !done && attempt < 2; attempt++) {
        done = measure_stage(&bench->measure, stage->stage, d, copy, &timing,
                             &error);
        if (!done)
            measure_close(&bench->measure);
    }
    if (!done) {
        printf("absent %s/%s/%s %s\n", at->name, path, peer,
               bench->measure.reason);
        return;
    }
    print_row(at->name, path, peer, &timing, TIMING_CURRENT, error,
              bench->measure.workspace);
    if (copy)
        print_row(at->name, path, "copy", &timing, TIMING_COPY, 0, 0);
}

/* conf: chapter `number`'s, which has kernel k. */
static void one_path(struct bench *bench, int number, const struct conf *conf,
                     const struct kernel_conf *k, const struct peer_shape *at)
{
    struct test_case c = {.number = -1,
                          .problem = op_timed(k->op, &at->shape, 1)};
    static struct newest stage;
    struct data d;
    char peer[32];

    stage.chapter = 0;
    for (int other = 1; other <= LAST_CHAPTER; other++)
        look_in(other, k->op, &stage);
    snprintf(peer, sizeof peer, "chapter-%02d", stage.chapter);
    data_make(&d, k->op, &c);
    one_stage(bench, &stage, at, k->name, peer, &d, true);
    if (k->apart[0]) {
        stage.chapter = number;
        stage.conf = *conf;
        stage.kernel = k->apart;
        one_stage(bench, &stage, at, k->name, "ours_apart", &d, false);
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
            one_path(bench, number, &conf, k, &k->peer_shapes[j]);
    }
}

int main(int argc, char **argv)
{
    static struct bench bench;

    if (argc < 3) {
        fprintf(stderr, "bench-stages BUILD OPERATOR...\n");
        return 2;
    }
    bench.build = argv[1];
    measure_open(&bench.measure, bench.build);
    printf("label copy float4 copy\nlabel ours ours, newest\n"
           "label ours_apart ours, a kernel per step\n");
    for (int i = 2; i < argc; i++) {
        const struct op *op = op_find(argv[i]);

        if (!op)
            give_up("no operator \"%s\" in common/op", argv[i]);
        for (int number = 1; number <= LAST_CHAPTER; number++)
            one_chapter(&bench, number, op);
    }
    measure_close(&bench.measure);
    return 0;
}
