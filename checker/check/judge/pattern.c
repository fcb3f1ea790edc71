// SPDX-License-Identifier: MIT
/*
 * pattern.c: see pattern.h.
 *
 * A few cells have anything in common. So a pattern has to hold for all wrong
 * cells, at several places, and a factor for numbers that differ.
 */
#include "pattern.h"

#include <math.h>
#include <string.h>

/* Wrong cells without which there is no pattern; of rows, those beyond the
 * first of each, which says what the row's factor is. */
enum { LEAST = 4, EVERY_MOST = 32 };
static const double most = 0.9;
/* How exact a factor is: sums have rounding errors of their own. */
static const double exact = 1e-4;

static double got_at(const struct compare_input *in, size_t i)
{
    return type_get(in->op->buffers[in->buffer].type, in->got,
                    op_offset(in->op, in->buffer, &in->problem->shape, i));
}

static bool is_right(const struct compare_input *in, size_t i)
{
    const struct op *op = in->op;
    size_t at = op_offset(op, in->buffer, &in->problem->shape, i);

    return op_accepts(op, in->problem, in->buffer, &in->want[i],
                      type_bits(op->buffers[in->buffer].type, in->got, at));
}

static size_t row_length(const struct compare_input *in)
{
    const struct op_buffer *b = &in->op->buffers[in->buffer];

    return (size_t)in->problem->shape.dim[b->extent[b->rank - 1]];
}

/* Of the cells that are `first` to `last` modulo k all are wrong, but for a few
 * that hold the right number by chance, and no other is. */
static bool is_every(const struct compare_input *in, size_t k, size_t first,
                     size_t last, size_t wrong)
{
    size_t row = row_length(in), there = 0;

    if (row < 2 * k)
        return false;
    for (size_t i = 0; i < in->n; i++) {
        size_t at = i % row % k;
        bool on = at >= first && at <= last;

        there += on;
        if (!on && !is_right(in, i))
            return false;
    }
    return (double)wrong >= most * (double)there;
}

static bool try_every(const struct compare_input *in, size_t k, size_t first,
                      size_t last, struct comparison *out)
{
    if (!is_every(in, k, first, last, out->wrong))
        return false;
    out->every = k;
    out->every_first = first;
    out->every_last = last;
    return true;
}

/* One of each k, or the components of a vector up to one of them, or from it
 * on. */
static void find_every(const struct compare_input *in, struct comparison *out)
{
    size_t first = out->cell[0].at[in->op->buffers[in->buffer].rank - 1];

    for (size_t k = 2; k <= EVERY_MOST; k++)
        if (try_every(in, k, first % k, first % k, out))
            return;
    for (size_t k = 4; k <= EVERY_MOST; k *= 2)
        for (size_t i = 1; i < k; i++)
            if (try_every(in, k, i, k - 1, out) ||
                try_every(in, k, 0, i - 1, out))
                return;
}

/* Of cells [from, to) those whose number from there on has `bit`, or has not;
 * bit 0: all of them. */
struct some {
    size_t from, to, bit;
    bool with;
};

static bool is_among(const struct some *some, size_t i)
{
    return !some->bit || !((i - some->from) & some->bit) == !some->with;
}

/* What some cells have been multiplied by, as the largest says. 0: they are no
 * multiples. *fit: how many more are. */
static double factor_of(const struct compare_input *in, struct some some,
                        size_t *fit, bool *differ)
{
    double largest = 0.0, factor = 0.0, last = 0.0;
    size_t wrong = 0;

    *fit = 0;
    for (size_t i = some.from; i < some.to; i++) {
        double want = in->want[i].value;

        if (!is_among(&some, i) || is_right(in, i))
            continue;
        wrong++;
        if (fabs(want) > largest && isfinite(want)) {
            largest = fabs(want);
            factor = got_at(in, i) / want;
        }
    }
    if (!isfinite(factor) || fabs(factor) < exact)
        return 0.0;
    for (size_t i = some.from; i < some.to; i++) {
        double want = factor * in->want[i].value, got = got_at(in, i);
        double error = 4.0 * fabs(factor) *
                       op_tolerance(in->op, in->problem, in->buffer,
                                    &in->want[i]);

        if (!is_among(&some, i) || is_right(in, i))
            continue;
        if (!(fabs(got - want) <= error + exact * fabs(want)))
            return 0.0;
        *differ |= *fit > 0 && fabs(want - last) > 1e-2 * fabs(want);
        ++*fit;
        last = want;
    }
    *fit = wrong > 0 ? wrong - 1 : 0;
    return factor;
}

/* A right cell that is no 0 belongs to no factor. */
static bool has_right(const struct compare_input *in, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (in->want[i].value != 0.0 && is_right(in, i))
            return true;
    return false;
}

static void find_factor(const struct compare_input *in, struct comparison *out)
{
    size_t row = row_length(in), fit, sum = 0, rows = 0;
    bool differ = false;
    double first = 0.0;

    if (has_right(in, 0, in->n))
        return;
    out->factor = factor_of(in, (struct some){0, in->n, 0, 0}, &fit, &differ);
    if (out->factor != 0.0 && fit >= LEAST && differ) {
        out->scaled = SCALED_ALL;
        return;
    }
    differ = false;
    for (size_t i = 0; i + row <= in->n; i += row) {
        double factor = factor_of(in, (struct some){i, i + row, 0, 0}, &fit,
                                  &differ);

        if (factor == 0.0)
            return;
        first = rows++ ? first : factor;
        sum += fit;
    }
    if (rows > 1 && sum >= LEAST && differ) {
        out->scaled = SCALED_ROWS;
        out->factor = first;
    }
}

