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
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check/base/progress.h"
#include "busiest.h"
#include "check/judge/contract.h"
#include "known.h"
#include "phase.h"
#include "predict.h"
#include "simcase.h"

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
enum { HELPERS = 3, WORTH_HELP = 24, LIKELY = 16 };

struct plan {
    const struct phase *phase;
    const struct case_list *list;
    struct sim_part *parts; /* one per case */
    int n;                  /* cases before the chapter's big shape */
    pthread_mutex_t lock;
    int next;               /* the first case that nobody took */
    int stop;               /* the last case that counts; list->n: all do */
    bool ahead;             /* a helper predicts before it takes cases */
};

struct helper {
    struct plan *plan;
    int number;
    pthread_t thread;
    bool started;
};

static bool same_shape(const struct test_case *a, const struct test_case *b)
{
    return memcmp(&a->problem.shape, &b->problem.shape,
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

static void put(struct plan *p, int i, struct sim_part *part)
{
    pthread_mutex_lock(&p->lock);
    p->parts[i] = *part;
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

/* All small cases that were run so far. */
static bool is_right(struct plan *p)
{
    bool right = p->phase->result->verdict == VERDICT_PASS;

    pthread_mutex_lock(&p->lock);
    for (int i = 0; i < p->n && right; i++)
        right = p->parts[i].result.verdict == VERDICT_PASS &&
                !p->parts[i].over && !is_wrong(&p->parts[i]);
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

static void merge_run(struct run *whole, struct run *part)
{
    whole->cases += part->cases;
    whole->passed += part->passed;
    whole->memory_errors += part->memory_errors;
    whole->races += part->races;
    whole->equal_writes += part->equal_writes;
    merge_notes(whole->findings_noted, part->findings_noted);
    memcpy(whole->device, part->device, sizeof whole->device);
    memcpy(whole->launched_as, part->wrong_launch, sizeof whole->launched_as);
    if (part->first_wrong.kind != CELL_RIGHT)
        result_keep_wrong(whole, &part->wrong_case, &part->first_wrong,
                          part->wrong_launched);
    if (!part->counters)
        return;
    json_decref(whole->counters);
    whole->counters = json_incref(part->counters);
    whole->counters_shape = part->counters_shape;
    whole->uneven = part->uneven;
    whole->gates_measured = part->gates_measured;
    memcpy(whole->gate_value, part->gate_value, sizeof whole->gate_value);
    memcpy(whole->gate_ok, part->gate_ok, sizeof whole->gate_ok);
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

    for (int n = 0; n <= HELPERS; n++) {
        sim_output(path, phase, n);
        keep_output(phase->result, path);
    }
}

/* Integers and impulses allow no error. Are they alone wrong, and all other
 * inputs of the size at hand right? */
static bool is_exact_alone(const struct plan *p, const struct run *run)
{
    const struct test_case *cases = p->list->cases;
    bool others_right = false;

    if (run->first_wrong.kind == CELL_RIGHT)
        return false;
    for (int i = 0; i <= p->stop && i < p->list->n && p->parts[i].done; i++) {
        if (op_family_row[cases[i].problem.family].exact ||
            !same_shape(&cases[i], &run->wrong_case))
            continue;
        if (is_wrong(&p->parts[i]))
            return false;
        others_right = true;
    }
    return others_right;
}

/* Cases of one extent that is a multiple of m, and the others. */
struct split {
    int right[2], wrong[2]; /* [1]: multiples */
    int first, last;        /* such extents that are right, and differ */
};

static struct split split_by(const struct plan *p, int dim, int m)
{
    struct split s = {.first = 0};

    for (int i = 0; i <= p->stop && i < p->list->n && p->parts[i].done; i++) {
        int extent = p->list->cases[i].problem.shape.dim[dim];
        bool multiple = extent % m == 0;

        s.wrong[multiple] += is_wrong(&p->parts[i]);
        s.right[multiple] += !is_wrong(&p->parts[i]);
        if (is_wrong(&p->parts[i]) || !multiple)
            continue;
        s.first = s.first ? s.first : extent;
        s.last = extent != s.first ? extent : s.last;
    }
    return s;
}

/* Is any row of an array followed by what belongs to none? */
static bool has_gaps(const struct op *op, const struct op_shape *shape)
{
    for (int i = 0; i < op->n_buffers; i++) {
        const struct op_buffer *b = &op->buffers[i];

        if (shape->ld[i] > 0 && b->rank > 1 &&
            shape->ld[i] != shape->dim[b->extent[b->rank - 1]])
            return true;
    }
    return false;
}

/* Right wherever rows lie as close as they are long, and wrong in most cases
 * where they do not: a leading dimension is forgotten somewhere. */
static bool is_apart_by_gaps(const struct plan *p)
{
    enum { LEAST = 6 };
    const struct op *op = p->phase->result->conf->op;
    int right[2] = {0}, wrong[2] = {0};

    for (int i = 0; i <= p->stop && i < p->list->n && p->parts[i].done; i++) {
        bool gaps = has_gaps(op, &p->list->cases[i].problem.shape);

        wrong[gaps] += is_wrong(&p->parts[i]);
        right[gaps] += !is_wrong(&p->parts[i]);
    }
    return !wrong[0] && right[0] >= LEAST && wrong[1] >= LEAST &&
           wrong[1] > 2 * right[1];
}

/* What is wrong wherever an extent is no multiple of a tile, or of a warp, is
 * right in all other cases, of more than one such extent. */
static void find_apart(const struct plan *p, struct run *run)
{
    enum { LEAST = 6, TILE_MOST = 256 };
    const struct op *op = p->phase->result->conf->op;
    int most = LEAST - 1; /* of equally many the smallest multiple tells most */

    if (run->first_wrong.kind == CELL_RIGHT)
        return;
    run->apart_by_gaps = is_apart_by_gaps(p);
    if (run->apart_by_gaps) {
        snprintf(run->apart, sizeof run->apart,
                 "among them all whose rows have no gaps between them");
        return;
    }
    for (int d = 0; d < op->n_dims; d++)
        for (int m = 4; m <= TILE_MOST; m *= 2) {
            struct split s = split_by(p, d, m);

            if (s.wrong[1] || !s.last || s.right[1] <= most ||
                s.wrong[0] < LEAST || s.wrong[0] < 2 * s.right[0])
                continue;
            most = s.right[1];
            snprintf(run->apart, sizeof run->apart,
                     "among them all whose %s is a multiple of %d",
                     op->dim_names[d], m);
        }
}

static const struct comparison *wrong_of(const struct plan *p, int i)
{
    return &p->parts[i].result.run[RUN_SIM].first_wrong;
}

/* More than that a number is wrong: where it comes from. */
static bool is_claim(const struct op *op, const struct comparison *c)
{
    return (c->kind > CELL_LOGIC && c->kind <= CELL_SHIFTED) ||
           (c->kind == CELL_UNWRITTEN &&
            op->buffers[c->buffer].role == OP_INOUT);
}

static bool is_same_claim(const struct comparison *a,
                          const struct comparison *b)
{
    if (a->kind != b->kind || a->buffer != b->buffer)
        return false;
    if (a->kind == CELL_SHIFTED)
        return a->shift_index == b->shift_index && a->shift_by == b->shift_by;
    return a->kind != CELL_MISPLACED ||
           (a->slip.kind == b->slip.kind && a->slip.input == b->slip.input &&
            a->slip.a == b->slip.a && a->slip.b == b->slip.b &&
            fabs(a->slip.value - b->slip.value) <= 1e-9 * a->slip.value);
}

/* Cases that are wrong and large enough to tell; those of the claim, if any. */
static int count_wrong(const struct plan *p, const struct comparison *claim)
{
    enum { LEAST = 8 }; /* cells */
    int n = 0;

    for (int i = 0; i <= p->stop && i < p->list->n && p->parts[i].done; i++) {
        const struct comparison *c = wrong_of(p, i);

        n += claim ? is_same_claim(claim, c)
                   : c->kind >= CELL_LOGIC && c->wrong >= LEAST;
    }
    return n;
}

static void keep_case(const struct plan *p, struct run *run, int i)
{
    struct run *part = &p->parts[i].result.run[RUN_SIM];

    run->first_wrong.kind = CELL_RIGHT;
    memcpy(run->launched_as, part->wrong_launch, sizeof run->launched_as);
    result_keep_wrong(run, &part->wrong_case, &part->first_wrong,
                      part->wrong_launched);
}

static int row_of(const struct plan *p, int buffer, int i)
{
    const struct op_buffer *b = &p->phase->result->conf->op->buffers[buffer];

    return p->list->cases[i].problem.shape.dim[b->extent[b->rank - 1]];
}

/* Is anything wrong where rows do lie as far apart as a row is long? Then it is
 * not that length which was taken for the stride in case i. */
static bool is_wrong_anyway(const struct plan *p, int i)
{
    const struct comparison *c = wrong_of(p, i);
    const struct op *op = p->phase->result->conf->op;
    int buffer = c->slip.input < 0 ? c->buffer : c->slip.input;

    if (c->slip.n != (size_t)row_of(p, buffer, i))
        return true;
    for (int j = 0; j <= p->stop && j < p->list->n && p->parts[j].done; j++)
        if (is_wrong(&p->parts[j]) &&
            op_row_stride(op, buffer, &p->list->cases[j].problem.shape) ==
                (size_t)row_of(p, buffer, j))
            return true;
    return false;
}

/* Dozens of numbers that all lie elsewhere are no accident, and of a stride
 * not even NaN is, which padding holds. The same mistake may be hidden in most
 * cases: C's old value, too, comes from a wrong place then. */
static bool is_certain(const struct plan *p, int i)
{
    enum { MANY = 32 };
    const struct comparison *c = wrong_of(p, i);
    bool finite = c->wrong >= c->nans + MANY;

    if (c->kind != CELL_MISPLACED || c->wrong < MANY)
        return false;
    return c->slip.kind == SLIP_STRIDE ? finite || !is_wrong_anyway(p, i)
                                       : c->slip.kind <= SLIP_BLOCK && finite;
}

/* One case of many may fit a claim by chance: it stands if a quarter of those
 * that could do so fit it, and of several the one that most do. Otherwise the
 * numbers are just wrong. */
static void confirm(const struct plan *p, struct run *run)
{
    const struct op *op = p->phase->result->conf->op;
    int wrong, best = -1, most = 0, plain = -1;

    if (!is_claim(op, &run->first_wrong))
        return;
    wrong = count_wrong(p, NULL);
    for (int i = 0; i <= p->stop && i < p->list->n && p->parts[i].done; i++) {
        const struct comparison *c = wrong_of(p, i);
        int n = is_claim(op, c) ? count_wrong(p, c) : 0;

        if (plain < 0 && c->kind == CELL_LOGIC)
            plain = i;
        if (n > most && (4 * n >= wrong || is_certain(p, i))) {
            most = n;
            best = i;
        }
    }
    if (best >= 0 || plain >= 0)
        keep_case(p, run, best >= 0 ? best : plain);
    else
        run->first_wrong.kind = CELL_LOGIC;
}

static void merge_all(struct plan *p)
{
    struct kernel_result *r = p->phase->result;

    p->stop = find_stop(p);
    for (int i = 0; i <= p->stop && i < p->list->n && p->parts[i].done; i++)
        merge(r, &p->parts[i]);
    confirm(p, &r->run[RUN_SIM]);
    r->run[RUN_SIM].exact_alone = is_exact_alone(p, &r->run[RUN_SIM]);
    find_apart(p, &r->run[RUN_SIM]);
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
        if (p->ahead && !is_right(p)) {
            build_drop(&p->phase->result->build);
            predict_cancel(p->phase);
        }
        await_helpers(helpers);
        run_big(p, &s);
        merge_all(p);
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
    free(plan.parts);
    result_blame_wrong(r, run);
    blame_gates(phase, run);
    known_keep(phase);
    progress_clear();
}
