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

#include "misplaced_moves.h"
#include "misplaced_sample.h"

/* A reference may work through much of its input for one cell: of larger cases
 * dozens of times that would take too long, and smaller ones show the same. */
static const double most_flops = 5e6;

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
    size_t cells = count_of(s, input < 0 ? s->in->buffer : input);

    for (size_t n = 32; n <= 1024 && n < cells; n *= 2)
        if (misplaced_try(s, &(struct slip){SLIP_BLOCK, input, 0, 0, n, 0},
                          out))
            return true;
    return false;
}

/* What lanes hold of the tiles of a tensor core. */
static bool try_lanes(const struct sample *s, int input,
                      struct comparison *out)
{
    bool is_input = input >= 0 && s->in->op->buffers[input].role == OP_INPUT;

    if (input < 0)
        return misplaced_try(s, &(struct slip){SLIP_LANES, -1, 0, 0, 0, 0},
                             out) ||
               misplaced_try(s, &(struct slip){SLIP_LANES, -1, 1, 0, 0, 0},
                             out);
    if (!is_input)
        return false;
    for (int chunks = 8; chunks >= 4; chunks /= 2)
        if (misplaced_try(s, &(struct slip){SLIP_SWIZZLE, input, SWIZZLED_NOT,
                                            chunks, 0, 0}, out))
            return true;
    return misplaced_try(s, &(struct slip){SLIP_LANES, input, 0, 0, 0, 0}, out);
}

/* Four matrices in any order, one of them perhaps twice: there are 256 ways, so
 * only small arrays are tried. */
static bool try_matrices(const struct sample *s, int input,
                         struct comparison *out)
{
    enum { WAYS = 256, MOST_ELEMENTS = 4096 };
    int chunk = (int)moves_chunk(s, input);

    if (misplaced_try(s, &(struct slip){SLIP_ADDRESSES, input, 0, chunk, 0, 0},
                      out))
        return true;
    for (int a = 0; a < WAYS && count_of(s, input) <= MOST_ELEMENTS; a++)
        if (misplaced_try(s, &(struct slip){SLIP_MATRICES, input, a, chunk, 0,
                                            0}, out))
            return true;
    return false;
}

/* A thread's rows, or columns: neighbours, or some way apart; or a factor is
 * missing in one of the two places. */
static bool try_apart(const struct sample *s, int input,
                      struct comparison *out)
{
    enum { LEAST = 16, MOST = 128 };
    int buffer = input < 0 ? s->in->buffer : input;

    for (int a = 0; a < 2; a++)
        for (size_t n = MOST; n >= LEAST; n /= 2) /* short rows fit many */
            for (size_t b = 2; b < n; b *= 2)
                if (extent(s, buffer, a) > n / b &&
                    (misplaced_try(s, &(struct slip){SLIP_APART, input, a,
                                                     (int)b, n, 0}, out) ||
                     misplaced_try(s, &(struct slip){SLIP_FACTOR, input, a,
                                                     (int)b, n, 0}, out)))
                    return true;
    return false;
}

/* One index of an input for its other: of a tile, or of the whole. */
static bool try_taken(const struct sample *s, int input,
                      struct comparison *out)
{
    enum { LEAST = 8, MOST = 64 };

    for (int a = 0; a < 2; a++)
        for (size_t n = MOST; n >= LEAST; n /= 2)
            if (extent(s, input, 1 - a) > 1 &&
                misplaced_try(s, &(struct slip){SLIP_TAKEN, input, a, 0, n, 0},
                              out))
                return true;
    return false;
}

/* How lanes of tensor cores are fed, and by which swizzle. */
static bool try_feeding(const struct sample *s, int input,
                        struct comparison *out)
{
    enum { CHUNKS = 8 };

    if (s->in->op->pipe < PIPE_FP64_TENSOR)
        return false;
    if (input >= 0 && s->in->op->buffers[input].role != OP_INPUT)
        return false;
    for (int how = SWIZZLED_NOT; how <= SWIZZLED_TURNS; how++)
        if (misplaced_try(s, &(struct slip){SLIP_SWIZZLE, input, how, CHUNKS,
                                            0, 0}, out))
            return true;
    return input >= 0 && try_matrices(s, input, out);
}

/* A tile of which rows and columns are exchanged: one that is staged, or a
 * fragment's. */
static bool try_turned(const struct sample *s, int input,
                       struct comparison *out)
{
    static const int sides[] = {2, 8, 16, 32};

    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        if (misplaced_try(s, &(struct slip){SLIP_TURNED, input, 0, sides[i], 0,
                                            0}, out))
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
    return rank == 2 &&
           (try_lanes(s, input, out) || try_turned(s, input, out) ||
            (input < 0 && try_apart(s, input, out)) ||
            (input >= 0 && try_taken(s, input, out)) ||
            try_feeding(s, input, out));
}

