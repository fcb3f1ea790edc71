// SPDX-License-Identifier: MIT
/*
 * simphase.c: one stage on the simulated GPU, over all its cases.
 *
 * Cases of one shape run one after the other on one device and runner, so that
 * what a launch leaves behind meets the next; other shapes may run at the same
 * time on another. Each case has a result of its own. They are merged in the
 * order of the cases, as far as the first that ends the check, so that the
 * verdict does not depend on who was faster.
 *
 * A verdict as early as RACE ends the phase: after a fault the context is
 * dead, and the learner has the line to mend. Wrong results do not: how many
 * cases are right, and which, tells where to look. But after a wrong case the
 * others may take no more than a budget of instructions.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check/base/progress.h"
#include "busiest.h"
#include "check/judge/contract.h"
#include "check/judge/wrong.h"
#include "known.h"
#include "phase.h"
#include "predict.h"
#include "simcase.h"
#include "wrongs.h"

/* Instructions of warps that may be spent on other cases once one is wrong: a
 * fifth of a second or so, in which dozens of small cases tell where it is
 * right. */
static const double after_wrong = 4e6;

/* And no case of more cells in an array, and flops: a block that computes tiles
 * may spend many times these on it. */
static const size_t large_cells = 30000;
static const double large_flops = 1e5;

/* Cases. A kernel that is wrong mostly is so in the first dozen; before these
 * nobody predicts its time. */
enum { HELPERS = SIMS - 1, WORTH_HELP = 24, LIKELY = 16 };

struct plan {
    const struct phase *phase;
    const struct case_list *list;
    struct sim_part *parts; /* one per case */
    int n;                  /* cases before the chapter's big shape */
    pthread_mutex_t lock;
    int next;               /* the first case that nobody took */
    int stop;               /* the last case that counts; list->n: all do */
    bool ahead;             /* a helper predicts before it takes cases */
    bool known_bad;         /* nobody asks how fast it is, any more */
    struct test_case beyond; /* where a grid grows too long, if one does */
    struct sim_part beyond_part;
    struct test_case longer[OP_MAX_DIMS]; /* each extent longer than listed; */
    struct sim_part longer_part; /* the first of these that is not right */
};

struct helper {
    struct plan *plan;
    int number;
    pthread_t thread;
    bool started;
};

static bool same_shape(const struct test_case *a, const struct test_case *b)
{
    return a->multiprocessors == b->multiprocessors && a->off == b->off &&
           memcmp(&a->problem.shape, &b->problem.shape,
                  sizeof a->problem.shape) == 0;
}

static bool ends_check(const struct sim_part *part)
{
    enum verdict v = part->result.verdict;

    return part->over || (v != VERDICT_PASS && v <= VERDICT_RACE);
}

static bool is_wrong(const struct sim_part *part)
{
    return part->result.run[RUN_SIM].first_wrong.kind != CELL_RIGHT;
}

static bool is_large(const struct plan *p, int i)
{
    const struct op *op = p->phase->result->conf->op;
    const struct op_shape *shape = &p->list->cases[i].problem.shape;

    for (int b = 0; b < op->n_buffers; b++)
        if (op_count(op, b, shape) > large_cells)
            return op->flops(shape) > large_flops;
    return false;
}

/* Where the cases done so far, without a gap, end the check. */
static int find_stop(const struct plan *p)
{
    double spent = 0.0;
    bool wrong = false;

    for (int i = 0; i < p->list->n && p->parts[i].done; i++) {
        if (ends_check(&p->parts[i]))
            return i;
        if (wrong)
            spent += p->parts[i].instructions;
        wrong |= is_wrong(&p->parts[i]);
        if (spent > after_wrong ||
            (wrong && i + 1 < p->n && is_large(p, i + 1)))
            return i;
    }
    return p->list->n;
}

/* The next shape's cases, [*first, *end); false: none are left before case
 * `until`. */
static bool take(struct plan *p, int until, int *first, int *end)
{
    const struct test_case *cases = p->list->cases;

    pthread_mutex_lock(&p->lock);
    p->stop = find_stop(p);
    *first = *end = p->next;
    if (p->stop == p->list->n && *first < until)
        while (*end < p->n &&
               (*end == *first || same_shape(&cases[*first], &cases[*end])))
            (*end)++;
    p->next = *end;
    pthread_mutex_unlock(&p->lock);
    return *end > *first;
}

