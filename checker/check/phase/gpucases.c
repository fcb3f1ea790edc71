// SPDX-License-Identifier: MIT
/*
 * gpucases.c: all cases of one stage on a GPU.
 *
 * The runner brings outputs back here; fresh inputs, poison and guard bytes are
 * what is held against it. For a grade another process keeps the arrays
 * (keeper.h) and brings them back.
 *
 * The hard idea: a GPU waits for one core's references longer than it works. So
 * cases go through in groups, whose inputs are drawn and whose outputs are
 * compared by all cores at once, beside the launches of another group.
 */
#include "gpucases.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check/base/crew.h"
#include "check/base/progress.h"
#include "check/judge/data.h"
#include "check/judge/judge.h"
#include "check/judge/wrong.h"

static void blame_guard(const struct phase *phase,
                        const struct runner_result *result,
                        const struct test_case *c)
{
    struct kernel_result *r = phase->result;
    const struct op_buffer *b;
    struct text *t;

    if (result->guards_ok)
        return;
    t = result_blame(r, VERDICT_MEMORY, OWNER_YOU, c->number);
    if (!t)
        return;
    b = result->guard_buffer >= 0 &&
                result->guard_buffer < r->conf->op->n_buffers
            ? &r->conf->op->buffers[result->guard_buffer]
            : NULL;
    text_add(t, "it writes outside %s, %lld bytes from its start\n  at ",
             b ? b->name : "the workspace", result->guard_offset);
    case_name(t, r->conf->op, c);
    text_add(t, "\n");
    text_add(&r->advice, "DEVICE=sim names the line and the thread.");
}

static void blame_inputs(const struct phase *phase,
                         const struct runner_result *result,
                         const struct test_case *c)
{
    struct text *t;

    if (result->inputs_ok)
        return;
    t = result_blame(phase->result, VERDICT_REFUSED, OWNER_YOU, c->number);
    if (t)
        text_add(t, "the launch changed one of its inputs\n");
}

enum { GROUP = 16 };
static const double group_bytes = 32e6; /* what its cases must move, at most */

struct group {
    const struct op *op;
    const struct test_case *cases;
    int n, launched; /* the first `launched` have outputs */
    struct data data[GROUP];
    struct runner_result result[GROUP];
    struct comparison cmp[GROUP];
};

/* While one group is launched, the one before it is compared and the one after
 * it is drawn. */
struct pipeline {
    struct group group[3];
    struct group *before, *now, *after;
    enum runner_status status; /* but RUNNER_OK: the runner is of no more use */
    struct runner_failure failure;
    const struct test_case *failed;
};

static void draw_one(void *context, size_t i)
{
    struct group *g = context;

    data_make(&g->data[i], g->op, &g->cases[i]);
}

static void compare_one(void *context, size_t i)
{
    struct group *g = context;

    data_compare(&g->data[i], NULL, &g->cmp[i]);
}

/* Of the n cases that are left, as many as may lie in memory together. */
static void choose(struct group *g, const struct op *op,
                   const struct test_case *cases, int n)
{
    double bytes = 0;

    g->op = op;
    g->cases = cases;
    g->launched = 0;
    for (g->n = 0; g->n < n && g->n < GROUP; g->n++) {
        bytes += op->bytes(op, &cases[g->n].problem.shape);
        if (g->n > 0 && bytes > group_bytes)
            break;
    }
}

static void *compare_and_draw(void *argument)
{
    struct pipeline *p = argument;

    crew_work((size_t)p->before->launched, compare_one, p->before);
    crew_work((size_t)p->after->n, draw_one, p->after);
    return NULL;
}

/* A shape's first case loads it. */
static enum runner_status load_shape(const struct phase *phase,
                                     struct runner *runner,
                                     const struct test_case *c,
                                     struct runner_failure *failure)
{
    struct runner_case rc = {.op = phase->result->conf->op,
                             .stage = phase->result->build.result,
                             .shape = c->problem.shape, .off = c->off};
    struct runner_layout layout;

    if (c > phase->cases->cases && c->off == c[-1].off &&
        memcmp(&c->problem.shape, &c[-1].problem.shape,
               sizeof c->problem.shape) == 0)
        return RUNNER_OK;
    return runner_load(runner, &rc, &layout, failure);
}

static enum runner_status launch_case(struct runner *runner,
                                      const struct data *d,
                                      struct runner_result *result,
                                      struct runner_failure *failure)
{
    enum runner_status status =
        runner_upload(runner, d->given, d->c->problem.scalar, failure);

    *result = (struct runner_result){.guards_ok = true, .inputs_ok = true};
    if (status == RUNNER_OK)
        status = runner_launch(runner, failure);
    if (status == RUNNER_OK)
        status = runner_download(runner, d->got, result, failure);
    return status;
}

static void launch_group(struct pipeline *p, const struct phase *phase,
                         struct runner *runner, struct run *run)
{
    struct group *g = p->now;

    while (p->status == RUNNER_OK && g->launched < g->n) {
        int i = g->launched;

        p->failed = &g->cases[i];
        p->status = load_shape(phase, runner, p->failed, &p->failure);
        run->cases += p->status == RUNNER_OK;
        if (p->status == RUNNER_OK)
            p->status = launch_case(runner, &g->data[i], &g->result[i],
                                    &p->failure);
        g->launched += p->status == RUNNER_OK;
    }
}

static void judge_group(const struct phase *phase, struct run *run,
                        struct group *g)
{
    for (int i = 0; i < g->launched; i++) {
        wrong_keep(run, &g->cases[i], &g->cmp[i], true);
        run->passed += g->cmp[i].kind == CELL_RIGHT;
        blame_guard(phase, &g->result[i], &g->cases[i]);
        blame_inputs(phase, &g->result[i], &g->cases[i]);
    }
    for (int i = 0; i < g->n; i++)
        data_free(&g->data[i]);
    g->n = g->launched = 0;
}

/* Launches the group at hand; then the next one is at hand. */
static void advance(struct pipeline *p, const struct phase *phase,
                    struct runner *runner, struct run *run)
{
    struct group *free_one = p->before;
    pthread_t thread;
    bool beside = pthread_create(&thread, NULL, compare_and_draw, p) == 0;

    launch_group(p, phase, runner, run);
    if (beside)
        pthread_join(thread, NULL);
    else
        compare_and_draw(p);
    judge_group(phase, run, p->before);
    p->before = p->now;
    p->now = p->after;
    p->after = free_one;
}

void gpu_run_cases(const struct phase *phase, struct runner *runner,
                   struct run *run)
{
    const struct op *op = phase->result->conf->op;
    const struct case_list *list = phase->cases;
    struct pipeline *p = check_alloc(1, sizeof *p);
    int chosen = 0;

    p->status = RUNNER_OK;
    p->before = &p->group[0];
    p->now = &p->group[1];
    p->after = &p->group[2];
    do { /* once more than there are groups, to compare the last */
        choose(p->after, op, &list->cases[chosen],
               p->status == RUNNER_OK ? list->n - chosen : 0);
        chosen += p->after->n;
        if (p->now->n > 0)
            progress_step("GPU, case %d of %d", run->cases + 1, list->n);
        advance(p, phase, runner, run);
    } while (p->now->n > 0 || p->before->n > 0);
    if (p->status != RUNNER_OK) /* what earlier cases did is blamed first */
        blame_runner(phase, p->status, &p->failure, p->failed);
    free(p);
}
