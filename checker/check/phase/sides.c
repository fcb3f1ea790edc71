// SPDX-License-Identifier: MIT
/*
 * sides.c: see sides.h.
 *
 * Each runner creates a context, which takes a second or so. So the copy's and
 * the previous stage's serve all kernels of a check: the copy holds no
 * learner's code, and of the stages before, which were right, each makes room
 * for the next. A grade begins each anew.
 */
#include "sides.h"

#include <string.h>

#include "spares.h"

enum { SLOTS = 2, RETIRED = 16 };

/* Of the GPU's memory, for one of four runners: the three, and that of the
 * kernel before, whose outputs are looked at. Where another process keeps the
 * arrays, they are there several times over. */
static const double memory_share = 0.15, kept_share = 0.04;

/* The newest is in use now; the other may be looked at still. */
static struct slot {
    struct test_case c;
    struct data d;
    bool made;
} slot[SLOTS];
static int newest;

static struct runner *kept[TIMING_SIDES];

/* Killed, and not yet waited for: a context takes its time to end. */
static struct runner *retired[RETIRED];
static int n_retired;

static struct op_shape shrink(const struct op *op, struct op_shape shape,
                              double room)
{
    while (op->bytes(op, &shape) > room) {
        int *most = &shape.dim[0];

        for (int i = 1; i < op->n_dims; i++)
            if (shape.dim[i] > *most)
                most = &shape.dim[i];
        if (*most < 2)
            break;
        *most /= 2;
    }
    return shape;
}

struct op_shape sides_shape(const struct phase *phase)
{
    const struct kernel_conf *conf = phase->result->conf;
    double share = phase->workbook->options->grade ? kept_share : memory_share;

    return shrink(conf->op, conf->time_shape,
                  share * (double)phase->workbook->gpu_bytes);
}

static bool holds(const struct slot *s, const struct op *op,
                  const struct test_case *c)
{
    return s->made && s->d.op == op &&
           s->c.problem.seed == c->problem.seed &&
           memcmp(&s->c.problem.shape, &c->problem.shape,
                  sizeof c->problem.shape) == 0;
}

static void drop(struct slot *s)
{
    if (s->made)
        data_free(&s->d);
    s->made = false;
}

struct data *sides_data(const struct op *op, const struct test_case *c)
{
    struct slot *s;

    for (int i = 0; i < SLOTS; i++)
        if (holds(&slot[i], op, c)) {
            newest = i;
            return &slot[i].d;
        }
    newest = (newest + 1) % SLOTS;
    s = &slot[newest];
    drop(s);
    s->c = *c;
    data_make_sealed(&s->d, op, &s->c);
    s->made = true;
    return &s->d;
}

void sides_tidy(void)
{
    for (int i = 0; i < SLOTS; i++)
        if (i != newest)
            drop(&slot[i]);
}

static void reap(void)
{
    while (n_retired > 0)
        runner_stop(retired[--n_retired]);
}

void sides_retire(struct runner *runner)
{
    if (!runner)
        return;
    if (n_retired == RETIRED)
        reap();
    runner_kill(runner);
    retired[n_retired++] = runner;
}

static bool has_previous(const struct phase *phase)
{
    const struct kernel_conf *conf = phase->result->conf;

    return conf->previous || conf->previous_kernel[0] ||
           phase->workbook->conf.previous;
}

int sides_missing(const struct phase *phase)
{
    return !kept[TIMING_COPY] +
           (has_previous(phase) && !kept[TIMING_PREVIOUS]);
}

void sides_keep(enum timing_side side, struct runner *runner)
{
    if (kept[side] != runner)
        sides_retire(kept[side]);
    kept[side] = runner;
}

void sides_end(void)
{
    for (int i = 0; i < TIMING_SIDES; i++)
        sides_keep((enum timing_side)i, NULL);
    reap();
    for (int i = 0; i < SLOTS; i++)
        drop(&slot[i]);
}

static struct runner *take_kept(enum timing_side side)
{
    struct runner *runner = kept[side];

    kept[side] = NULL;
    return runner;
}

void sides_other_data(struct data *other, const struct data *d,
                      struct test_case *c)
{
    *c = *d->c;
    c->problem = op_timed(d->op, &d->c->problem.shape,
                          seed_mix(d->c->problem.seed, 1));
    data_make(other, d->op, c);
}