static bool is_after_stop(struct plan *p, int i)
{
    bool after;

    pthread_mutex_lock(&p->lock);
    p->stop = find_stop(p);
    after = i > p->stop;
    pthread_mutex_unlock(&p->lock);
    return after;
}

/* ptxas and the prediction, which began before all cases were right, take
 * processors from the cases that are left. */
static void stop_ahead(struct plan *p)
{
    build_drop(&p->phase->result->build);
    predict_cancel(p->phase);
}

static void put(struct plan *p, int i, struct sim_part *part)
{
    enum verdict v = part->result.verdict;
    bool first;

    pthread_mutex_lock(&p->lock);
    p->parts[i] = *part;
    first = !p->known_bad && (is_wrong(part) || v == VERDICT_MEMORY ||
                              v == VERDICT_RACE);
    p->known_bad |= first;
    if (first && p->ahead)
        stop_ahead(p);
    pthread_mutex_unlock(&p->lock);
}

/* Until no case is left before case `until`, or the stage is gone. */
static void work(struct plan *p, struct sim *s, int until, bool shows)
{
    int first, end;

    while (!s->over && take(p, until, &first, &end))
        for (int i = first; i < end && !s->over && !is_after_stop(p, i); i++) {
            struct sim_part part;

            if (shows)
                progress_step("simulated GPU, case %d of %d", i + 1,
                              p->list->n);
            sim_run_case(s, &p->list->cases[i], &part);
            put(p, i, &part);
        }
}

static bool part_is_right(const struct sim_part *part)
{
    return part->result.verdict == VERDICT_PASS && !part->over &&
           !is_wrong(part);
}

/* All small cases that were run so far. */
static bool is_right(struct plan *p)
{
    bool right = p->phase->result->verdict == VERDICT_PASS &&
                 part_is_right(&p->beyond_part) &&
                 part_is_right(&p->longer_part);

    pthread_mutex_lock(&p->lock);
    for (int i = 0; i < p->n && right; i++)
        right = part_is_right(&p->parts[i]);
    pthread_mutex_unlock(&p->lock);
    return right;
}

static void *help(void *argument)
{
    const struct helper *h = argument;
    struct sim_part part;
    struct sim s;

    if (sim_open(&s, h->plan->phase, h->number, &part)) {
        if (h->plan->ahead && h->number == 1) {
            work(h->plan, &s, LIKELY, false);
            if (is_right(h->plan))
                predict_ahead(h->plan->phase);
        }
        work(h->plan, &s, h->plan->n, false);
    }
    sim_close(&s);
    sim_part_free(&part);
    return NULL;
}

/* Line by line, each once. */
static void merge_notes(char whole[], const char *part)
{
    for (const char *end; (end = strchr(part, '\n')); part = end + 1) {
        size_t n = strlen(whole), more = (size_t)(end + 1 - part);

        if (!memmem(whole, n, part, more) &&
            n + more < sizeof ((struct run *)NULL)->findings_noted)
            snprintf(whole + n, more + 1, "%s", part);
    }
}

static void merge_gates(struct run *whole, const struct run *part)
{
    for (int i = 0; i < CONF_GATES; i++)
        if (part->gate_measured[i]) {
            whole->gate_measured[i] = true;
            whole->gate_value[i] = part->gate_value[i];
            whole->gate_ok[i] = part->gate_ok[i];
        }
}

static void merge_run(struct run *whole, struct run *part)
{
    whole->cases += part->cases;
    whole->passed += part->passed;
    whole->memory_errors += part->memory_errors;
    whole->races += part->races;
    whole->equal_writes += part->equal_writes;
    if (part->wrong_after != AFTER_NOTHING)
        whole->wrong_after = part->wrong_after;
    merge_notes(whole->findings_noted, part->findings_noted);
    memcpy(whole->device, part->device, sizeof whole->device);
    memcpy(whole->launched_as, part->wrong_launch, sizeof whole->launched_as);
    if (part->first_wrong.kind != CELL_RIGHT)
        wrong_keep(whole, &part->wrong_case, &part->first_wrong,
                   part->wrong_launched);
    merge_gates(whole, part);
    if (!part->counters)
        return;
    json_decref(whole->counters);
    whole->counters = json_incref(part->counters);
    whole->counters_shape = part->counters_shape;
    whole->uneven = part->uneven;
    whole->gates_measured = part->gates_measured;
}

