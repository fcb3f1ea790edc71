// SPDX-License-Identifier: MIT
/*
 * simcase.c: the cases of one stage, each on the GPU that it wants; see
 * simcase.h.
 *
 * Outputs and inputs still in place are read from the device. A stage without
 * order of its own (blocks, warps) must give equal bits when that order is
 * shuffled.
 */
#include "simcase.h"

#include <stdlib.h>
#include <string.h>

#include "check/judge/finding.h"
#include "check/judge/wrong.h"
#include "check/run/runner_client.h"
#include "simlaunch.h"

void sim_part_free(struct sim_part *part)
{
    part->result.build = (struct build){0}; /* the kernel's */
    result_free(&part->result);
    *part = (struct sim_part){0};
}

static void check_inputs(struct sim *s, const struct data *d,
                         const struct test_case *c)
{
    for (int i = 0; i < d->op->n_buffers; i++) {
        struct text *t;
        void *now;
        bool ok;

        if (op_is_written(d->op, i))
            continue;
        now = check_alloc(d->bytes[i], 1);
        ok = device_read(&s->device, s->layout.address[i], now, d->bytes[i]);
        if (!ok)
            sim_defect(s, s->device.error);
        if (ok && memcmp(now, d->given[i], d->bytes[i]) != 0 &&
            (t = result_blame(&s->part->result, VERDICT_REFUSED, OWNER_YOU,
                              c->number))) {
            text_add(t, "the launch changed its input %s\n",
                     d->op->buffers[i].name);
            text_add(&s->part->result.advice, "Inputs are const: write to the "
                     "output and to the workspace only.");
        }
        free(now);
    }
}

/* The same launch in another order of blocks and warps. */
static void shuffled(struct sim *s, struct data *d, const struct test_case *c)
{
    void *first[OP_MAX_BUFFERS] = {NULL};
    uint64_t order = seed_mix(c->problem.seed, 1) | 1;
    struct comparison cmp;
    bool differs = false;
    struct text *t;

    for (int i = 0; i < d->op->n_buffers; i++)
        if (d->got[i]) {
            first[i] = d->got[i];
            d->got[i] = check_alloc(d->bytes[i], 1);
        }
    if (sim_launch(s, d, c, order, false) && sim_read_outputs(s, d)) {
        data_compare(d, NULL, &cmp);
        wrong_keep(s->run, c, &cmp, s->launched > 0);
        for (int i = 0; i < d->op->n_buffers; i++)
            differs |= first[i] &&
                       memcmp(first[i], d->got[i], d->bytes[i]) != 0;
    }
    if (differs && s->whole->conf->deterministic &&
        (t = result_blame(&s->part->result, VERDICT_NONDETERMINISTIC, OWNER_YOU,
                          c->number))) {
        text_add(t, "other bits when blocks run in another order\n  at ");
        case_name(t, d->op, c);
        text_add(t, "\n");
    }
    for (int i = 0; i < OP_MAX_BUFFERS; i++)
        free(first[i]);
}

static void remember(struct sim *s, struct data *d)
{
    data_free(&s->earlier);
    s->earlier_case = *d->c;
    s->earlier = *d;
    s->earlier.c = &s->earlier_case;
}

static void check_nothing_ran(struct sim *s, const struct comparison *cmp,
                              const struct test_case *c)
{
    struct text *t;

    if (s->launched > 0 || cmp->kind != CELL_RIGHT)
        return;
    t = result_blame(&s->part->result, VERDICT_REFUSED, OWNER_YOU, c->number);
    if (!t)
        return;
    text_add(t, "the result is there, but no kernel was launched\n");
    text_add(&s->part->result.advice, "The GPU has to do the work: launch a "
             "kernel on the given stream.");
}

/* Launched once more: what the first launch leaves behind may spoil it. */
static void run_again(struct sim *s, const struct test_case *c)
{
    struct comparison cmp = {0};
    struct data d;

    data_make(&d, s->arrays.op, c);
    if (sim_launch(s, &d, c, 0, false) && sim_read_outputs(s, &d)) {
        data_compare(&d, NULL, &cmp);
        wrong_keep(s->run, c, &cmp, s->launched > 0);
    }
    data_free(&d);
    if (cmp.kind == CELL_RIGHT)
        return;
    s->run->wrong_after = AFTER_ITSELF;
    s->run->passed = 0;
}

static void run_case(struct sim *s, const struct test_case *c)
{
    struct comparison cmp = {0};
    struct data d;

    data_make(&d, s->arrays.op, c);
    s->run->cases++;
    if (sim_launch(s, &d, c, 0, c->gates) && sim_read_outputs(s, &d)) {
        data_compare(&d, &s->earlier, &cmp);
        wrong_keep(s->run, c, &cmp, s->launched > 0);
        s->run->passed += cmp.kind == CELL_RIGHT && s->launched > 0;
        check_inputs(s, &d, c);
        check_nothing_ran(s, &cmp, c);
        if (c->shuffle && cmp.kind == CELL_RIGHT && !s->over)
            shuffled(s, &d, c);
    }
    remember(s, &d);
}

