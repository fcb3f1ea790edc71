// SPDX-License-Identifier: MIT
/*
 * misplaced.c: beginners' slips of indices, recognised by what they leave; see
 * misplaced.h.
 *
 * Each slip is a hypothesis that says what every cell should hold. For a slip
 * of the output that is what belongs to another cell; for one of an input, what
 * the reference makes of an array whose elements were moved alike. A slip is
 * named if it explains nearly all of some dozens of wrong cells, and leaves the
 * right ones as they are.
 */
#include "misplaced.h"

#include <stdlib.h>
#include <string.h>

enum { LOOKS = 48, LEAST = 8 };
/* A reference may work through much of its input for one cell: of larger cases
 * dozens of times that would take too long, and smaller ones show the same. */
static const double most_flops = 5e6;
static const double most = 0.9;

/* What all slips are tried on: wrong cells, and some that are right. */
struct sample {
    const struct compare_input *in;
    void *const *given;
    size_t cell[2 * LOOKS];
    bool wrong[2 * LOOKS];
    int n;
};

static const struct op_buffer *buffer_of(const struct sample *s, int buffer)
{
    return &s->in->op->buffers[buffer];
}

static size_t extent(const struct sample *s, int buffer, int index)
{
    return (size_t)s->in->problem->shape
        .dim[buffer_of(s, buffer)->extent[index]];
}

static size_t count(const struct sample *s, int buffer)
{
    return op_count(s->in->op, buffer, &s->in->problem->shape);
}

static uint64_t bits_at(const struct compare_input *in, size_t i)
{
    return type_bits(in->op->buffers[in->buffer].type, in->got,
                     op_offset(in->op, in->buffer, &in->problem->shape, i));
}

static bool accepts(const struct compare_input *in, const struct op_cell *want,
                    size_t i)
{
    return op_accepts(in->op, in->problem, in->buffer, want, bits_at(in, i));
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

/* An output: whose value the slip stores in cell i. An input: which element
 * the slip reads for element i. */
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
    return join(s, buffer, slip->input < 0 ? plain : order, at);
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

    for (size_t i = 0; i < n; i++)
        memcpy(to + op_offset(op, slip->input, shape, i) * bytes,
               from + op_offset(op, slip->input, shape,
                                moved(s, slip->input, slip, i)) * bytes,
               bytes);
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

/* Do the sampled cells hold what they would hold by this slip? */
static bool fits(const struct sample *s, const struct slip *slip,
                 const void *const *arrays)
{
    const struct compare_input *in = s->in;
    int wrong = 0, explained = 0, kept = 0, right = 0;

    for (int k = 0; k < s->n; k++) {
        size_t i = s->cell[k];
        struct op_cell want;

        if (arrays)
            in->op->reference(in->op, in->problem, in->buffer, arrays, i, 1,
                              &want);
        else
            want = in->want[moved(s, in->buffer, slip, i)];
        wrong += s->wrong[k];
        explained += s->wrong[k] && shows(in, &want, i);
        right += !s->wrong[k];
        kept += !s->wrong[k] && accepts(in, &want, i);
    }
    return explained >= LEAST && (double)explained >= most * wrong &&
           (double)kept >= most * right;
}

static bool fits_input(const struct sample *s, const struct slip *slip)
{
    const void *arrays[OP_MAX_BUFFERS];
    void *made = NULL;
    bool ok;

    for (int i = 0; i < OP_MAX_BUFFERS; i++)
        arrays[i] = s->given[i];
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
    ok = fits(s, slip, arrays);
    free(made);
    return ok;
}

static bool try(const struct sample *s, const struct slip *slip,
                struct comparison *out)
{
    if (!(slip->input < 0 ? fits(s, slip, NULL) : fits_input(s, slip)))
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
        if (try(s, &(struct slip){SLIP_ZERO, input, a, 0, 0}, out))
            return true;
        for (int b = a + 1; b < rank; b++)
            if (extent(s, buffer, b) > 1 &&
                try(s, &(struct slip){SLIP_ORDER, input, a, b, 0}, out))
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
        if (try(s, &(struct slip){SLIP_BLOCK, input, 0, 0, n}, out))
            return true;
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
             try(s, &(struct slip){SLIP_INPUTS, input, j, 0, 0}, out)) ||
            try(s, &(struct slip){SLIP_TWICE, input, j, 0, 0}, out))
            return true;
    }
    return try(s, &(struct slip){SLIP_UNUSED, input, 0, 0, 0}, out);
}