static void merge(struct kernel_result *whole, struct sim_part *part)
{
    struct kernel_result *r = &part->result;
    struct text *t = r->verdict == VERDICT_PASS
                         ? NULL
                         : result_blame(whole, r->verdict, r->owner,
                                        r->blamed_case);

    if (t) {
        text_add(t, "%s", text_get(&r->evidence));
        text_add(&whole->advice, "%s", text_get(&r->advice));
    }
    merge_run(&whole->run[RUN_SIM], &r->run[RUN_SIM]);
}

/* All cases of the list, and no others, are wanted. */
static bool is_whole(const struct options *o)
{
    return !o->shape && !o->draw && o->only_case < 0 && !o->run && !o->inspect;
}

/* Everybody can read which sizes are listed, and a kernel may be right up to
 * the longest of these alone. The cases that are run here are not counted,
 * unless one is wrong. A kernel that is slow there (a block for each element)
 * has not been asked to be quick: that it takes too long says nothing, but it
 * ends the device, so these cases come last. */
static void run_longer(struct plan *p, struct sim *s)
{
    struct kernel_result *r = p->phase->result;

    for (int d = 0; d < r->conf->op->n_dims && is_right(p) && !s->over; d++) {
        sim_part_free(&p->longer_part);
        if (case_longer(r->conf, d, p->phase->seed, &p->longer[d]))
            sim_run_case(s, &p->longer[d], &p->longer_part);
    }
    if (is_right(p) || p->longer_part.result.verdict == VERDICT_TIMEOUT)
        sim_part_free(&p->longer_part);
    else if (p->longer_part.done)
        r->run[RUN_SIM].planned++;
}

/* One more small case for a grid along y or z that grows with the rows. */
static void run_beyond(struct plan *p, struct sim *s)
{
    const struct kernel_conf *conf = p->phase->result->conf;
    struct beyond_grids *grids;

    if (s->over || !is_right(p))
        return;
    grids = check_alloc((size_t)p->n + 1, sizeof *grids);
    for (int i = 0; i < p->n; i++)
        grids[i] = p->parts[i].grids;
    if (beyond_case(conf, p->list->cases, grids, p->n, p->phase->seed,
                    &p->beyond)) {
        p->phase->result->run[RUN_SIM].planned++;
        sim_run_case(s, &p->beyond, &p->beyond_part);
    }
    free(grids);
}

/* The chapter's big shape takes long, and is for the counters of a kernel that
 * is right so far: it comes last, and has all cores. */
static void run_big(struct plan *p, struct sim *s)
{
    if (!is_right(p))
        return;
    p->n = p->list->n;
    work(p, s, p->n, true);
}

static void start_helpers(struct plan *p, struct helper helpers[HELPERS])
{
    const struct options *o = p->phase->workbook->options;
    int n = o->jobs - 1 < HELPERS ? o->jobs - 1 : HELPERS;

    for (int i = 0; i < n && p->n >= WORTH_HELP; i++) {
        helpers[i] = (struct helper){.plan = p, .number = i + 1};
        helpers[i].started = pthread_create(&helpers[i].thread, NULL, help,
                                            &helpers[i]) == 0;
    }
}

static void await_helpers(struct helper helpers[HELPERS])
{
    for (int i = 0; i < HELPERS; i++)
        if (helpers[i].started)
            pthread_join(helpers[i].thread, NULL);
}

static void keep_outputs(const struct phase *phase)
{
    char path[PATH_BYTES];

    for (int n = 0; n < 2 * SIMS; n++) {
        sim_output(path, phase, n);
        keep_output(phase->result, path);
    }
}

static void merge_all(struct plan *p)
{
    struct kernel_result *r = p->phase->result;
    int n = 0;

    p->stop = find_stop(p);
    for (; n <= p->stop && n < p->list->n && p->parts[n].done; n++)
        merge(r, &p->parts[n]);
    if (p->beyond_part.done)
        merge(r, &p->beyond_part);
    if (p->longer_part.done)
        merge(r, &p->longer_part);
    wrongs_sum_up(&(struct wrongs){r->conf->op, p->list->cases, p->parts, n},
                  &r->run[RUN_SIM]);
}

