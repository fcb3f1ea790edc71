// SPDX-License-Identifier: MIT
/*
 * misplaced.c: beginners' slips of indices, recognised by what they leave; see
 * misplaced.h.
 *
 * Each slip is a hypothesis that says what every cell should hold. For a slip
 * of the output that is what belongs to another cell; for one of an input, what
 * the reference makes of an array whose elements were moved alike; for one of
 * the formula, what it makes of another scalar, or of a mistake that the
 * operator knows. A slip is named if it explains nearly all of some dozens of
 * wrong cells, and leaves the right ones as they are.
 */
#include "misplaced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "misplaced_sample.h"

/* Of a formula's cells few are right by chance, and an output of one cell per
 * channel may have no more. */
enum { LEAST = 8, LEAST_OF_FORMULA = 3 };
/* A reference may work through much of its input for one cell: of larger cases
 * dozens of times that would take too long, and smaller ones show the same. */
static const double most_flops = 5e6;
static const double most = 0.9;

static size_t count(const struct sample *s, int buffer)
{
    return op_count(s->in->op, buffer, &s->in->problem->shape);
}

static bool accepts(const struct compare_input *in, const struct op_cell *want,
                    size_t i)
{
    return op_accepts(in->op, in->problem, in->buffer, want, bits_at(in, i));
}

/* Where nearly all is 0, the others would hardly be met. */
static void take_others(struct sample *s, size_t wrong)
{
    size_t others = 0, n = 0, each;

    for (size_t i = 0; i < s->in->n; i++)
        others += bits_at(s->in, i) != 0 && !accepts(s->in, &s->in->want[i], i);
    if (others >= wrong / 4)
        return;
    each = others / LOOKS_MORE + 1;
    for (size_t i = 0; i < s->in->n; i++)
        if (bits_at(s->in, i) != 0 && !accepts(s->in, &s->in->want[i], i) &&
            n++ % each == 0) {
            s->cell[s->n] = i;
            s->wrong[s->n++] = true;
        }
}

/* Every so many of either kind, so that they lie all over the array. */
static void take_sample(struct sample *s, size_t wrong)
{
    size_t each[2] = {(s->in->n - wrong) / LOOKS + 1, wrong / LOOKS + 1};
    size_t met[2] = {0, 0};

    for (size_t i = 0; i < s->in->n; i++) {
        bool bad = !accepts(s->in, &s->in->want[i], i);

        if (met[bad]++ % each[bad])
            continue;
        s->cell[s->n] = i;
        s->wrong[s->n++] = bad;
    }
    take_others(s, wrong);
}

/* The indices of cell i, where `order` says which index is the slowest. */
static void split(const struct sample *s, int buffer,
                  const int order[OP_MAX_RANK], size_t i,
                  size_t at[OP_MAX_RANK])
{
    for (int d = buffer_of(s, buffer)->rank - 1; d >= 0; d--) {
        at[order[d]] = i % extent(s, buffer, order[d]);
        i /= extent(s, buffer, order[d]);
    }
}

static size_t join(const struct sample *s, int buffer,
                   const int order[OP_MAX_RANK], const size_t at[OP_MAX_RANK])
{
    size_t cell = 0;

    for (int d = 0; d < buffer_of(s, buffer)->rank; d++)
        cell = cell * extent(s, buffer, order[d]) + at[order[d]];
    return cell;
}

enum { FRAGMENT_ROWS = 8 }; /* of a quarter, by which lanes hold a tile */

/* Across the middle of a tile. */
static void cross(const struct slip *slip, size_t at[OP_MAX_RANK])
{
    size_t columns = (size_t)slip->b;

    if (slip->kind == SLIP_HALVES) {
        at[slip->a] ^= columns;
    } else if ((at[0] / FRAGMENT_ROWS & 1) != (at[1] / columns & 1)) {
        at[0] ^= FRAGMENT_ROWS;
        at[1] ^= columns;
    }
}

static const size_t nowhere = (size_t)-1;

/* An output: whose value the slip stores in cell i. An input: which element
 * the slip reads for element i; `nowhere`: there is none. */
static size_t moved(const struct sample *s, int buffer, const struct slip *slip,
                    size_t i)
{
    int plain[OP_MAX_RANK], order[OP_MAX_RANK];
    size_t at[OP_MAX_RANK];

    if (slip->kind == SLIP_BLOCK)
        return i % slip->n;
    for (int d = 0; d < OP_MAX_RANK; d++)
        plain[d] = order[d] = d;
    if (slip->kind == SLIP_ORDER) {
        order[slip->a] = slip->b;
        order[slip->b] = slip->a;
    }
    split(s, buffer, slip->input < 0 ? order : plain, i, at);
    if (slip->kind == SLIP_ZERO)
        at[slip->a] = 0;
    if (slip->kind == SLIP_HALVES || slip->kind == SLIP_QUARTERS)
        cross(slip, at);
    for (int d = 0; d < buffer_of(s, buffer)->rank; d++)
        if (at[d] >= extent(s, buffer, d))
            return nowhere;
    return join(s, buffer, slip->input < 0 ? plain : order, at);
}