void misplaced_find(const struct compare_input *in, void *const *given,
                    struct comparison *out)
{
    struct sample s = {.in = in, .given = given};

    if (in->op->flops(&in->problem->shape) > most_flops)
        return;
    take_sample(&s, out->wrong);
    if (try_indices(&s, -1, out) || try_blocks(&s, -1, out))
        return;
    for (int i = 0; i < in->op->n_buffers; i++)
        if (op_is_read(in->op, i) &&
            (try_exchanged(&s, i, out) || try_indices(&s, i, out) ||
             try_blocks(&s, i, out)))
            return;
}

/* "x[b, t, h]": with h and t exchanged. */
static void say_order(struct text *t, const struct op_buffer *b,
                      const struct slip *slip)
{
    text_add(t, "%s[", b->name);
    for (int d = 0; d < b->rank; d++) {
        int index = d == slip->a ? slip->b : d == slip->b ? slip->a : d;

        text_add(t, "%s%s", d ? ", " : "", b->index[index]);
    }
    text_add(t, "]\n");
}

void misplaced_say(struct text *t, const struct comparison *c,
                   const struct op *op)
{
    const struct slip *slip = &c->slip;
    bool input = slip->input >= 0;
    const struct op_buffer *b = &op->buffers[input ? slip->input : c->buffer];

    if (slip->kind == SLIP_INPUTS)
        text_add(t, "misplaced: as if the inputs %s and %s were exchanged\n",
                 b->name, op->buffers[slip->a].name);
    else if (slip->kind == SLIP_TWICE)
        text_add(t, "misplaced: as if %s were read in place of %s\n", b->name,
                 op->buffers[slip->a].name);
    else if (slip->kind == SLIP_UNUSED)
        text_add(t, "misplaced: as if all elements of %s were 0\n", b->name);
    else if (slip->kind == SLIP_ORDER) {
        text_add(t, input ? "misplaced: as if %s were stored as "
                          : "misplaced: right results, but %s is stored as ",
                 b->name);
        say_order(t, b, slip);
    } else if (slip->kind == SLIP_ZERO)
        text_add(t, input ? "misplaced: as if %s were always read at %s = 0\n"
                          : "misplaced: each cell of %s holds what belongs to "
                            "%s = 0\n", b->name, b->index[slip->a]);
    else
        text_add(t, input ? "misplaced: as if %s had only its first %zu "
                            "elements, again and again\n"
                          : "misplaced: %s holds its first %zu cells again and "
                            "again\n", b->name, slip->n);
}

const char *misplaced_advice(const struct comparison *c)
{
    static const char *const advice[] = {
        [SLIP_ZERO] = "Is that index left out, or not multiplied by its "
                      "stride, where the address is worked out?",
        [SLIP_ORDER] = "Which index is the fastest in memory? Check the order "
                       "of the indices, and which extent each is multiplied "
                       "by. In two dimensions, .x of a thread runs fastest.",
        [SLIP_BLOCK] = "Every block does the same as the first: does an index "
                       "lack blockIdx.x * blockDim.x?",
        [SLIP_INPUTS] = "Compare the order of the arguments in the launch with "
                        "the kernel's parameters.",
        [SLIP_TWICE] = "Look for the one name where the other is meant.",
        [SLIP_UNUSED] = "Is a term of the formula left out, or one of its "
                        "factors?",
    };

    return advice[c->slip.kind];
}