static enum runner_status upload_other(struct runner *runner,
                                       const struct data *d,
                                       struct runner_failure *failure)
{
    enum runner_status status;
    struct test_case c;
    struct data other;

    sides_other_data(&other, d, &c);
    status = runner_upload_other(runner, other.given, failure);
    data_free(&other);
    return status;
}

static enum runner_status upload(struct runner *runner, const struct data *d,
                                 struct runner_failure *failure)
{
    const double *scalar = d->c->problem.scalar;

    return d->sealed
               ? runner_upload_sealed(runner, d->given, &d->inputs, scalar,
                                      failure)
               : runner_upload(runner, d->given, scalar, failure);
}

struct runner *sides_load(const struct phase *phase, struct runner *runner,
                          const char *stage, const struct data *d,
                          struct runner_failure *failure,
                          enum runner_status *status)
{
    struct runner_case rc = {.op = d->op, .shape = d->c->problem.shape,
                             .stage = stage};
    struct runner_layout layout;

    reap(); /* and so their memory is free */
    if (!runner)
        runner = spare_take(phase->workbook, failure);
    *status = runner ? runner_load(runner, &rc, &layout, failure)
                     : RUNNER_DEVICE;
    if (*status == RUNNER_OK)
        *status = upload(runner, d, failure);
    if (*status == RUNNER_OK && runner_sets(runner).n > 0)
        *status = upload_other(runner, d, failure);
    if (*status == RUNNER_OK)
        return runner;
    runner_stop(runner);
    return NULL;
}

/* What an earlier stage left behind is no fault of the next: that gets another
 * runner. */
static struct runner *load_kept(const struct phase *phase,
                                enum timing_side side, const char *stage,
                                const struct data *d)
{
    struct runner *runner = take_kept(side);
    bool again = runner != NULL;
    struct runner_failure failure = {0};
    enum runner_status status;

    runner = sides_load(phase, runner, stage, d, &failure, &status);
    return runner || !again
               ? runner
               : sides_load(phase, NULL, stage, d, &failure, &status);
}

struct runner *sides_previous(const struct phase *phase,
                              const struct previous *previous,
                              const struct data *d)
{
    struct runner *runner;
    struct data other;

    if (previous->op == d->op)
        return load_kept(phase, TIMING_PREVIOUS, previous->stage, d);
    data_make_sealed(&other, previous->op, d->c);
    runner = load_kept(phase, TIMING_PREVIOUS, previous->stage, &other);
    data_free(&other);
    return runner;
}

/* A float4 copy that reads and writes so many bytes. */
static bool copy_case(const struct phase *phase, double bytes,
                      struct test_case *c, char stage[PATH_BYTES])
{
    const struct op *op = op_find("roof_copy");
    struct op_shape shape = {{0}, {0}};

    path_set(stage, "%s/harness/roofs.so", phase->workbook->build);
    if (!op)
        return false;
    for (int i = 0; i < op->n_dims; i++)
        shape.dim[i] = 1;
    shape.dim[0] = (int)(bytes / op->bytes(op, &shape));
    *c = (struct test_case){.number = -1, .problem = op_timed(op, &shape, 1)};
    return !op_shape_error(op, &shape) && file_exists(stage);
}

struct runner *sides_copy(const struct phase *phase, double bytes)
{
    const struct op *op = op_find("roof_copy");
    char stage[PATH_BYTES];
    struct runner *runner;
    struct test_case c;
    struct data d;

    if (!copy_case(phase, bytes, &c, stage))
        return NULL;
    if (kept[TIMING_COPY] &&
        runner_holds(kept[TIMING_COPY], op, &c.problem.shape))
        return take_kept(TIMING_COPY); /* since the kernel before */
    data_make_sealed(&d, op, &c);
    runner = load_kept(phase, TIMING_COPY, stage, &d);
    data_free(&d);
    return runner;
}

struct runner *sides_load_copy(const struct phase *phase,
                               struct runner *runner, double bytes)
{
    struct runner_failure failure = {0};
    enum runner_status status;
    char stage[PATH_BYTES];
    struct test_case c;
    struct data d;

    if (!copy_case(phase, bytes, &c, stage)) {
        runner_stop(runner);
        return NULL;
    }
    data_make_sealed(&d, op_find("roof_copy"), &c);
    runner = sides_load(phase, runner, stage, &d, &failure, &status);
    data_free(&d);
    return runner;
}