/* Of a matrix whose rows the slip takes to lie slip->n elements apart: the
 * element that is read for cell i, or whose value is stored over it. False:
 * none is. */
static bool astray(const struct sample *s, int buffer, const struct slip *slip,
                   size_t i, size_t *there)
{
    const struct op_shape *shape = &s->in->problem->shape;
    size_t columns = extent(s, buffer, buffer_of(s, buffer)->rank - 1);
    size_t last = op_offset(s->in->op, buffer, shape, count(s, buffer) - 1);
    size_t at;

    if (slip->input >= 0) {
        *there = i / columns * slip->n + i % columns;
        return *there <= last;
    }
    at = op_offset(s->in->op, buffer, shape, i);
    *there = at / slip->n * columns + at % slip->n;
    return at % slip->n < columns && *there < count(s, buffer);
}

/* The input as the slip makes it; the caller frees it. */
static void *moved_input(const struct sample *s, const struct slip *slip)
{
    const struct op *op = s->in->op;
    const struct op_shape *shape = &s->in->problem->shape;
    size_t bytes = type_row[op->buffers[slip->input].type].bytes;
    size_t n = count(s, slip->input);
    char *to = check_alloc(op_bytes(op, slip->input, shape), 1);
    const char *from = s->given[slip->input];

    for (size_t i = 0, at; i < n; i++) {
        if (slip->kind == SLIP_STRIDE) {
            if (!astray(s, slip->input, slip, i, &at))
                continue;
        } else {
            at = moved(s, slip->input, slip, i);
            if (at == nowhere)
                continue; /* as 0, which a tile is filled up with */
            at = op_offset(op, slip->input, shape, at);
        }
        memcpy(to + op_offset(op, slip->input, shape, i) * bytes,
               from + at * bytes, bytes);
    }
    return to;
}

/* Cell i holds what the slip puts there, and not what would pass for 0, too: a
 * cell that was left at 0 explains nothing. */
static bool shows(const struct compare_input *in, const struct op_cell *want,
                  size_t i)
{
    return accepts(in, want, i) &&
           !op_accepts(in->op, in->problem, in->buffer, want, 0);
}

/* What cell i holds then: what it held before, if nothing is stored there. Of a
 * mere output that is poison, and no number that a cell would hold. */
static struct op_cell stored_astray(const struct sample *s,
                                    const struct slip *slip, size_t i)
{
    const struct compare_input *in = s->in;
    enum type type = buffer_of(s, in->buffer)->type;
    size_t there;

    if (astray(s, in->buffer, slip, i, &there))
        return in->want[there];
    i = op_offset(in->op, in->buffer, &in->problem->shape, i);
    return (struct op_cell){
        .value = in->given ? type_get(type, in->given, i) : INFINITY};
}

/* One NaN is like another, wherever it comes from. A stride that reads padding
 * makes NaN of sums; only the length of a row is taken for it so often that
 * this may be enough. */
static bool tells_nothing(const struct sample *s, const struct slip *slip,
                          const struct op_cell *want)
{
    int buffer = slip->input < 0 ? s->in->buffer : slip->input;

    return isnan(want->value) &&
           (slip->kind != SLIP_STRIDE ||
            slip->n != extent(s, buffer, buffer_of(s, buffer)->rank - 1));
}

/* A 0 that the exchange puts there, of a pair whose other cell tells; or that a
 * mistake in the formula makes of some cells. */
static bool is_idle(const struct sample *s, const struct slip *slip,
                    const struct op_cell *want, size_t i)
{
    return (slip->kind == SLIP_HALVES || slip->kind == SLIP_FORMULA) &&
           accepts(s->in, want, i) && !shows(s->in, want, i);
}

static int least(const struct compare_input *in, bool formula)
{
    return formula && !op_family_row[in->problem->family].alike
               ? LEAST_OF_FORMULA
               : LEAST;
}

/* Do the sampled cells hold what they would hold by this slip? The problem is
 * the case's own, or one with another formula. Where such a one gives no
 * number, a cell tells nothing. */
