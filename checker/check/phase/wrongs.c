// SPDX-License-Identifier: MIT
/*
 * wrongs.c: what all wrong cases of a stage say together; see wrongs.h.
 */
#include "wrongs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/judge/wrong.h"

static bool is_wrong(const struct sim_part *part)
{
    return part->result.run[RUN_SIM].first_wrong.kind != CELL_RIGHT;
}

static bool is_close(const struct sim_part *part)
{
    return part->result.run[RUN_SIM].first_wrong.kind == CELL_ROUNDING;
}

static bool same_shape(const struct test_case *a, const struct test_case *b)
{
    return memcmp(&a->problem.shape, &b->problem.shape,
                  sizeof a->problem.shape) == 0;
}

/* Whoever multiplies by an alpha of 0 computes nothing that could be wrong. */
static bool is_idle(const struct op *op, const struct test_case *c)
{
    for (int i = 0; i < op->n_scalars; i++)
        if (strcmp(op->scalars[i].name, "alpha") == 0)
            return c->problem.scalar[i] == 0.0;
    return false;
}

/* Integers and impulses allow no error. Are they alone wrong at the size at
 * hand, and other inputs right, and nowhere more than a little off? */
static bool is_exact_alone(const struct wrongs *p, const struct run *run)
{
    const struct test_case *cases = p->cases;
    bool others_right = false;

    if (run->first_wrong.kind == CELL_RIGHT)
        return false;
    for (int i = 0; i < p->n; i++) {
        if (op_family_row[cases[i].problem.family].exact)
            continue;
        bool here = same_shape(&cases[i], &run->wrong_case);

        if (is_wrong(&p->parts[i]) && (here || !is_close(&p->parts[i])))
            return false;
        others_right |= here && !is_idle(p->op, &cases[i]);
    }
    return others_right;
}

/* Cases of one extent that is a multiple of m, and the others. */
struct split {
    int right[2], wrong[2]; /* [1]: multiples */
    int first, last;        /* such extents that are right, and differ */
};

static struct split split_by(const struct wrongs *p, int dim, int m)
{
    struct split s = {.first = 0};

