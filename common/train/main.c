// SPDX-License-Identifier: MIT
/*
 * main.c: bin/train, which trains a small model with the workbook's kernels.
 *
 *   train s4|cnn [NAME=VALUE...]
 *
 * Prints a line per result: `loss STEP VALUE`, `ms_per_step`, `bytes`, ... The
 * first step is executed as it is; with graph=1 the second is recorded and all
 * others replay it. check=1 makes the same steps in double on the CPU and ends
 * with 1 if a loss differs by more than it may.
 *
 * With TRAIN_TURN=FILE in the environment it waits for a lock on that file once
 * its data is made and the GPU is open: of several that run at the same time
 * only one trains.
 */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "train/data.h"
#include "train/net.h"

enum { PARTS = 5 }; /* of the steps that are timed */

/* What may be set, and what is without. */
struct settings {
    long B, H, L, K, blocks;      /* s4 */
    long channels, side, fashion; /* cnn; fashion: its images if installed */
    long steps, batches, seed, conv, apart, graph, check, each, yours;
    double rate;
};

static const struct option {
    const char *name;
    size_t at;
} options[] = {
#define OPTION(name) {#name, offsetof(struct settings, name)}
    OPTION(B),     OPTION(H),       OPTION(L),     OPTION(K),
    OPTION(blocks), OPTION(channels), OPTION(side), OPTION(fashion),
    OPTION(steps), OPTION(batches), OPTION(seed),  OPTION(conv),
    OPTION(apart), OPTION(graph),   OPTION(check), OPTION(each),
    OPTION(yours),
};

static void usage(void)
{
    fprintf(stderr, "usage: train s4|cnn [NAME=VALUE...]; names:");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        fprintf(stderr, " %s", options[i].name);
    fprintf(stderr, " rate\n");
    exit(2);
}

static void set(struct settings *s, const char *word)
{
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : 0;
    char *end;

    if (equals && length == 4 && strncmp(word, "rate", 4) == 0) {
        s->rate = strtod(equals + 1, &end);
        if (!*end && s->rate > 0)
            return;
    }
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (equals && strlen(options[i].name) == length &&
            strncmp(word, options[i].name, length) == 0) {
            long value = strtol(equals + 1, &end, 10);

            if (*end || !equals[1] || value < 0 || value > 1 << 30)
                usage();
            *(long *)((char *)s + options[i].at) = value;
            return;
        }
    usage();
}

static void must(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "train: %s\n", what);
    exit(2);
}

/* The batches' examples: what is learnt from, or as many others. */
static struct data_set examples(const struct settings *s, int images,
                                int held_out)
{
    int n = (int)(s->B * s->batches);
    uint64_t seed = (uint64_t)s->seed + (held_out ? 1000003 : 1);
    struct data_set d = {0};

    if (images && s->fashion)
        d = data_fashion(n, held_out ? "t10k" : "train");
    if (!d.n && s->fashion)
        fprintf(stderr, "train: no Fashion-MNIST, so images are drawn; "
                "Debian's package dataset-fashion-mnist has it\n");
    if (!d.n && images)
        d = data_images(n, (int)s->side, seed);
    else if (!d.n)
        d = data_series(n, (int)s->L, seed);
    data_shuffle(&d, (uint64_t)s->seed + 2);
    return d;
}

static void open_net(struct net *net, const struct train_ops *ops,
                     const struct settings *s, const struct data_set *d,
                     int images)
{
    if (images)
        net_cnn(net, ops, (int)s->B, (int)s->side, (int)s->channels);
    else
        net_s4(net, ops,
               (struct dwconv_shape){(int)s->B, (int)s->H, (int)s->L,
                                     (int)s->K},
               (int)s->blocks);
    net->data.batches = (int)s->batches;
    net->data.inputs = ops->take((size_t)d->n * d->input_size);
    net->data.targets = ops->take((size_t)d->n * d->target_size);
    ops->put(net->data.inputs, d->inputs, (size_t)d->n * d->input_size);
    ops->put(net->data.targets, d->targets, (size_t)d->n * d->target_size);
    net->max_steps = (int)(s->steps + s->batches);
    net->rate = s->rate;
    net_open(net, (uint64_t)s->seed);
}

static void close_net(struct net *net)
{
    net->ops->give_back(net->data.inputs);
    net->ops->give_back(net->data.targets);
    net_close(net);
}