static bool fits(const struct sample *s, const struct slip *slip,
                 const struct op_problem *problem, const void *const *arrays)
{
    const struct compare_input *in = s->in;
    int wrong = 0, explained = 0, kept = 0, right = 0;

    for (int k = 0; k < s->n; k++) {
        size_t i = s->cell[k], there;
        struct op_cell want;

        if (arrays)
            in->op->reference(in->op, problem, in->buffer, arrays, i, 1, &want);
        else if (slip->kind == SLIP_STRIDE)
            want = stored_astray(s, slip, i);
        else if ((there = moved(s, in->buffer, slip, i)) == nowhere)
            continue;
        else
            want = in->want[there];
        if (problem != in->problem && !isfinite(want.magnitude) &&
            isfinite(in->want[i].magnitude))
            continue;
        if (tells_nothing(s, slip, &want) || is_idle(s, slip, &want, i))
            continue;
        wrong += s->wrong[k];
        explained += s->wrong[k] && shows(in, &want, i);
        right += !s->wrong[k];
        kept += !s->wrong[k] && accepts(in, &want, i);
    }
    return explained >= least(in, problem != in->problem) &&
           (double)explained >= most * wrong &&
           (double)kept >= most * right;
}

static bool fits_input(const struct sample *s, const struct slip *slip)
{
    const void *arrays[OP_MAX_BUFFERS];
    void *made = NULL;
    bool ok;

    given_arrays(s, arrays);
    if (slip->kind == SLIP_INPUTS) {
        arrays[slip->input] = s->given[slip->a];
        arrays[slip->a] = s->given[slip->input];
    } else if (slip->kind == SLIP_TWICE) {
        arrays[slip->a] = s->given[slip->input];
    } else if (slip->kind == SLIP_UNUSED) {
        arrays[slip->input] = made =
            check_alloc(op_bytes(s->in->op, slip->input,
                                 &s->in->problem->shape), 1);
    } else {
        arrays[slip->input] = made = moved_input(s, slip);
    }
    ok = fits(s, slip, s->in->problem, arrays);
    free(made);
    return ok;
}

static struct op_problem changed(const struct sample *s,
                                 const struct slip *slip)
{
    struct op_problem problem = *s->in->problem;

    if (slip->kind == SLIP_SCALAR)
        problem.scalar[slip->a] = slip->value;
    else if (slip->kind == SLIP_SCALARS) {
        problem.scalar[slip->a] = s->in->problem->scalar[slip->b];
        problem.scalar[slip->b] = s->in->problem->scalar[slip->a];
    } else
        problem.mistake = slip->a + 1;
    return problem;
}

static bool fits_formula(const struct sample *s, const struct slip *slip)
{
    const void *arrays[OP_MAX_BUFFERS];
    struct op_problem problem = changed(s, slip);

    given_arrays(s, arrays);
    return fits(s, slip, &problem, arrays);
}

bool misplaced_try(const struct sample *s, const struct slip *slip,
                   struct comparison *out)
{
    if (!(slip->kind >= SLIP_SCALAR ? fits_formula(s, slip)
          : slip->input < 0 ? fits(s, slip, s->in->problem, NULL)
                            : fits_input(s, slip)))
        return false;
    out->slip = *slip;
    out->kind = CELL_MISPLACED;
    return true;
}

/* An index left out, or two exchanged; of an input, or of the output (-1). */
static bool try_indices(const struct sample *s, int input,
                        struct comparison *out)
{
    int buffer = input < 0 ? s->in->buffer : input;
    int rank = buffer_of(s, buffer)->rank;

    for (int a = 0; a < rank; a++) {
        if (extent(s, buffer, a) < 2)
            continue;
        if (misplaced_try(s, &(struct slip){SLIP_ZERO, input, a, 0, 0, 0}, out))
            return true;
        for (int b = a + 1; b < rank; b++)
            if (extent(s, buffer, b) > 1 &&
                misplaced_try(s, &(struct slip){SLIP_ORDER, input, a, b, 0, 0},
                              out))
                return true;
    }
    return false;
}

/* Rows as far apart as another matrix's, or as an extent of the problem. */
static bool try_strides(const struct sample *s, int input,
                        struct comparison *out)
{
    const struct op *op = s->in->op;
    const struct op_shape *shape = &s->in->problem->shape;
    int buffer = input < 0 ? s->in->buffer : input;

    if (buffer_of(s, buffer)->rank < 2)
        return false;
    for (int i = 0; i < op->n_buffers + op->n_dims; i++) {
        int n = i < op->n_buffers ? shape->ld[i]
                                  : shape->dim[i - op->n_buffers];
        struct slip slip = {SLIP_STRIDE, input, 0, 0, (size_t)n, 0};

        if (n > 0 && (size_t)n != op_row_stride(op, buffer, shape) &&
            misplaced_try(s, &slip, out))
            return true;
    }
    return false;
}