static bool alike(const struct sample *s, int i, int j)
{
    return buffer_of(s, i)->type == buffer_of(s, j)->type &&
           op_bytes(s->in->op, i, &s->in->problem->shape) ==
               op_bytes(s->in->op, j, &s->in->problem->shape) &&
           count_of(s, i) == count_of(s, j);
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

/* Notes all of the operator's mistakes that fit, or might: other cases have to
 * tell them apart. Returns how many fit; those that are told in the same words
 * count as one, and out has the first. */
static int try_mistakes(const struct sample *s, struct comparison *out)
{
    const struct op_mistake *mistakes = s->in->op->mistakes;
    int fit = 0, first = -1;

    for (int a = 0; a < s->in->op->n_mistakes; a++) {
        const struct slip slip = {SLIP_FORMULA, -1, a, 0, 0, 0};
        enum fit how = misplaced_fit(s, &slip);

        out->may_be |= (uint64_t)(how != FIT_NOT) << a;
        out->fits |= (uint64_t)(how == FIT) << a;
        if (how != FIT)
            continue;
        if (first < 0) {
            first = a;
            out->slip = slip;
            out->kind = CELL_MISPLACED;
        }
        fit += fit == 0 ||
               strcmp(mistakes[a].as_if, mistakes[first].as_if) != 0;
    }
    return fit;
}

/* Where two formulas come to the same, as dividing by n - 1 and not at all does
 * of two values, another case has to tell them apart. */
static void try_formulas(const struct sample *s, struct comparison *out)
{
    bool alike = op_family_row[s->in->problem->family].alike;
    struct comparison scalars = *out, before = *out;
    int fit = alike ? 0 : misplaced_scalars(s, &scalars);

    fit += try_mistakes(s, out);
    if (fit > 1) {
        out->kind = before.kind;
        out->slip = before.slip;
    } else if (scalars.kind != before.kind) {
        out->kind = scalars.kind;
        out->slip = scalars.slip;
    }
}

/* An input taken for 0 leaves what a factor of 0 leaves, or a sum whose last
 * term is beyond an end: words for all of a term say more. */
static void try_beside_unused(const struct sample *s, struct comparison *out)
{
    struct comparison unused = *out;

    if (buffer_of(s, s->in->buffer)->role == OP_INOUT &&
        try_mistakes(s, out) == 0)
        out->slip = unused.slip;
}

/* Rows, or planes, among the sampled wrong cells: what is wrong with one of
 * them is one number, and one piece of evidence. */
static int pieces_of(const struct sample *s)
{
    enum { MANY = 8 };
    size_t met[MANY];
    int n = 0;

    for (int k = 0; k < s->n && n < MANY; k++) {
        size_t group = misplaced_group(s, s->cell[k]);
        int i = 0;

        while (i < n && met[i] != group)
            i++;
        if (s->wrong[k] && i == n)
            met[n++] = group;
    }
    return n;
}

static bool try_places(const struct sample *s, int input,
                       struct comparison *out)
{
    return try_indices(s, input, out) || try_blocks(s, input, out) ||
           try_strides(s, input, out) || try_exchanges(s, input, out);
}

static void find(const struct sample *s, struct comparison *out)
{
    const struct op *op = s->in->op;

    /* Nearly the formula, and not quite; or cells that are equal anyway, so
     * that it tells nothing where one holds another's value. */
    if (out->kind == CELL_ROUNDING ||
        op_family_row[s->in->problem->family].alike) {
        try_formulas(s, out);
        return;
    }
    if (try_places(s, -1, out))
        return;
    for (int i = 0; i < op->n_buffers; i++)
        if (op_is_read(op, i) &&
            (try_exchanged(s, i, out) || try_places(s, i, out))) {
            if (out->slip.kind == SLIP_UNUSED)
                try_beside_unused(s, out);
            return;
        }
    try_formulas(s, out);
}

/* The cells that are lost should be NaN. Are they so even with 1 in place of
 * each NaN that was given? Then infinities make them. */
static bool is_nan_of_infinities(const struct sample *s)
{
    const struct compare_input *in = s->in;
    const void *arrays[OP_MAX_BUFFERS];
    void *made[OP_MAX_BUFFERS] = {NULL};
    struct op_cell want = {0, 0, 0};
    size_t lost = 0;

    given_arrays(s, arrays);
    while (lost < in->n && !(isnan(in->want[lost].value) &&
                             !accepts(in, &in->want[lost], lost)))
        lost++;
    for (int b = 0; b < in->op->n_buffers; b++) {
        const struct op_buffer *of = buffer_of(s, b);
        size_t n = op_bytes(in->op, b, &in->problem->shape) /
                   type_row[of->type].bytes;

        if (!op_is_read(in->op, b) || !s->given[b])
            continue;
        arrays[b] = made[b] = check_alloc(n, type_row[of->type].bytes);
        memcpy(made[b], s->given[b], n * type_row[of->type].bytes);
        for (size_t e = 0; e < n; e++)
            if (isnan(type_get(of->type, made[b], e)))
                type_set(of->type, made[b], e, 1.0);
    }
    if (lost < in->n)
        in->op->reference(in->op, in->problem, in->buffer, arrays, lost, 1,
                          &want);
    for (int b = 0; b < OP_MAX_BUFFERS; b++)
        free(made[b]);
    return isnan(want.value);
}

void misplaced_find(const struct compare_input *in, void *const *given,
                    struct comparison *out)
{
    struct sample s = {.in = in, .given = given};

    if (in->op->flops(&in->problem->shape) > most_flops)
        return;
    take_sample(&s, out->wrong);
    for (int k = 0; k < s.n; k++)
        s.sampled[s.wrong[k]]++;
    if (in->given) {
        size_t bytes = op_bytes(in->op, in->buffer, &in->problem->shape);

        s.old = check_alloc(bytes, 1);
        memcpy(s.old, in->given, bytes);
    }
    out->tried = true;
    out->nan_of_infinities = out->n_first > 0 &&
                             isnan(out->cell[0].expected) &&
                             is_nan_of_infinities(&s);
    out->pieces = pieces_of(&s);
    find(&s, out);
    free(s.old);
}
