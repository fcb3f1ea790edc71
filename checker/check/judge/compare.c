// SPDX-License-Identifier: MIT
/*
 * compare.c: right or wrong, and which kind of wrong; see compare.h.
 *
 * One pass classifies each wrong cell alone (unwritten, stale, rounding,
 * logic); a second looks for one step along one index that explains nearly
 * all of them (shifted). The kind of a comparison is what a learner should
 * hear first: cells that were not written, then a pattern, then the rest.
 */
#include "compare.h"

#include <math.h>
#include <string.h>

const char *const kind_names[CELL_KINDS] = {
    "right", "rounding", "logic",   "whole",     "misplaced",
    "stale", "shifted",  "padding", "unwritten",
};

/* A sum that keeps nine bits: what half precision and tf32 leave, and less
 * than one forgotten term of a hundred. */
static const double rounding_share = 0x1p-9;
static const double rounding_tolerances = 64.0;
/* Of the wrong cells, how many one explanation must cover. */
static const double most = 0.9;
enum { SHIFT_LOOKS = 512, SHIFT_LEAST = 2, SHIFT_CHANGES = 2 };
/* Small integers meet by chance: one cell of them that is like an earlier one
 * tells nothing. */
enum { STALE_LEAST = 8 };
/* So few cells may be whole numbers by chance. */
enum { WHOLE_LEAST = 4 };

static size_t element_of(const struct compare_input *in, size_t i)
{
    return op_offset(in->op, in->buffer, &in->problem->shape, in->first + i);
}

static enum type type_of(const struct compare_input *in)
{
    return in->op->buffers[in->buffer].type;
}

static uint64_t bits_at(const struct compare_input *in, const void *array,
                        size_t i)
{
    return type_bits(type_of(in), array, element_of(in, i));
}

static double value_at(const struct compare_input *in, size_t i)
{
    return type_get(type_of(in), in->got, element_of(in, i));
}

static bool is_right(const struct compare_input *in, size_t i, size_t want)
{
    return op_accepts(in->op, in->problem, in->buffer, &in->want[want],
                      bits_at(in, in->got, i));
}

static double tolerance(const struct compare_input *in, size_t i)
{
    return op_tolerance(in->op, in->problem, in->buffer, &in->want[i]);
}

/* NaN as no kernel computes it: with a sign (type.h). Of fp64 some do. */
static bool is_signed_nan(enum type type, uint64_t bits)
{
    const struct type_row *t = &type_row[type];

    return t->floating && type != TYPE_FP64 &&
           bits >> (8 * t->bytes - 1) & 1 && isnan(type_decode(type, bits));
}

/* Still the poison; or, in an in-and-out array, what it held before. There most
 * NaN tell nothing, since a result computed from one is NaN as well. */
static bool is_unwritten(const struct compare_input *in, size_t i)
{
    uint64_t bits = bits_at(in, in->got, i);

    if (!in->given)
        return type_is_poison(type_of(in), bits);
    return bits == bits_at(in, in->given, i) &&
           (is_signed_nan(type_of(in), bits) ||
            !isnan(type_decode(type_of(in), bits)));
}

/* What was right in an earlier case; a constant that is wrong is wrong in each.
 * Where that is not known, the bits that were there. */
static bool is_of_earlier(const struct compare_input *in, size_t i)
{
    uint64_t bits = bits_at(in, in->got, i);
    double got = value_at(in, i);

    if (!in->earlier || got == 0.0 || isnan(got))
        return false;
    return in->earlier_want
               ? op_accepts(in->op, in->earlier_problem, in->buffer,
                            &in->earlier_want[i], bits)
               : bits_at(in, in->earlier, i) == bits;
}

static enum cell_kind classify(const struct compare_input *in, size_t i)
{
    const struct op_cell *want = &in->want[i];
    double got = value_at(in, i), error = fabs(got - want->value);
    double close = fmax(rounding_share * want->magnitude,
                        rounding_tolerances * tolerance(in, i));

    if (!in->given && is_unwritten(in, i))
        return CELL_UNWRITTEN;
    if (error <= close)
        return CELL_ROUNDING;
    if (is_unwritten(in, i))
        return CELL_UNWRITTEN;
    if (is_of_earlier(in, i))
        return CELL_STALE;
    return CELL_LOGIC;
}

static void cell_indices(const struct op *op, int buffer,
                         const struct op_shape *shape, size_t index,
                         size_t at[OP_MAX_RANK])
{
    const struct op_buffer *b = &op->buffers[buffer];

    for (int i = b->rank - 1; i >= 0; i--) {
        size_t extent = (size_t)shape->dim[b->extent[i]];

        at[i] = i > 0 ? index % extent : index;
        index /= extent;
    }
}

