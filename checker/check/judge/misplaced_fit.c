// SPDX-License-Identifier: MIT
/*
 * misplaced_fit.c: whether a slip explains wrong cells; see misplaced_sample.h.
 */
#include "misplaced_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "misplaced_moves.h"

/* Of a formula's cells few are right by chance, and an output of one cell per
 * channel may have no more. */
enum { LEAST = 8, LEAST_OF_FORMULA = 3 };
static const double most = 0.9;

/* The input as the slip makes it; the caller frees it. */
static void *moved_input(const struct sample *s, const struct slip *slip)
{
    const struct op *op = s->in->op;
    const struct op_shape *shape = &s->in->problem->shape;
    size_t bytes = type_row[op->buffers[slip->input].type].bytes;
    size_t n = count_of(s, slip->input);
    char *to = check_alloc(op_bytes(op, slip->input, shape), 1);
    const char *from = s->given[slip->input];

    for (size_t i = 0, at; i < n; i++) {
        if (slip->kind == SLIP_STRIDE) {
            if (!moves_astray(s, slip->input, slip, i, &at))
                continue;
        } else {
            at = moves_to(s, slip->input, slip, i);
            if (at == MOVES_NOWHERE)
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

    if (moves_astray(s, in->buffer, slip, i, &there))
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
    return (slip->kind == SLIP_HALVES || slip->kind == SLIP_FORMULA ||
            (slip->kind >= SLIP_LANES && slip->kind <= SLIP_FACTOR)) &&
           accepts(s->in, want, i) && !shows(s->in, want, i);
}

static int least(const struct compare_input *in, bool formula)
{
    return formula && !op_family_row[in->problem->family].alike
               ? LEAST_OF_FORMULA
               : LEAST;
}

/* Of a result that was stored elsewhere, what the old value gives is that of
 * the place where it was stored. */
static void reference_at(const struct sample *s,
                         const struct op_problem *problem,
                         const void *arrays[OP_MAX_BUFFERS], size_t i,
                         size_t there, struct op_cell *want)
{
    const struct compare_input *in = s->in;
    const struct op_shape *shape = &in->problem->shape;
    size_t bytes = type_row[buffer_of(s, in->buffer)->type].bytes;
    size_t from = op_offset(in->op, in->buffer, shape, i) * bytes;
    size_t to = op_offset(in->op, in->buffer, shape, there) * bytes;

    bool apart = s->old && i != there;

    if (apart) {
        memcpy(s->old + to, (const char *)in->given + from, bytes);
        arrays[in->buffer] = s->old;
    }
    in->op->reference(in->op, problem, in->buffer, arrays, there, 1, want);
    if (apart)
        memcpy(s->old + to, (const char *)in->given + to, bytes);
}

/* What cell i would hold by this slip. False: nobody can say. */
static bool expect(const struct sample *s, const struct slip *slip,
                   const struct op_problem *problem,
                   const void *arrays[OP_MAX_BUFFERS], size_t i,
                   struct op_cell *want)
{
    const struct compare_input *in = s->in;
    bool stored = slip->input < 0 && slip->kind < SLIP_SCALAR &&
                  slip->kind != SLIP_SWIZZLE;
    size_t there = i;

    if (stored && slip->kind == SLIP_STRIDE) {
        *want = stored_astray(s, slip, i);
        return true;
    }
    if (stored)
        there = moves_to(s, in->buffer, slip, i);
    if (there == MOVES_NOWHERE)
        return false;
    if (stored && !s->old && !(slip->kind == SLIP_LANES && slip->a))
        *want = in->want[there];
    else
        reference_at(s, problem, arrays, i, there, want);
    return problem == in->problem || isfinite(want->magnitude) ||
           !isfinite(in->want[i].magnitude);
}

/* Do the sampled cells hold what they would hold by this slip? The problem is
 * the case's own, or one with another formula. Where such a one gives no
 * number, a cell tells nothing. */
static enum fit fits(const struct sample *s, const struct slip *slip,
                     const struct op_problem *problem,
                     const void *arrays[OP_MAX_BUFFERS])
{
    const struct compare_input *in = s->in;
    int n[2] = {0, 0}, as_said[2] = {0, 0}; /* of right cells, and of wrong */

    for (int k = 0; k < s->n; k++) {
        size_t i = s->cell[k];
        bool wrong = s->wrong[k];
        struct op_cell want;

        if (!expect(s, slip, problem, arrays, i, &want) ||
            tells_nothing(s, slip, &want) || is_idle(s, slip, &want, i))
            continue;
        n[wrong]++;
        as_said[wrong] += wrong ? shows(in, &want, i) : accepts(in, &want, i);
        if (n[wrong] - as_said[wrong] > (1.0 - most) * s->sampled[wrong])
            return FIT_NOT;
    }
    if ((double)as_said[1] < most * n[1] || (double)as_said[0] < most * n[0])
        return FIT_NOT;
    return as_said[1] >= least(in, problem != in->problem) ? FIT : FIT_IDLE;
}

/* A warp's lanes hold other elements of all arrays than they should, or all
 * inputs are read as they were not written. */
static enum fit fits_all(const struct sample *s, const struct slip *slip)
{
    const void *arrays[OP_MAX_BUFFERS];
    void *made[OP_MAX_BUFFERS] = {NULL};
    enum fit fit;

    given_arrays(s, arrays);
    for (int i = 0; i < s->in->op->n_buffers; i++)
        if (s->in->op->buffers[i].role == OP_INPUT) {
            struct slip of_input = *slip;

            if (buffer_of(s, i)->rank != 2)
                continue;
            of_input.input = i;
            arrays[i] = made[i] = moved_input(s, &of_input);
        }
    fit = fits(s, slip, s->in->problem, arrays);
    for (int i = 0; i < OP_MAX_BUFFERS; i++)
        free(made[i]);
    return fit;
}

/* A whole result is stored elsewhere, or what joins an old value there. */
static enum fit fits_output(const struct sample *s, const struct slip *slip)
{
    struct sample whole = *s;
    const void *arrays[OP_MAX_BUFFERS];
    enum fit fit;

    if ((slip->kind == SLIP_LANES && slip->a) || slip->kind == SLIP_SWIZZLE)
        return fits_all(s, slip);
    whole.old = NULL;
    given_arrays(s, arrays);
    fit = fits(&whole, slip, s->in->problem, arrays);
    return fit == FIT || !s->old ? fit
                                 : fits(s, slip, s->in->problem, arrays);
}

static enum fit fits_input(const struct sample *s, const struct slip *slip)
{
    const void *arrays[OP_MAX_BUFFERS];
    void *made = NULL;
    enum fit fit;

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
    fit = fits(s, slip, s->in->problem, arrays);
    free(made);
    return fit;
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

static enum fit fits_formula(const struct sample *s, const struct slip *slip)
{
    const void *arrays[OP_MAX_BUFFERS];
    struct op_problem problem = changed(s, slip);

    given_arrays(s, arrays);
    return fits(s, slip, &problem, arrays);
}

enum fit misplaced_fit(const struct sample *s, const struct slip *slip)
{
    return slip->kind >= SLIP_SCALAR ? fits_formula(s, slip)
           : slip->input < 0         ? fits_output(s, slip)
                                     : fits_input(s, slip);
}

bool misplaced_try(const struct sample *s, const struct slip *slip,
                   struct comparison *out)
{
    if (misplaced_fit(s, slip) != FIT)
        return false;
    out->slip = *slip;
    out->kind = CELL_MISPLACED;
    return true;
}