/* Unless the case before had the same shape, and so the same arrays. */
static bool is_loaded(const struct sim *s, const struct test_case *c)
{
    return s->loaded && s->loaded->off == c->off &&
           memcmp(&c->problem.shape, &s->loaded->problem.shape,
                  sizeof c->problem.shape) == 0;
}

static void output_of(char path[PATH_BYTES], const struct workbook *workbook,
                      const struct kernel_result *whole, int n)
{
    path_set(path, "%s/%s-%d.out", workbook->scratch, whole->conf->name, n);
}

static bool open_as(struct sim *s, const struct workbook *workbook,
                    const struct kernel_result *whole, int n,
                    int multiprocessors, struct sim_part *part)
{
    *s = (struct sim){.workbook = workbook, .whole = whole, .number = n,
                      .multiprocessors = multiprocessors};
    s->arrays.op = whole->conf->op;
    s->arrays.source = whole->source;
    s->twice = workbook->options->only_case >= 0;
    output_of(s->output, workbook, whole, n);
    sim_begin(s, part);
    return sim_start(s);
}

static void close_one(struct sim *s)
{
    runner_stop(s->runner);
    device_stop(&s->device);
    data_free(&s->earlier);
}

/* With as many multiprocessors as the case wants: a stage may ask once how many
 * there are, so it meets others in a process of its own. False: part says why.
 */
static bool as_wanted(struct sim **s, const struct test_case *c,
                      struct sim_part *part)
{
    struct sim *few = (*s)->few;

    if (c->multiprocessors == (*s)->multiprocessors)
        return true;
    if (few && few->multiprocessors != c->multiprocessors)
        close_one(few);
    else if (few) {
        *s = few;
        return true;
    }
    if (!few)
        few = (*s)->few = check_alloc(1, sizeof *few);
    bool ok = open_as(few, (*s)->workbook, (*s)->whole, (*s)->number + SIMS,
                      c->multiprocessors, part);
    *s = few;
    return ok;
}

static void run_one(struct sim *s, const struct test_case *c,
                    struct sim_part *part)
{
    sim_begin(s, part);
    if (!is_loaded(s, c) && !sim_load(s, c))
        return;
    s->loaded = c;
    s->arrays.shape = &c->problem.shape;
    run_case(s, c);
    if (s->twice && s->run->passed && !s->over)
        run_again(s, c);
}

void sim_run_case(struct sim *s, const struct test_case *c,
                  struct sim_part *part)
{
    struct sim *wanted = s;

    if (as_wanted(&wanted, c, part))
        run_one(wanted, c, part);
    s->over |= wanted->over;
}

void sim_output(char path[PATH_BYTES], const struct phase *phase, int n)
{
    output_of(path, phase->workbook, phase->result, n);
}

bool sim_open(struct sim *s, const struct phase *phase, int n,
              struct sim_part *part)
{
    return open_as(s, phase->workbook, phase->result, n, 0, part);
}

void sim_close(struct sim *s)
{
    if (s->few)
        close_one(s->few);
    free(s->few);
    close_one(s);
}

void sim_find_writer(struct sim *s, struct run *run)
{
    const struct comparison *wrong = &run->first_wrong;
    const struct test_case *c = &run->wrong_case;
    struct runner_failure failure = {0};
    const struct op_buffer *buffer = &s->arrays.op->buffers[wrong->buffer];
    enum type type = buffer->type;
    size_t offset = wrong->cell[0].element * type_row[type].bytes;
    struct sim_part part;
    struct text writers = {0};
    json_t *report = NULL;
    struct data d;

    /* Cells of an output that still hold the poison have none. */
    if (s->over || wrong->kind == CELL_RIGHT ||
        (wrong->kind == CELL_UNWRITTEN && buffer->role == OP_OUTPUT))
        return;
    if (!as_wanted(&s, c, &part)) {
        sim_part_free(&part);
        return;
    }
    sim_begin(s, &part);
    data_make(&d, s->arrays.op, c);
    if (sim_load(s, c) && sim_prepare(s, &d, c, 0) &&
        device_watch(&s->device,
                     s->layout.address[wrong->buffer] + offset) &&
        runner_launch(s->runner, &failure) == RUNNER_OK)
        report = device_report(&s->device);
    finding_writers(&writers, report, &s->arrays);
    snprintf(run->wrong_writer, sizeof run->wrong_writer, "%s",
             writers.s ? writers.s : "");
    text_free(&writers);
    json_decref(report);
    data_free(&d);
    sim_part_free(&part);
}

json_t *sim_look(struct sim *s, const struct test_case *c,
                 const struct device_look *look)
{
    struct runner_failure failure = {0};
    struct sim_part part;
    json_t *report = NULL;
    struct data d;

    if (s->over)
        return NULL;
    sim_begin(s, &part);
    data_make(&d, s->arrays.op, c);
    if (sim_load(s, c) && sim_prepare(s, &d, c, 0) &&
        device_look(&s->device, look) &&
        runner_launch(s->runner, &failure) == RUNNER_OK)
        report = device_report(&s->device);
    data_free(&d);
    sim_part_free(&part);
    return report;
}