/* The wrong case on a device that has launched nothing before: CASE= repeats no
 * more than that, and it may be right there. */
static void look_alone(const struct plan *p, struct run *run)
{
    const struct options *o = p->phase->workbook->options;
    struct sim_part part;
    struct sim s;

    if (run->first_wrong.kind == CELL_RIGHT || o->only_case >= 0)
        return;
    if (sim_open(&s, p->phase, HELPERS + 1, &part)) {
        s.twice = true;
        sim_run_case(&s, &run->wrong_case, &part);
        if (!is_wrong(&part))
            run->wrong_after = s.over ? AFTER_NOTHING : AFTER_OTHERS;
        else
            run->wrong_after = part.result.run[RUN_SIM].wrong_after;
    }
    sim_close(&s);
    sim_part_free(&part);
}

/* A stage that is right, one of whose blocks seems to do all its work. */
static void look_at_busiest(const struct plan *p, struct sim *s)
{
    struct kernel_result *r = p->phase->result;
    struct run *run = &r->run[RUN_SIM];

    if (r->verdict == VERDICT_PASS && run->first_wrong.kind == CELL_RIGHT &&
        predict_wants_busiest(p->phase) && uneven_seems(&run->uneven))
        run->busiest = busiest_time(s, &p->list->cases[p->list->n - 1]);
}

static void run_cases(struct plan *p)
{
    struct helper helpers[HELPERS] = {{0}};
    struct sim_part part;
    struct sim s;

    start_helpers(p, helpers);
    if (sim_open(&s, p->phase, 0, &part)) {
        work(p, &s, p->n, true);
        if (p->ahead && !is_right(p))
            stop_ahead(p);
        await_helpers(helpers);
        if (is_whole(p->phase->workbook->options))
            run_beyond(p, &s);
        run_big(p, &s);
        if (is_whole(p->phase->workbook->options))
            run_longer(p, &s);
        merge_all(p);
        look_alone(p, &p->phase->result->run[RUN_SIM]);
        sim_find_writer(&s, &p->phase->result->run[RUN_SIM]);
        look_at_busiest(p, &s);
    } else {
        await_helpers(helpers);
        merge(p->phase->result, &part);
    }
    sim_close(&s);
    sim_part_free(&part);
}

/* The first case of the big shape, which stands at the end; all, where the
 * learner chose the shape. */
static int count_small(const struct phase *phase)
{
    const struct case_list *list = phase->cases;
    const struct kernel_conf *conf = phase->result->conf;
    int n = list->n;

    while (n > 0 && memcmp(&list->cases[n - 1].problem.shape,
                           &conf->sim_shapes[0],
                           sizeof conf->sim_shapes[0]) == 0)
        n--;
    return n;
}

void sim_phase(const struct phase *phase)
{
    struct kernel_result *r = phase->result;
    struct run *run = &r->run[RUN_SIM];
    struct plan plan = {.phase = phase, .list = phase->cases,
                        .n = count_small(phase), .stop = phase->cases->n};

    if (known_run(phase))
        return;
    run->ran = run->simulated = true;
    run->seed = phase->seed;
    contract_exports(r);
    progress_begin(r->conf->name);
    plan.parts = check_alloc((size_t)plan.list->n, sizeof *plan.parts);
    plan.ahead = predict_is_wanted(phase) && plan.n >= WORTH_HELP &&
                 phase->workbook->options->jobs > 1 &&
                 !phase->workbook->options->brief;
    pthread_mutex_init(&plan.lock, NULL);
    run_cases(&plan);
    keep_outputs(phase);
    pthread_mutex_destroy(&plan.lock);
    for (int i = 0; i < plan.list->n; i++)
        sim_part_free(&plan.parts[i]);
    sim_part_free(&plan.beyond_part);
    sim_part_free(&plan.longer_part);
    free(plan.parts);
    wrong_blame(r, run);
    blame_gates(phase, run);
    known_keep(phase);
    progress_clear();
}
