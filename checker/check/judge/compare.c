// SPDX-License-Identifier: MIT
/*
 * compare.c: right or wrong, and which kind of wrong; see compare.h.
 *
 * One pass classifies each wrong cell alone (unwritten, stale, rounding,
 * logic); a second looks for one step along one index that explains nearly
 * all of them (shifted). The kind of a comparison is what a learner should
 * hear first: cells nobody wrote, then a pattern, then the rest.
 */
#include "compare.h"

#include <math.h>
#include <string.h>

const char *const kind_names[CELL_KINDS] = {
    "right", "rounding", "logic", "stale", "shifted", "unwritten",
};

/* Nine bits of a float: what half precision and tf32 lose, and less than one
 * forgotten term of a hundred. */
static const double rounding_share = 0x1p-9;
static const double rounding_tolerances = 64.0;
/* Of the wrong cells, how many one explanation must cover. */
static const double most = 0.9;
enum { SHIFT_LOOKS = 512, SHIFT_LEAST = 2 };
/* Small integers meet by chance: one stale cell of them tells nothing. */
enum { STALE_LEAST = 8 };

static double tolerance(const struct compare_input *in,
                        const struct op_cell *want)
{
    return in->exact ? 0.0 : op_tolerance(want);
}

static bool is_right(const struct compare_input *in, float got,
                     const struct op_cell *want)
{
    return fabs((double)got - want->value) <= tolerance(in, want);
}

static uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static enum cell_kind classify(const struct compare_input *in, size_t i)
{
    const struct op_cell *want = &in->want[i];
    double error = fabs((double)in->got[i] - want->value);
    double close = fmax(rounding_share * want->magnitude,
                        rounding_tolerances * op_tolerance(want));

    if (bits_of(in->got[i]) == POISON_BITS)
        return CELL_UNWRITTEN;
    if (error <= close)
        return CELL_ROUNDING;
    if (in->earlier && bits_of(in->earlier[i]) == bits_of(in->got[i]) &&
        in->got[i] != 0.0f && !isnan(in->got[i]))
        return CELL_STALE;
    return CELL_LOGIC;
}

void cell_indices(const struct op *op, int buffer,
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

    cell_indices(in->op, in->buffer, in->shape, in->first + i, at);
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
    double bound = op_tolerance(&in->want[i]);
    double error = fabs((double)in->got[i] - in->want[i].value);

    out->wrong++;
    out->nans += isnan(in->got[i]) && bits_of(in->got[i]) != POISON_BITS;
    if (bound > 0.0 && error / bound > out->worst)
        out->worst = error / bound;
    note_place(in, i, out);
    if (out->n_first < FIRST_WRONG)
        out->cell[out->n_first++] = (struct wrong_cell){
            in->first + i, in->want[i].value, in->got[i]};
}

/* The offset, in cells, of one step along an index; false: no such cell. */
static bool neighbour(const struct compare_input *in, size_t i, int index,
                      int by, size_t *there)
{
    const struct op_buffer *b = &in->op->buffers[in->buffer];
    size_t at[OP_MAX_RANK], stride = 1;
    size_t extent = (size_t)in->shape->dim[b->extent[index]];

    cell_indices(in->op, in->buffer, in->shape, in->first + i, at);
    if (by < 0 ? at[index] == 0 : at[index] + 1 >= extent)
        return false;
    for (int d = b->rank - 1; d > index; d--)
        stride *= (size_t)in->shape->dim[b->extent[d]];
    if (by < 0 ? i < stride : i + stride >= in->n)
        return false; /* outside the cells at hand */
    *there = by < 0 ? i - stride : i + stride;
    return true;
}

/* Whether one step along one index explains the wrong cells. */
static bool is_shift(const struct compare_input *in, int index, int by)
{
    size_t looked = 0, matched = 0;

    for (size_t i = 0; i < in->n && looked < SHIFT_LOOKS; i++) {
        size_t there;

        if (is_right(in, in->got[i], &in->want[i]) ||
            !neighbour(in, i, index, by, &there))
            continue;
        looked++;
        matched += in->got[i] != 0.0f && /* sparse neighbours hold that */
                   is_right(in, in->got[i], &in->want[there]);
    }
    return matched >= SHIFT_LEAST && (double)matched >= most * (double)looked;
}

static bool find_shift(const struct compare_input *in, struct comparison *out)
{
    int rank = in->op->buffers[in->buffer].rank;

    for (int index = rank - 1; index >= 0; index--)
        for (int by = -1; by <= 1; by += 2)
            if (is_shift(in, index, by)) {
                out->shift_index = index;
                out->shift_by = by;
                return true;
            }
    return false;
}

static bool is_stale(const struct compare_input *in, size_t stale,
                     size_t wrong)
{
    return (double)stale >= most * (double)wrong &&
           (!in->alike || stale >= STALE_LEAST);
}

void compare_cells(const struct compare_input *in, struct comparison *out)
{
    size_t count[CELL_KINDS] = {0};

    *out = (struct comparison){.buffer = in->buffer, .cells = in->n};
    for (size_t i = 0; i < in->n; i++)
        if (!is_right(in, in->got[i], &in->want[i])) {
            count[classify(in, i)]++;
            note_wrong(in, i, out);
        }
    out->unwritten = count[CELL_UNWRITTEN];
    if (out->wrong == 0)
        out->kind = CELL_RIGHT;
    else if (out->unwritten)
        out->kind = CELL_UNWRITTEN;
    else if (is_stale(in, count[CELL_STALE], out->wrong))
        out->kind = CELL_STALE;
    else if (count[CELL_LOGIC] && !in->alike && find_shift(in, out))
        out->kind = CELL_SHIFTED;
    else
        out->kind = count[CELL_LOGIC] || count[CELL_STALE] ? CELL_LOGIC
                                                           : CELL_ROUNDING;
}

void cell_name(struct text *text, const struct op *op, int buffer,
               const struct op_shape *shape, size_t index)
{
    const struct op_buffer *b = &op->buffers[buffer];
    size_t at[OP_MAX_RANK];

    cell_indices(op, buffer, shape, index, at);
    text_add(text, "%s[", b->name);
    for (int i = 0; i < b->rank; i++)
        text_add(text, "%s%s=%zu", i ? ", " : "", b->index[i], at[i]);
    text_add(text, "]");
}

bool compare_where(struct text *text, const struct comparison *c,
                   const struct op *op, const struct op_shape *shape)
{
    const struct op_buffer *b = &op->buffers[c->buffer];
    const char *lead = "every wrong cell has ";
    bool added = false;

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