static void steps(const struct net *net, const struct settings *s, long n)
{
    for (long i = 0; i < n; i++)
        if (s->graph)
            train_graph_replay();
        else
            net_step(net);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* All steps. The first is executed, and loads what has to be loaded; half of
 * the others are a warm-up; the rest is timed in a few parts, of which the
 * median is printed, the fastest and the slowest. */
static void train(const struct net *net, const struct settings *s)
{
    long left = s->steps - 1, timed = left - left / 2;
    long parts = timed < PARTS ? timed : PARTS;
    double ms[PARTS];

    net_step(net);
    if (s->each)
        train_time_each();
    if (s->graph && left > 0) {
        train_graph_begin();
        net_step(net);
        train_graph_end();
    }
    if (s->each || left == 0) {
        steps(net, s, left);
        return;
    }
    steps(net, s, left / 2);
    for (long i = 0; i < parts; i++) {
        long n = timed * (i + 1) / parts - timed * i / parts;

        train_time_start();
        steps(net, s, n);
        train_time_stop();
        ms[i] = train_time_ms() / (double)n;
    }
    qsort(ms, (size_t)parts, sizeof *ms, ascending);
    printf("ms_per_step %.6f\nms_low %.6f\nms_high %.6f\n", ms[parts / 2],
           ms[0], ms[parts - 1]);
}

static void print_losses(const double *losses, long steps)
{
    for (long i = 0; i < steps; i++)
        if (i < 10 || i == steps - 1 || (i + 1) % 10 == 0)
            printf("loss %ld %.6g\n", i + 1, losses[i]);
}

static double *numbers(const struct net *net, const void *from)
{
    double *to = malloc((size_t)net->max_steps * sizeof *to);

    must(to != NULL, "no memory for the losses");
    net->ops->fetch(to, from, (size_t)net->max_steps);
    return to;
}

/* The share of images classified right, of as many as were learnt from, none
 * of them seen before. */
static void print_accuracy(const struct net *net, const struct settings *s)
{
    struct data_set d = examples(s, 1, 1);
    double *hits, right = 0;

    net->ops->put(net->data.inputs, d.inputs, (size_t)d.n * d.input_size);
    net->ops->put(net->data.targets, d.targets, (size_t)d.n);
    data_give_back(&d);
    for (long i = 0; i < s->batches; i++)
        net_evaluate(net);
    hits = numbers(net, net->hits);
    for (long i = 0; i < s->batches; i++)
        right += hits[s->steps + i];
    printf("accuracy %.4f\n", right / (double)(s->B * s->batches));
    free(hits);
}

/* How far off a loss may be, relatively. Rounding grows from step to step:
 * Adam's first update has the gradient's sign alone, and the sign of a gradient
 * near zero may be rounding's. */
static double limit_of(long step)
{
    return step == 0 ? 1e-5 : 1e-4;
}

static int agrees(const double *losses, const struct settings *s,
                  const struct data_set *d, int images)
{
    struct net net = {0};
    double *right, worst = 0;
    int good = 1;

    open_net(&net, train_ops_reference(), s, d, images);
    for (long i = 0; i < s->steps; i++)
        net_step(&net);
    right = numbers(&net, net.losses);
    for (long i = 0; i < s->steps; i++) {
        double off = fabs(losses[i] / right[i] - 1);

        if (!(off <= worst))
            worst = off;
        if (!(off <= limit_of(i))) {
            printf("differs at step %ld: %.9g, in double %.9g\n", i + 1,
                   losses[i], right[i]);
            good = 0;
        }
    }
    printf("worst_difference %.3g\ncheck %s\n", worst,
           good ? "passed" : "failed");
    free(right);
    close_net(&net);
    return good;
}

static struct train_stages stages_for(const struct settings *s)
{
    struct train_stages t = {.conv = (int)s->conv,
                             .norm_apart = (int)s->apart};
    const char *build = getenv("TRAIN_BUILD");
    static char yours[4096], ours[4096], given[4096];
    int n = 0;

    if (!build)
        build = "build";
    snprintf(yours, sizeof yours, "%s/stage/chapter", build);
    snprintf(ours, sizeof ours, "%s/train", build);
    snprintf(given, sizeof given, "%s/train/kernels.so", build);
    if (s->yours)
        t.folder[n++] = yours;
    t.folder[n] = ours;
    t.given = given;
    return t;
}

/* The lock is this process's until it ends. */
static void wait_for_turn(void)
{
    const char *file = getenv("TRAIN_TURN");
    int turn = file ? open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;

    if (file)
        must(turn >= 0 && flock(turn, LOCK_EX) == 0, "TRAIN_TURN is no file");
}

int main(int argc, char **argv)
{
    struct settings s = {
        .B = 8, .H = 8, .L = 48, .K = 48, .blocks = 2, .channels = 4,
        .side = 28, .steps = 2, .batches = 2, .seed = 1, .conv = 9,
        .rate = 0.01,
    };
    int images = argc > 1 && strcmp(argv[1], "cnn") == 0, good = 1;
    struct train_stages stages;
    const struct train_ops *ops;
    struct net net = {0};
    struct data_set d;
    double *losses;

    if (argc < 2 || (!images && strcmp(argv[1], "s4") != 0))
        usage();
    for (int i = 2; i < argc; i++)
        set(&s, argv[i]);
    must(s.B && s.H && s.L && s.K && s.channels && s.side && s.steps &&
             s.batches, "sizes begin at 1");
    must(s.conv >= 4 && s.conv <= 9, "conv is a chapter from 4 to 9");
    must(!s.fashion || s.side == 28, "Fashion-MNIST's images have side 28");
    must(!(s.each && s.graph), "each=1 times launches, graph=1 has none");
    stages = stages_for(&s);
    d = examples(&s, images, 0);
    ops = train_ops_device(&stages);
    wait_for_turn();
    open_net(&net, ops, &s, &d, images);
    train(&net, &s);
    losses = numbers(&net, net.losses);
    print_losses(losses, s.steps);
    if (images)
        print_accuracy(&net, &s);
    train_time_report(stdout);
    printf("bytes %zu\n", train_device_bytes());
    if (s.check)
        good = agrees(losses, &s, &d, images);
    free(losses);
    close_net(&net);
    data_give_back(&d);
    return good ? 0 : 1;
}