static void note_place(const struct compare_input *in, size_t i,
                       struct comparison *out)
{
    int rank = in->op->buffers[in->buffer].rank;
    size_t at[OP_MAX_RANK];

    cell_indices(in->op, in->buffer, &in->problem->shape, in->first + i, at);
    for (int d = 0; d < rank; d++) {
        if (out->wrong == 1 || at[d] < out->low[d])
            out->low[d] = at[d];
        if (out->wrong == 1 || at[d] > out->high[d])
            out->high[d] = at[d];
    }
}

static void note_wrong(const struct compare_input *in, size_t i,
                       struct comparison *out)
{
    double bound = tolerance(in, i), got = value_at(in, i);
    double error = fabs(got - in->want[i].value);
    struct wrong_cell cell = {.element = element_of(in, i),
                              .expected = in->want[i].value, .got = got};

    out->wrong++;
    out->nans += isnan(got) && (in->given || !is_unwritten(in, i));
    out->zeros += got == 0.0;
    if (bound > 0.0 && error / bound > out->worst)
        out->worst = error / bound;
    note_place(in, i, out);
    cell_indices(in->op, in->buffer, &in->problem->shape, in->first + i,
                 cell.at);
    if (out->n_first < FIRST_WRONG)
        out->cell[out->n_first++] = cell;
}

/* The offset, in cells, of one step along an index; false: no such cell. */
static bool neighbour(const struct compare_input *in, size_t i, int index,
                      int by, size_t *there)
{
    const struct op_buffer *b = &in->op->buffers[in->buffer];
    size_t at[OP_MAX_RANK], stride = 1;
    const struct op_shape *shape = &in->problem->shape;
    size_t extent = (size_t)shape->dim[b->extent[index]];

    cell_indices(in->op, in->buffer, shape, in->first + i, at);
    if (by < 0 ? at[index] == 0 : at[index] + 1 >= extent)
        return false;
    for (int d = b->rank - 1; d > index; d--)
        stride *= (size_t)shape->dim[b->extent[d]];
    if (by < 0 ? i < stride : i + stride >= in->n)
        return false; /* outside the cells at hand */
    *there = by < 0 ? i - stride : i + stride;
    return true;
}

/* Whether one step along one index explains the wrong cells: every so many of
 * them, since the first may all have one value of another index; an odd
 * number, which does not pick the same cell of each pair. Cells that
 * hold NaN, or all the same, are right in their neighbours' place by chance. */
static bool is_shift(const struct compare_input *in, size_t wrong, int index,
                     int by)
{
    size_t looked = 0, matched = 0, met = 0, every = wrong / SHIFT_LOOKS | 1;
    size_t changes = 0;
    double last = 0.0;

    for (size_t i = 0; i < in->n; i++) {
        double got = value_at(in, i);
        size_t there;

        if (is_right(in, i, i) || met++ % every ||
            !neighbour(in, i, index, by, &there))
            continue;
        looked++;
        if (got == 0.0 || isnan(got) || /* sparse neighbours hold 0 */
            !is_right(in, i, there))
            continue;
        matched++;
        changes += got != last;
        last = got;
    }
    return matched >= SHIFT_LEAST && changes >= SHIFT_CHANGES &&
           (double)matched >= most * (double)looked;
}

/* Of two cells, the neighbour of one may as well be the first. */
enum { SHIFT_EXTENT = 3 };

static bool find_shift(const struct compare_input *in, struct comparison *out)
{
    const struct op_buffer *b = &in->op->buffers[in->buffer];

    for (int index = b->rank - 1; index >= 0; index--)
        for (int by = -1; by <= 1; by += 2)
            if (in->problem->shape.dim[b->extent[index]] >= SHIFT_EXTENT &&
                is_shift(in, out->wrong, index, by)) {
                out->shift_index = index;
                out->shift_by = by;
                return true;
            }
    return false;
}

/* Each wrong cell holds the whole number next to what it should, above or
 * below, and not all the same one, which has other causes. */
static bool is_whole(const struct compare_input *in,
                     const struct comparison *out)
{
    double first = NAN;
    bool differ = false;

    if (out->wrong < WHOLE_LEAST || !type_row[type_of(in)].floating)
        return false;
    for (size_t i = 0; i < in->n; i++) {
        double got = value_at(in, i);

        if (is_right(in, i, i))
            continue;
        if (!(got == nearbyint(got) && fabs(got - in->want[i].value) < 1.0))
            return false;
        if (isnan(first))
            first = got;
        differ = differ || got != first;
    }
    return differ;
}

static bool is_alike(const struct compare_input *in)
{
    return op_family_row[in->problem->family].alike;
}

