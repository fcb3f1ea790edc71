// SPDX-License-Identifier: MIT
/*
 * misplaced_scalars.c: numbers that would be right with another scalar, or with
 * two that are exchanged; see misplaced_sample.h.
 */
#include "misplaced_sample.h"

#include <math.h>

static double got_at(const struct sample *s, size_t cell)
{
    return type_decode(buffer_of(s, s->in->buffer)->type, bits_at(s->in, cell));
}

/* The wrong cell that shows another value of a scalar best. */
static size_t worst_cell(const struct sample *s)
{
    size_t worst = 0;
    double most_off = -1.0;

    for (int k = 0; k < s->n; k++) {
        const struct op_cell *want = &s->in->want[s->cell[k]];
        double off = fabs(got_at(s, s->cell[k]) - want->value) /
                     want->magnitude;

        if (!s->wrong[k] || !(off > most_off) || !isfinite(off))
            continue;
        most_off = off;
        worst = s->cell[k];
    }
    return worst;
}

/* What the cell would be off by if scalar a had that value. */
static double off_by(const struct sample *s, size_t cell, int a, double value)
{
    const void *arrays[OP_MAX_BUFFERS];
    struct op_problem problem = *s->in->problem;
    struct op_cell want;

    problem.scalar[a] = value;
    given_arrays(s, arrays);
    s->in->op->reference(s->in->op, &problem, s->in->buffer, arrays, cell, 1,
                         &want);
    return want.value - got_at(s, cell);
}

/* A scalar above 0 whose value is not the one that was handed over: by halving
 * its logarithm. A cell or two are explained by some number or other, so only a
 * round one counts, as people write it: of one digit. NaN: there is none. */
static double fitting(const struct sample *s, size_t cell, int a)
{
    enum { HALVINGS = 60 };
    double low = log(1e-12), high = log(1e4), digit;
    double at_low = off_by(s, cell, a, exp(low));

    if (!(at_low * off_by(s, cell, a, exp(high)) < 0.0))
        return NAN;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2.0;

        if (at_low * off_by(s, cell, a, exp(middle)) > 0.0)
            low = middle;
        else
            high = middle;
    }
    digit = pow(10.0, floor(log10(exp(high)) + 1e-3));
    return digit * rint(exp(high) / digit);
}

size_t misplaced_group(const struct sample *s, size_t cell)
{
    int rank = buffer_of(s, s->in->buffer)->rank;

    for (int d = rank > 2 ? 2 : 1; d < rank; d++)
        cell /= extent(s, s->in->buffer, d);
    return cell;
}

/* All that is wrong with one row or two is one number or two, which some value
 * of a scalar always explains. */
static bool has_evidence(const struct sample *s)
{
    enum { GROUPS = 3 };
    size_t met[GROUPS];
    int n = 0;

    for (int k = 0; k < s->n && n < GROUPS; k++) {
        size_t group = misplaced_group(s, s->cell[k]);
        bool known = !s->wrong[k];

        for (int i = 0; i < n; i++)
            known = known || met[i] == group;
        if (!known)
            met[n++] = group;
    }
    return n == GROUPS;
}

/* Ten times what is ever handed over is nobody's slip. */
static double likely(const struct op *op, int a, double value)
{
    return value <= 10.0 * op->scalars[a].high ? value : NAN;
}

/* A scalar that was left out, or is another number. One that is always above 0
 * (an epsilon) is no factor of the result, so that a wrong one moves rows by
 * amounts of their own. */
static int try_scalars(const struct sample *s, struct comparison *out)
{
    int fit = 0;

    for (int a = 0; a < s->in->op->n_scalars; a++) {
        double values[] = {0.0, 1.0, NAN};
        bool above = s->in->op->scalars[a].low > 0.0;

        if (above && !has_evidence(s))
            continue;
        if (above)
            values[2] = likely(s->in->op, a, fitting(s, worst_cell(s), a));
        for (int i = 0; i < 3; i++) {
            struct slip slip = {SLIP_SCALAR, -1, a, 0, 0, values[i]};

            fit += !isnan(values[i]) &&
                   values[i] != s->in->problem->scalar[a] &&
                   misplaced_try(s, &slip, out);
        }
    }
    return fit;
}

/* Two that a call hands over in the wrong order. */
static int try_pairs(const struct sample *s, struct comparison *out)
{
    const double *scalar = s->in->problem->scalar;
    int fit = 0;

    for (int a = 0; a < s->in->op->n_scalars; a++)
        for (int b = a + 1; b < s->in->op->n_scalars; b++) {
            struct slip slip = {SLIP_SCALARS, -1, a, b, 0, 0};

            fit += scalar[a] != scalar[b] && misplaced_try(s, &slip, out);
        }
    return fit;
}

int misplaced_scalars(const struct sample *s, struct comparison *out)
{
    return try_scalars(s, out) + try_pairs(s, out);
}