    for (int i = 0; i < p->n; i++) {
        int extent = p->cases[i].problem.shape.dim[dim];
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
static bool is_apart_by_gaps(const struct wrongs *p)
{
    enum { LEAST = 6 };
    const struct op *op = p->op;
    int right[2] = {0}, wrong[2] = {0};

    for (int i = 0; i < p->n; i++) {
        bool gaps = has_gaps(op, &p->cases[i].problem.shape);

        wrong[gaps] += is_wrong(&p->parts[i]);
        right[gaps] += !is_wrong(&p->parts[i]);
    }
    return !wrong[0] && right[0] >= LEAST && wrong[1] >= LEAST &&
           wrong[1] > 2 * right[1];
}

/* What is wrong wherever an extent is no multiple of a tile, or of a warp, is
 * right in all other cases, of more than one such extent. */
static void find_apart(const struct wrongs *p, struct run *run)
{
    enum { LEAST = 6, TILE_MOST = 256 };
    const struct op *op = p->op;
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

static const struct comparison *wrong_of(const struct wrongs *p, int i)
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

/* The order of four matrices: of small arrays, which lack some of them, several
 * may be said. */
static bool is_order(const struct comparison *c)
{
    return c->kind == CELL_MISPLACED && c->slip.kind == SLIP_MATRICES;
}

static bool is_same_claim(const struct op *op, const struct comparison *a,
                          const struct comparison *b)
{
    if (a->kind != b->kind || a->buffer != b->buffer)
        return false;
    if (a->kind == CELL_SHIFTED)
        return a->shift_index == b->shift_index && a->shift_by == b->shift_by;
    if (a->kind == CELL_MISPLACED && a->slip.kind == SLIP_FORMULA &&
        b->slip.kind == SLIP_FORMULA)
        return strcmp(op->mistakes[a->slip.a].as_if,
                      op->mistakes[b->slip.a].as_if) == 0;
    if (is_order(a) && is_order(b))
        return a->slip.input == b->slip.input;
    return a->kind != CELL_MISPLACED ||
           (a->slip.kind == b->slip.kind && a->slip.input == b->slip.input &&
            a->slip.a == b->slip.a &&
            ((a->slip.kind != SLIP_APART && a->slip.kind != SLIP_FACTOR) ||
             a->slip.n == b->slip.n) && a->slip.b == b->slip.b &&
            fabs(a->slip.value - b->slip.value) <= 1e-9 * a->slip.value);
}

/* Cases that are wrong and large enough to tell; those of the claim, if any. */
static int count_wrong(const struct wrongs *p, const struct comparison *claim)
{
    enum { LEAST = 8 }; /* cells */
    int n = 0;

    for (int i = 0; i < p->n; i++) {
        const struct comparison *c = wrong_of(p, i);

        n += claim ? is_same_claim(p->op, claim, c)
                   : c->kind >= CELL_LOGIC && c->wrong >= LEAST;
    }
    return n;
}

static void add_case(const struct wrongs *p, struct run *run, int i)
{
    const struct run *part = &p->parts[i].result.run[RUN_SIM];

    memcpy(run->launched_as, part->wrong_launch, sizeof run->launched_as);
    wrong_keep(run, &part->wrong_case, &part->first_wrong,
               part->wrong_launched);
}

static void keep_case(const struct wrongs *p, struct run *run, int i)
{
    run->first_wrong.kind = CELL_RIGHT;
    add_case(p, run, i);
}

/* Of the cases whose numbers are just wrong, the one that tells most. */
static bool keep_plain(const struct wrongs *p, struct run *run)
{
    bool any = false;

    for (int i = 0; i < p->n; i++)
        if (wrong_of(p, i)->kind == CELL_LOGIC) {
            if (!any)
                run->first_wrong.kind = CELL_RIGHT;
            any = true;
            add_case(p, run, i);
        }
    return any;
}

static int row_of(const struct wrongs *p, int buffer, int i)
{
    const struct op_buffer *b = &p->op->buffers[buffer];

    return p->cases[i].problem.shape.dim[b->extent[b->rank - 1]];
}

/* Is anything wrong where rows do lie as far apart as a row is long? Then it is
 * not that length which was taken for the stride in case i. */
static bool is_wrong_anyway(const struct wrongs *p, int i)
{
    const struct comparison *c = wrong_of(p, i);
    const struct op *op = p->op;
    int buffer = c->slip.input < 0 ? c->buffer : c->slip.input;

    if (c->slip.n != (size_t)row_of(p, buffer, i))
        return true;
    for (int j = 0; j < p->n; j++)
        if (is_wrong(&p->parts[j]) &&
            op_row_stride(op, buffer, &p->cases[j].problem.shape) ==
                (size_t)row_of(p, buffer, j))
            return true;
    return false;
}

/* Dozens of numbers that all lie elsewhere are no accident, and of a stride
 * not even NaN is, which padding holds. The same mistake may be hidden in most
 * cases: C's old value, too, comes from a wrong place then. */
static bool is_certain(const struct wrongs *p, int i)
{
    enum { MANY = 32 };
    const struct comparison *c = wrong_of(p, i);
    bool finite = c->wrong >= c->nans + MANY;

    if (c->kind != CELL_MISPLACED || c->wrong < MANY)
        return false;
    return c->slip.kind == SLIP_STRIDE ? finite || !is_wrong_anyway(p, i)
                                       : c->slip.kind <= SLIP_BLOCK && finite;
}

static bool is_formula(const struct comparison *c)
{
    return c->kind == CELL_MISPLACED && c->slip.kind >= SLIP_SCALAR;
}

/* All that is wrong with one row, or with two, is one number or two, which a
 * mistake may explain by chance: so a formula needs as many pieces of evidence,
 * in all cases together. */
enum { PIECES = 3 };

static bool has_pieces(const struct wrongs *p, const struct comparison *claim)
{
    int pieces = 0;

    for (int i = 0; i < p->n; i++)
        pieces += is_same_claim(p->op, claim, wrong_of(p, i))
                      ? wrong_of(p, i)->pieces
                      : 0;
    return !is_formula(claim) || pieces >= PIECES;
}

/* A mistake of the operator's list, against what single cases say. */
struct mistake {
    int number;        /* -1: none */
    int other;         /* one that is as likely, in other words; -1: none */
    int fits, may_be;  /* cases */
    int pieces, first; /* of those that fit */
};

/* The case that is shown is one that no other mistake fits, of some rows. */
static int shows_best(const struct op *op, const struct comparison *c,
                      int number)
{
    struct comparison claim = {.kind = CELL_MISPLACED, .buffer = c->buffer,
                               .slip = {SLIP_FORMULA, -1, number, 0, 0, 0}};

    return 2 * is_same_claim(op, &claim, c) + (c->pieces >= PIECES);
}

static struct mistake mistake_of(const struct wrongs *p, int number)
{
    struct mistake m = {number, -1, 0, 0, 0, -1};
    int best = -1;

    for (int i = 0; i < p->n; i++) {
        const struct comparison *c = wrong_of(p, i);

        if (!is_wrong(&p->parts[i]) || !c->tried)
            continue;
        m.may_be += c->may_be >> number & 1;
        if (!(c->fits >> number & 1))
            continue;
        m.fits++;
        m.pieces += c->pieces;
        if (shows_best(p->op, c, number) > best) {
            best = shows_best(p->op, c, number);
            m.first = i;
        }
    }
    return m;
}

static bool same_words(const struct op *op, int a, int b)
{
    return strcmp(op->mistakes[a].as_if, op->mistakes[b].as_if) == 0;
}

/* The one mistake, or two, that nearly no wrong case speaks against, and more
 * than `most` speak for: in a single case it may look like another one, or like
 * nothing at all, where what is left of a sum is 0. */
static struct mistake find_mistake(const struct wrongs *p, int most)
{
    enum { LEAST = 2 };
    static const double nearly_all = 0.9;
    struct mistake best = {-1, -1, most, 0, 0, -1};
    bool several = false;
    int tried = 0;

    for (int i = 0; i < p->n; i++)
        tried += is_wrong(&p->parts[i]) && wrong_of(p, i)->tried;
    for (int a = 0; a < p->op->n_mistakes; a++) {
        struct mistake m = mistake_of(p, a);

        if (m.fits < LEAST || m.pieces < PIECES ||
            m.may_be < nearly_all * tried || m.fits < best.fits)
            continue;
        if (m.fits > best.fits) {
            best = m;
            several = false;
        } else if (best.number >= 0 && !same_words(p->op, a, best.number)) {
            several |= best.other >= 0 && !same_words(p->op, a, best.other);
            best.other = a;
        }
    }
    if (several)
        best.number = -1;
    return best;
}

/* In place of what single cases say; false: there is none. */
static bool keep_mistake(const struct wrongs *p, struct run *run, int most)
{
    struct mistake m = find_mistake(p, most);
    const struct run *part;
    struct comparison c;

    if (m.number < 0)
        return false;
    part = &p->parts[m.first].result.run[RUN_SIM];
    c = part->first_wrong;
    c.kind = CELL_MISPLACED;
    c.slip = (struct slip){SLIP_FORMULA, -1, m.number, m.other + 1, 0, 0};
    run->first_wrong.kind = CELL_RIGHT;
    memcpy(run->launched_as, part->wrong_launch, sizeof run->launched_as);
    wrong_keep(run, &part->wrong_case, &c, part->wrong_launched);
    return true;
}

/* May a mistake in the formula be behind it? */
static bool may_be_mistake(const struct comparison *c)
{
    return c->kind == CELL_LOGIC || c->kind == CELL_ROUNDING ||
           c->kind == CELL_UNWRITTEN || is_formula(c) ||
           (c->kind == CELL_MISPLACED && c->slip.kind == SLIP_UNUSED);
}

/* More rows, or elements: it tells more of the same. */
static bool tells_more(const struct comparison *c,
                       const struct comparison *best)
{
    return c->every > best->every ||
           (is_order(c) && is_order(best) && c->cells > best->cells);
}

/* One case of many may fit a claim by chance: it stands if a quarter of those
 * that could do so fit it, and of several the one that most do. Otherwise the
 * numbers are just wrong. */
static void confirm(const struct wrongs *p, struct run *run)
{
    const struct op *op = p->op;
    int wrong, best = -1, most = 0;

    if (!is_claim(op, &run->first_wrong)) {
        if (may_be_mistake(&run->first_wrong) &&
            run->first_wrong.kind != CELL_UNWRITTEN)
            keep_mistake(p, run, 0);
        return;
    }
    wrong = count_wrong(p, NULL);
    for (int i = 0; i < p->n; i++) {
        const struct comparison *c = wrong_of(p, i);
        int n = is_claim(op, c) ? count_wrong(p, c) : 0;

        if (n == most && best >= 0 && tells_more(c, wrong_of(p, best)))
            best = i;
        if (n > most && (4 * n >= wrong || is_certain(p, i)) &&
            has_pieces(p, c)) {
            most = n;
            best = i;
        }
    }
    if ((best < 0 || may_be_mistake(wrong_of(p, best))) &&
        keep_mistake(p, run, most))
        return;
    if (best >= 0)
        keep_case(p, run, best);
    else if (!keep_plain(p, run))
        run->first_wrong.kind = CELL_LOGIC;
}

static bool is_all_zero(const struct wrongs *p)
{
    enum { LEAST = 3 };
    static const double nearly_all = 0.9;
    int wrong = 0, zero = 0;

    for (int i = 0; i < p->n; i++) {
        const struct comparison *c = wrong_of(p, i);

        wrong += is_wrong(&p->parts[i]);
        zero += is_wrong(&p->parts[i]) && c->zeros == c->wrong;
    }
    return zero >= LEAST && zero >= nearly_all * wrong;
}

void wrongs_sum_up(const struct wrongs *p, struct run *run)
{
    confirm(p, run);
    run->all_zero = is_all_zero(p);
    run->exact_alone = is_exact_alone(p, run);
    find_apart(p, run);
}