/* Lanes whose numbers differ in one bit have sums of their own: a step of the
 * shuffles that add them up is missing. A row has two factors then. */
static bool is_by_lanes(const struct compare_input *in, size_t bit)
{
    size_t row = row_length(in), sum = 0;
    bool differ = false;

    if (row < 4 * bit)
        return false;
    for (size_t i = 0; i + row <= in->n; i += row)
        for (int with = 0; with < 2; with++) {
            size_t fit;

            if (factor_of(in, (struct some){i, i + row, bit, with}, &fit,
                          &differ) == 0.0)
                return false;
            sum += fit;
        }
    return sum >= LEAST && differ;
}

static void find_lanes(const struct compare_input *in, struct comparison *out)
{
    enum { BITS_MOST = 128 }; /* lanes that load four neighbours */

    if (has_right(in, 0, in->n))
        return;
    for (size_t bit = 1; bit <= BITS_MOST; bit *= 2)
        if (is_by_lanes(in, bit)) {
            out->scaled = SCALED_LANES;
            out->lanes = bit;
            return;
        }
}

/* A quotient whose two parts have changed places. */
static void find_inverse(const struct compare_input *in, struct comparison *out)
{
    double first = 0.0;
    bool differ = false;

    for (size_t i = 0; i < in->n; i++) {
        double want = in->want[i].value, got = got_at(in, i);

        if (is_right(in, i))
            continue;
        if (!(fabs(got * want - 1.0) <= 1e-2))
            return;
        first = first == 0.0 ? got : first;
        differ |= fabs(got - first) > 1e-2 * fabs(first);
    }
    if (differ)
        out->scaled = SCALED_INVERSE;
}

void pattern_find(const struct compare_input *in, struct comparison *out)
{
    if (out->wrong < LEAST || out->nans > 0)
        return;
    if (out->kind == CELL_LOGIC || out->kind == CELL_SHIFTED)
        find_every(in, out);
    if (out->kind == CELL_LOGIC || out->kind == CELL_WHOLE)
        find_factor(in, out);
    if (out->kind == CELL_LOGIC && !out->scaled)
        find_lanes(in, out);
    if (out->kind == CELL_LOGIC && !out->scaled)
        find_inverse(in, out);
    if (out->scaled)
        out->kind = CELL_LOGIC;
}

static const char *ordinal(size_t k)
{
    return k == 2 || k == 22 || k == 32 ? "nd"
           : k == 3 || k == 23          ? "rd"
           : k == 21 || k == 31         ? "st"
                                        : "th";
}

void pattern_say(struct text *t, const struct comparison *c,
                 const struct op *op)
{
    const struct op_buffer *b = &op->buffers[c->buffer];

    if (c->every && c->every_first < c->every_last)
        text_add(t, "  of each %zu cells along %s those from number %zu to %zu "
                 "are wrong, counted\n  from 0\n", c->every,
                 b->index[b->rank - 1], c->every_first, c->every_last);
    else if (c->every)
        text_add(t, "  wrong is every %zu%s cell along %s, from %s = %zu on\n",
                 c->every, ordinal(c->every), b->index[b->rank - 1],
                 b->index[b->rank - 1], c->every_first);
    if (c->scaled == SCALED_ALL)
        text_add(t, "  each is what is expected times %.4g\n", c->factor);
    else if (c->scaled == SCALED_ROWS)
        text_add(t, "  each row is what is expected times a factor of its own: "
                 "%.4g in the\n  first\n", c->factor);
    else if (c->scaled == SCALED_LANES)
        text_add(t, "  in each row, the cells for which %s / %zu is odd are "
                 "what is\n  expected times one factor, and the others times "
                 "another\n", b->index[b->rank - 1], c->lanes);
    else if (c->scaled == SCALED_INVERSE)
        text_add(t, "  each is 1 divided by what is expected\n");
}

const char *pattern_advice(const struct comparison *c)
{
    if (c->every)
        return "The others are right, so the formula is. Which component of a "
               "vector, or which step of a loop over a thread's own cells, "
               "makes those that are wrong?";
    if (c->scaled == SCALED_ALL)
        return "All that is wrong is a factor. What is a sum divided by, or "
               "multiplied with, and is any term counted twice?";
    if (c->scaled == SCALED_ROWS)
        return "All that is wrong is what a row is divided by or multiplied "
               "with. Does its sum take in each element once: from all lanes "
               "of a warp (steps of 16, 8, 4, 2 and 1), from all warps, and "
               "from the end of the row?";
    if (c->scaled == SCALED_LANES)
        return "Lanes do not agree what a row is divided by: those whose "
               "numbers differ in one bit have sums, or maxima, of their own. "
               "Are all steps of the shuffles there (16, 8, 4, 2 and 1), and "
               "do all lanes take part, and all warps?";
    if (c->scaled == SCALED_INVERSE)
        return "Which of the two is divided by the other? Have a quotient's "
               "parts, or a function's arguments, changed places?";
    return NULL;
}