/* A block's cells, the same in every block. */
static bool try_blocks(const struct sample *s, int input,
                       struct comparison *out)
{
    size_t cells = count(s, input < 0 ? s->in->buffer : input);

    for (size_t n = 32; n <= 1024 && n < cells; n *= 2)
        if (misplaced_try(s, &(struct slip){SLIP_BLOCK, input, 0, 0, n, 0},
                          out))
            return true;
    return false;
}

/* Words of a fragment, or components of a vector, that change places. */
static bool try_exchanges(const struct sample *s, int input,
                          struct comparison *out)
{
    enum { HALF_MOST = 16 };
    int buffer = input < 0 ? s->in->buffer : input;
    int rank = buffer_of(s, buffer)->rank;

    for (int b = 1; b <= HALF_MOST; b *= 2) {
        for (int a = 0; a < rank; a++)
            if (extent(s, buffer, a) > (size_t)b &&
                misplaced_try(s, &(struct slip){SLIP_HALVES, input, a, b, 0, 0},
                              out))
                return true;
        if (rank == 2 && extent(s, buffer, 0) > FRAGMENT_ROWS &&
            extent(s, buffer, 1) > (size_t)b &&
            misplaced_try(s, &(struct slip){SLIP_QUARTERS, input, 0, b, 0, 0},
                          out))
            return true;
    }
    return false;
}

static bool alike(const struct sample *s, int i, int j)
{
    return buffer_of(s, i)->type == buffer_of(s, j)->type &&
           op_bytes(s->in->op, i, &s->in->problem->shape) ==
               op_bytes(s->in->op, j, &s->in->problem->shape) &&
           count(s, i) == count(s, j);
}

/* One input taken for another, or not at all. Zero is a number of all types
 * whose bits are 0. */
static bool try_exchanged(const struct sample *s, int input,
                          struct comparison *out)
{
    for (int j = 0; j < s->in->op->n_buffers; j++) {
        if (j == input || !op_is_read(s->in->op, j) || !alike(s, input, j))
            continue;
        if ((j > input &&
             misplaced_try(s, &(struct slip){SLIP_INPUTS, input, j, 0, 0, 0},
                           out)) ||
            misplaced_try(s, &(struct slip){SLIP_TWICE, input, j, 0, 0, 0},
                          out))
            return true;
    }
    return misplaced_try(s, &(struct slip){SLIP_UNUSED, input, 0, 0, 0, 0},
                         out);
}

/* Of mistakes that are told in the same words it does not matter which one it
 * is. */
static int try_mistakes(const struct sample *s, struct comparison *out)
{
    const struct op_mistake *mistakes = s->in->op->mistakes;
    const char *told = "";
    int fit = 0;

    for (int a = 0; a < s->in->op->n_mistakes; a++) {
        if (strcmp(mistakes[a].as_if, told) == 0 ||
            !misplaced_try(s, &(struct slip){SLIP_FORMULA, -1, a, 0, 0, 0},
                           out))
            continue;
        told = mistakes[a].as_if;
        fit++;
    }
    return fit;
}

/* Where two formulas come to the same, as dividing by n - 1 and not at all does
 * of two values, another case has to tell them apart. */
static void try_formulas(const struct sample *s, struct comparison *out)
{
    bool alike = op_family_row[s->in->problem->family].alike;
    enum cell_kind kind = out->kind;

    if ((alike ? 0 : misplaced_scalars(s, out)) +
            try_mistakes(s, out) > 1)
        out->kind = kind;
}

void misplaced_find(const struct compare_input *in, void *const *given,
                    struct comparison *out)
{
    struct sample s = {.in = in, .given = given};

    if (in->op->flops(&in->problem->shape) > most_flops)
        return;
    take_sample(&s, out->wrong);
    /* Nearly the formula, and not quite; or cells that are equal anyway, so
     * that it tells nothing where one holds another's value. */
    if (out->kind == CELL_ROUNDING ||
        op_family_row[in->problem->family].alike) {
        try_formulas(&s, out);
        return;
    }
    if (try_indices(&s, -1, out) || try_blocks(&s, -1, out) ||
        try_strides(&s, -1, out) || try_exchanges(&s, -1, out))
        return;
    for (int i = 0; i < in->op->n_buffers; i++)
        if (op_is_read(in->op, i) &&
            (try_exchanged(&s, i, out) || try_indices(&s, i, out) ||
             try_blocks(&s, i, out) || try_strides(&s, i, out) ||
             try_exchanges(&s, i, out)))
            return;
    try_formulas(&s, out);
}