static bool is_stale(const struct compare_input *in, size_t stale,
                     size_t wrong)
{
    return (double)stale >= most * (double)wrong &&
           (!is_alike(in) || !in->earlier_alike || stale >= STALE_LEAST);
}

/* Poison is no accident; one cell that is what it was before may be. */
static bool is_mostly_unwritten(const struct compare_input *in,
                                const struct comparison *out)
{
    return out->unwritten > 0 &&
           (!in->given || (double)out->unwritten >= most * (double)out->wrong);
}

bool compare_is_right(const struct compare_input *in, size_t first, size_t n)
{
    for (size_t i = first; i < first + n; i++)
        if (!is_right(in, i, i))
            return false;
    return true;
}

void compare_cells(const struct compare_input *in, struct comparison *out)
{
    size_t count[CELL_KINDS] = {0};

    *out = (struct comparison){.buffer = in->buffer, .cells = in->n};
    for (size_t i = 0; i < in->n; i++)
        if (!is_right(in, i, i)) {
            count[classify(in, i)]++;
            note_wrong(in, i, out);
        }
    out->unwritten = count[CELL_UNWRITTEN];
    if (out->wrong == 0)
        out->kind = CELL_RIGHT;
    else if (is_mostly_unwritten(in, out))
        out->kind = CELL_UNWRITTEN;
    else if (is_stale(in, count[CELL_STALE], out->wrong))
        out->kind = CELL_STALE;
    else if (count[CELL_LOGIC] && !is_alike(in) && find_shift(in, out))
        out->kind = CELL_SHIFTED;
    else if (count[CELL_LOGIC] && is_whole(in, out))
        out->kind = CELL_WHOLE;
    else
        out->kind = count[CELL_ROUNDING] == out->wrong ? CELL_ROUNDING
                                                       : CELL_LOGIC;
}

/* In a row, padding follows the cells; after the last row there is none. */
void compare_padding(const struct compare_input *in, struct comparison *out)
{
    const struct op_buffer *b = &in->op->buffers[in->buffer];
    const struct op_shape *shape = &in->problem->shape;
    size_t stride = op_row_stride(in->op, in->buffer, shape), cell;
    size_t n = op_bytes(in->op, in->buffer, shape) / type_row[b->type].bytes;

    if (n == op_count(in->op, in->buffer, shape))
        return;
    for (size_t e = 0; e < n; e++) {
        struct wrong_cell wrong = {.element = e, .expected = NAN,
                                   .got = type_get(b->type, in->got, e)};

        if (op_cell_at(in->op, in->buffer, shape, e, &cell) ||
            type_is_poison(b->type, type_bits(b->type, in->got, e)))
            continue;
        out->kind = CELL_PADDING;
        out->wrong++;
        cell_indices(in->op, in->buffer, shape,
                     e / stride * (size_t)shape->dim[b->extent[b->rank - 1]],
                     wrong.at);
        wrong.at[b->rank - 1] = e % stride;
        if (out->n_first < FIRST_WRONG)
            out->cell[out->n_first++] = wrong;
    }
}

void cell_say(struct text *text, const struct op *op, int buffer,
              const size_t at[OP_MAX_RANK])
{
    const struct op_buffer *b = &op->buffers[buffer];

    text_add(text, "%s[", b->name);
    for (int i = 0; i < b->rank; i++)
        text_add(text, "%s%s=%zu", i ? ", " : "", b->index[i], at[i]);
    text_add(text, "]");
}

void cell_name(struct text *text, const struct op *op, int buffer,
               const struct op_shape *shape, size_t index)
{
    size_t at[OP_MAX_RANK];

    cell_indices(op, buffer, shape, index, at);
    cell_say(text, op, buffer, at);
}

bool compare_where(struct text *text, const struct comparison *c,
                   const struct op *op, const struct op_shape *shape)
{
    const struct op_buffer *b = &op->buffers[c->buffer];
    const char *lead = "every wrong cell has ";
    bool added = false;

    if (c->kind == CELL_PADDING)
        return false;
    for (int i = 0; c->wrong > 1 && i < b->rank; i++) {
        size_t extent = (size_t)shape->dim[b->extent[i]];
        const char *name = b->index[i];

        if (c->low[i] == 0 && c->high[i] + 1 >= extent)
            continue;
        if (c->low[i] == c->high[i])
            text_add(text, "%s%s = %zu", lead, name, c->low[i]);
        else if (c->low[i] == 0)
            text_add(text, "%s%s <= %zu", lead, name, c->high[i]);
        else if (c->high[i] + 1 >= extent)
            text_add(text, "%s%s >= %zu", lead, name, c->low[i]);
        else
            text_add(text, "%s%zu <= %s <= %zu", lead, c->low[i], name,
                     c->high[i]);
        lead = " and ";
        added = true;
    }
    return added;
}
