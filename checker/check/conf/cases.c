// SPDX-License-Identifier: MIT
/*
 * cases.c: the list of cases; see cases.h.
 */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

#include "check/base/text.h"
#include "drawn.h"

/* Work above which a second, shuffled run costs more than it tells. */
static const double shuffle_flops = 4e6;

/* Work below which a size comes with every family of inputs. */
static const double every_family_flops = 1e5;

/* Further sizes of a grade: how many, of which part of the cost that a drawn
 * size may have, and apart from the seeds of any case. */
enum { SECRET = 5 };
static const double secret_cost = 0.04;
static const uint64_t secret_seed = 0x736563726574,
                      longer_seed = 0x6c6f6e676572;

/* One draw in sixteen has two integers that are neither 0 nor 1. */
enum { TRIES = 1000 };

uint64_t seed_mix(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Counters may follow from a scalar (a matrix that beta = 0 leaves unread), so
 * gates are held to the scalars that are timed, whatever the seed. */
static void take_scalars(struct test_case *c, const struct op *op)
{
    struct op_problem timed = op_timed(op, &c->problem.shape, c->problem.seed);

    memcpy(c->problem.scalar, timed.scalar, sizeof timed.scalar);
}

static void take_gates(struct test_case *c, const struct op *op)
{
    take_scalars(c, op);
    c->gates = true;
}

/* Some gates are for another of the chapter's shapes than its first. */
static bool has_gates(const struct kernel_conf *kernel, int shape)
{
    for (int i = 0; i < kernel->n_gates; i++)
        if (kernel->gates[i].at == shape)
            return true;
    return false;
}

/* 0 and 1 are drawn often: with them a kernel may forget a scalar. */
static bool has_plain_scalar(const struct op *op,
                             const struct op_problem *problem)
{
    for (int i = 0; i < op->n_scalars; i++)
        if (problem->scalar[i] == 0.0 || problem->scalar[i] == 1.0)
            return true;
    return false;
}

/* Of integers, which show each wrong index, the first scalar takes nothing
 * away: with alpha = 0 a product may be anything. */
static bool hides_all(const struct op *op, const struct op_problem *problem)
{
    return op->n_scalars > 0 && problem->family == OP_INTEGER &&
           problem->scalar[0] == 0.0;
}

/* Every second case has neither, where the scalars' ranges allow it. */
static struct op_problem draw(const struct op *op, const struct op_shape *shape,
                              enum op_family family, uint64_t seed, int number)
{
    uint64_t own = seed_mix(seed, (uint64_t)number);
    struct op_problem p = op_draw(op, shape, family, own);

    for (uint64_t i = 0; i < TRIES && (hides_all(op, &p) ||
                                       (number % 2 &&
                                        has_plain_scalar(op, &p)));
         i++)
        p = op_draw(op, shape, family, seed_mix(own, i));
    return p;
}

/* What a size costs the kernel: a block computes a whole tile, however little
 * of it is wanted. */
static double flops_spent(const struct kernel_conf *kernel,
                          const struct op_shape *shape)
{
    struct op_shape spent = *shape;

    for (int i = 0; i < kernel->op->n_dims; i++)
        if (spent.dim[i] < kernel->tile.dim[i])
            spent.dim[i] = kernel->tile.dim[i];
    return kernel->op->flops(&spent);
}

static void add(struct case_list *list, const struct case_choice *choice,
                const struct op *op, const struct op_shape *shape,
                enum op_family family, int *number, bool gates, bool drawn)
{
    struct test_case *c = &list->cases[list->n];
    int this = (*number)++;

    if (choice->only >= 0 ? choice->only != this : !drawn)
        return;
    *c = (struct test_case){
        .number = this,
        .problem = draw(op, shape, family, choice->seed, this)};
    if (gates)
        take_gates(c, op);
    c->shuffle = !choice->once && family == op->families[0] &&
                 (choice->thorough || op->flops(shape) < shuffle_flops);
    list->n++;
}

/* Where the operator's integers stand; n_families: it has none. */
static int integers(const struct op *op)
{
    int f = 0;

    while (f < op->n_families && op->families[f] != OP_INTEGER)
        f++;
    return f;
}

/* Of the i-th size, where it is a large one: integers, which come out exact
 * and so show every wrong index, and one other family, each in its turn;
 * without integers, two of the others. A turn begins one further on each time,
 * so that no family falls to the same kind of size again and again. */
static bool is_drawn(const struct op *op, int i, int f)
{
    int exact = integers(op), n = op->n_families;

    if (exact == n)
        return f == (i + i / n) % n || f == (i + i / n + n / 2) % n;
    if (n == 1)
        return true;
    return f == exact || f - (f > exact) == (i + i / (n - 1)) % (n - 1);
}

/* A large size of which each output takes a few operations only, as where there
 * are more rows than a grid counts along y, holds no sum to round. It is there
 * for its indices, and integers show those best. So it is where each element of
 * a large array takes a few operations: with a block for every row of three
 * elements such a size takes as long as all others together. But an output that
 * sums up very many terms is there to be rounded. Scalars are drawn anew for
 * each family, so an operator with scalars wants more than one. */
static bool is_about_indices(const struct op *op, const struct op_shape *shape)
{
    static const double few = 16.0, large = 3e4, many = 1e5;
    double outputs = 0.0, largest = 0.0, flops = op->flops(shape);

    for (int i = 0; i < op->n_buffers; i++) {
        double cells = (double)op_count(op, i, shape);

        outputs += op_is_written(op, i) ? cells : 0.0;
        largest = cells > largest ? cells : largest;
    }
    if (op->n_scalars > 0 || largest < large)
        largest = 0.0;
    return integers(op) < op->n_families && flops < many * outputs &&
           flops < few * (outputs > largest ? outputs : largest);
}

/* The i-th size. A whole program starts anew for each case: one family of a
 * size will do. A timer or a study has no inputs at all. */
static void add_families(struct case_list *list,
                         const struct case_choice *choice,
                         const struct kernel_conf *kernel,
                         const struct op_shape *shape, int i, int *number)
{
    const struct op *op = kernel->op;
    int families = kernel->host || conf_is_c(kernel) ? 1 : op->n_families;
    bool all = families == 1 || choice->thorough || choice->shape ||
               flops_spent(kernel, shape) < every_family_flops;
    bool indices = !all && is_about_indices(op, shape);

    for (int f = 0; f < families; f++)
        add(list, choice, op, shape, op->families[f], number, false,
            all || (indices ? f == integers(op) : is_drawn(op, i, f)));
}

/* The chapter's first shape, where counters are taken, with the operator's
 * first family and with integers. It takes as long as all others together, and
 * counters follow from no input of an operator without scalars: there integers
 * alone will do, unless a grade hangs on it. */
static void add_big(struct case_list *list, const struct case_choice *choice,
                    const struct kernel_conf *kernel, int *number)
{
    const struct op *op = kernel->op;
    const struct op_shape *shape = &kernel->sim_shapes[0];
    bool exact = op->families[0] != OP_INTEGER &&
                 integers(op) < op->n_families;
    bool alone = exact && op->n_scalars == 0 && !choice->thorough;

    add(list, choice, op, shape, op->families[0], number, !alone, !alone);
    if (exact)
        add(list, choice, op, shape, OP_INTEGER, number, alone, true);
}

/* Sizes that the seed draws, the families in turn. */
static void add_drawn(struct case_list *list, const struct case_choice *choice,
                      const struct op *op, int *number)
{
    for (int i = 0; i < choice->draw; i++) {
        uint64_t own = seed_mix(choice->seed, (uint64_t)i);
        struct op_shape shape = drawn_shape(op, own, 1.0);

        add(list, choice, op, &shape, op->families[i % op->n_families], number,
            false, true);
    }
}

/* Everybody can read which sizes are listed, and a kernel may be right at those
 * alone. So a grade hangs on a few more, which its seed draws and nobody knows;
 * with integers, where there are some, which show every wrong cell. They cost a
 * few hundredths of a second each. */
static void add_secret(struct case_list *list, const struct case_choice *choice,
                       const struct kernel_conf *kernel, int *number)
{
    const struct op *op = kernel->op;
    int exact = integers(op);

    if (!choice->thorough || conf_is_c(kernel))
        return;
    for (int i = 0; i < SECRET; i++) {
        uint64_t own = seed_mix(choice->seed, secret_seed + (uint64_t)i);
        struct op_shape shape = drawn_shape(op, own, secret_cost);
        int f = i % 2 && exact < op->n_families ? exact : i % op->n_families;

        add(list, choice, op, &shape, op->families[f], number, false, true);
    }
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

struct test_case case_unlisted(const struct op *op,
                               const struct op_shape *shape, uint64_t seed)
{
    int exact = integers(op);
    enum op_family family = op->families[exact < op->n_families ? exact : 0];

    return (struct test_case){
        .number = -1, .problem = draw(op, shape, family, seed, 1)};
}

/* Is it the length of rows? There may be any number of these: a kernel that
 * takes a tile or a block for each, however little is in it, takes long. */
static bool is_row_length(const struct op *op, int d)
{
    for (int i = 0; i < op->n_buffers; i++) {
        const struct op_buffer *b = &op->buffers[i];

        if ((b->rank > 1 || op->n_dims == 1) && b->extent[b->rank - 1] == d)
            return true;
    }
    return false;
}

bool case_longer(const struct kernel_conf *kernel, int d, uint64_t seed,
                 struct test_case *c)
{
    enum { TIMES = 4, ON_CHIP = 1 << 18 }; /* of what 16 blocks may hold */
    const struct op *op = kernel->op;
    uint64_t own = seed_mix(seed, longer_seed + (uint64_t)d);
    int known = 1, most = kernel->time_shape.dim[d];
    struct op_shape shape;

    for (int i = 0; i < op->n_awkward; i++)
        known = larger(known, op->awkward[i].dim[d]);
    for (int i = 0; i < kernel->n_sim_shapes; i++)
        known = larger(known, kernel->sim_shapes[i].dim[d]);
    if (known < ON_CHIP && is_row_length(op, d))
        most = larger(most, known < ON_CHIP / TIMES ? TIMES * known : ON_CHIP);
    if (most <= known || !drawn_longer(op, d, known, most, own, &shape))
        return false;
    *c = case_unlisted(op, &shape, own);
    /* Of an even number: where beta is always 0, as in a product whose rows are
     * no chunks, an odd one may end with alpha = 0, which hides all. */
    c->problem = draw(op, &shape, c->problem.family, own, 0);
    return true;
}

struct case_list cases_make(const struct kernel_conf *kernel,
                            const struct case_choice *choice, int *total)
{
    const struct op *op = kernel->op;
    int listed = (op->n_awkward + kernel->n_sim_shapes + 1) * OP_FAMILIES;
    int most = choice->draw ? choice->draw : listed + SECRET;
    struct case_list list = {0, check_alloc((size_t)most, sizeof *list.cases)};
    int number = 0;

    if (choice->shape) {
        add_families(&list, choice, kernel, choice->shape, 0, &number);
        *total = number;
        for (int i = 0; i < list.n; i++)
            list.cases[i].multiprocessors = choice->multiprocessors;
        if (list.n > 0 && list.cases[0].number == 0)
            take_gates(&list.cases[0], op);
        return list;
    }
    if (choice->draw) {
        add_drawn(&list, choice, op, &number);
        *total = number;
        return list;
    }
    for (int i = 0; i < op->n_awkward; i++)
        add_families(&list, choice, kernel, &op->awkward[i], i, &number);
    for (int i = 1; i < kernel->n_sim_shapes; i++) {
        int first = list.n;

        add_families(&list, choice, kernel, &kernel->sim_shapes[i],
                     op->n_awkward + i, &number);
        for (int k = first; k < list.n; k++) {
            list.cases[k].multiprocessors = kernel->multiprocessors[i];
            list.cases[k].off = kernel->off[i];
            if (kernel->off[i]) /* a fast path may be for these alone */
                take_scalars(&list.cases[k], op);
            if (has_gates(kernel, i))
                take_gates(&list.cases[k], op);
        }
    }
    add_secret(&list, choice, kernel, &number);
    if (kernel->n_sim_shapes > 0)
        add_big(&list, choice, kernel, &number); /* stays last: simphase.c */
    *total = number;
    return list;
}

void cases_free(struct case_list *list)
{
    free(list->cases);
    *list = (struct case_list){0};
}
