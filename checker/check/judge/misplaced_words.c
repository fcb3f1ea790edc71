// SPDX-License-Identifier: MIT
/*
 * misplaced_words.c: what a slip is called, and where to look; see misplaced.h.
 */
#include "misplaced.h"

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

/* Of the four matrices of a load those that are others. */
static void say_matrices(struct text *t, const struct op_buffer *b,
                         const struct slip *slip)
{
    static const char *const quarters[] = {"upper left", "lower left",
                                           "upper right", "lower right"};
    const char *between = "";

    text_add(t, "misplaced: as if in each tile of 16 x %d elements of %s other "
             "quarters\n  were read: ", 2 * slip->b, b->name);
    for (int i = 0; i < 4; i++) {
        int read = slip->a >> (2 * i) & 3;

        if (read == i)
            continue;
        text_add(t, "%s%s in the place of %s", between, quarters[read],
                 quarters[i]);
        between = ",\n  ";
    }
    text_add(t, "\n");
}

static void say_swizzle(struct text *t, const struct op_buffer *b,
                        const struct slip *slip)
{
    static const char *const by[] = {
        [SWIZZLED_BY_4] = "piece c at c ^ row % 4",
        [SWIZZLED_BY_2] = "piece c at c ^ row % 2",
        [SWIZZLED_HALF] = "piece c at c ^ row / 2 % 8",
        [SWIZZLED_HALF_4] = "piece c at c ^ row / 2 % 4",
        [SWIZZLED_QUARTER] = "piece c at c ^ row / 4 % 2",
        [SWIZZLED_TURNS] = "piece c at (c + row) % 8",
    };

    const char *of = slip->input < 0 ? "all inputs" : b->name;

    if (slip->a == SWIZZLED_NOT)
        text_add(t, "misplaced: as if rows of %s were written with a swizzle, "
                 "and read\n  without, or the other way round: of "
                 "each %d pieces of 16 bytes\n", of, slip->b);
    else
        text_add(t, "misplaced: as if rows of %s were written by one swizzle, "
                 "and read\n  by another: %s, and at c ^ row %% 8\n",
                 of, by[slip->a]);
}

/* How lanes feed a tensor core, or take its sums. */
static void say_feeding(struct text *t, const struct op_buffer *b,
                        const struct slip *slip)
{
    bool input = slip->input >= 0;

    if (slip->kind == SLIP_SWIZZLE)
        say_swizzle(t, b, slip);
    else if (slip->kind == SLIP_TURNED)
        text_add(t, input ? "misplaced: as if in each tile of %d x %d elements "
                            "of %s rows and columns\n  were exchanged\n"
                          : "misplaced: in each tile of %d x %d cells of %s "
                            "rows and columns are\n  exchanged\n", slip->b,
                 slip->b, b->name);
    else if (slip->kind == SLIP_MATRICES)
        say_matrices(t, b, slip);
    else if (slip->kind == SLIP_ADDRESSES)
        text_add(t, "misplaced: as if lane / 2 and lane %% 2 were the row and "
                 "the half of a tile\n  of 16 x %d elements of %s that a lane "
                 "names: they are lane %% 16\n  and lane / 16\n",
                 2 * slip->b, b->name);
    else if (slip->kind == SLIP_FACTOR)
        text_add(t, "misplaced: as if a factor %d were missing in an index "
                 "along %s: of each\n  %zu cells of %s, number i holds what "
                 "belongs to i %% %d + i / %d\n", slip->b, b->index[slip->a],
                 slip->n, b->name, slip->b, slip->b);
    else
        text_add(t, "misplaced: of each %zu cells of %s along %s, neighbours "
                 "hold what belongs\n  to cells %zu apart\n", slip->n, b->name,
                 b->index[slip->a], slip->n / (size_t)slip->b);
}

void misplaced_say(struct text *t, const struct comparison *c,
                   const struct op *op)
{
    const struct slip *slip = &c->slip;
    bool input = slip->input >= 0;
    const struct op_buffer *b = &op->buffers[input ? slip->input : c->buffer];

    if (slip->kind == SLIP_FORMULA)
        text_add(t, slip->b ? "formula: as if %s,\n  or as if %s\n"
                            : "formula: as if %s\n",
                 op->mistakes[slip->a].as_if,
                 slip->b ? op->mistakes[slip->b - 1].as_if : "");
    else if (slip->kind == SLIP_SCALAR)
        text_add(t, "formula: as if %s were %.3g\n", op->scalars[slip->a].name,
                 slip->value);
    else if (slip->kind == SLIP_SCALARS)
        text_add(t, "formula: as if %s and %s were exchanged\n",
                 op->scalars[slip->a].name, op->scalars[slip->b].name);
    else if (slip->kind == SLIP_INPUTS)
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
    } else if (slip->kind == SLIP_STRIDE)
        text_add(t, input ? "misplaced: as if the rows of %s were read %zu "
                            "elements apart\n"
                          : "misplaced: as if the rows of %s were stored %zu "
                            "elements apart\n", b->name, slip->n);
    else if (slip->kind == SLIP_HALVES)
        text_add(t, input ? "misplaced: as if of each %d elements of %s along "
                            "%s the halves were exchanged\n"
                          : "misplaced: of each %d cells of %s along %s the "
                            "halves are exchanged\n", 2 * slip->b, b->name,
                 b->index[slip->a]);
    else if (slip->kind == SLIP_QUARTERS)
        text_add(t, input ? "misplaced: as if in each tile of 16 x %d elements "
                            "of %s two quarters\n  were exchanged: right "
                            "above, and left below\n"
                          : "misplaced: in each tile of 16 x %d cells of %s "
                            "two quarters are exchanged:\n  right above, and "
                            "left below\n", 2 * slip->b, b->name);
    else if (slip->kind == SLIP_LANES)
        text_add(t, "misplaced: as if lane %% 8 and lane / 8 were a lane's "
                 "place in the tiles of\n  %s: it is lane / 4 and lane %% 4\n",
                 slip->a ? "all arrays" : b->name);
    else if (slip->kind >= SLIP_SWIZZLE && slip->kind <= SLIP_FACTOR)
        say_feeding(t, b, slip);
    else if (slip->kind == SLIP_TAKEN)
        text_add(t, "misplaced: as if in tiles of %s %s were taken from %s: "
                 "the elements read\n  are those where both are equal\n",
                 b->name, b->index[slip->a], b->index[1 - slip->a]);
    else if (slip->kind == SLIP_ZERO)
        text_add(t, input ? "misplaced: as if %s were always read at %s = 0\n"
                          : "misplaced: each cell of %s holds what belongs to "
                            "%s = 0\n", b->name, b->index[slip->a]);
    else
        text_add(t, input ? "misplaced: as if %s had only its first %zu "
                            "elements, again and again\n"
                          : "misplaced: %s holds its first %zu cells again and "
                            "again\n", b->name, slip->n);
}

/* With 0 or 1 a term of the formula, or a factor, is the same as none. */
static const char *scalar_advice(const struct slip *slip)
{
    return slip->value == 0.0 || slip->value == 1.0
               ? "Is it missing from the formula, or does a constant stand in "
                 "its place? Cases hand over different values."
               : "A constant of yours stands in its place: take the argument. "
                 "Cases hand over different values.";
}

const char *misplaced_or(const struct comparison *c, const struct op *op)
{
    return c->kind == CELL_MISPLACED && c->slip.kind == SLIP_FORMULA &&
                   c->slip.b
               ? op->mistakes[c->slip.b - 1].advice
               : NULL;
}

const char *misplaced_advice(const struct comparison *c, const struct op *op)
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
        [SLIP_SCALARS] = "Compare the order of the arguments in the launch "
                         "with the kernel's parameters, and which of the two "
                         "the formula multiplies by what.",
        [SLIP_TWICE] = "Look for the one name where the other is meant.",
        [SLIP_UNUSED] = "Is a term of the formula left out, or one of its "
                        "factors?",
        [SLIP_HALVES] = "Two registers of a fragment, or two components of a "
                        "vector, have changed places: which element does each "
                        "of them hold?",
        [SLIP_QUARTERS] = "Two registers of a fragment have changed places. "
                          "Which row and which k does each hold? Compare them "
                          "with the lesson's table. By ldmatrix they come in "
                          "the order in which lanes 0, 8, 16 and 24 name their "
                          "matrices.",
        [SLIP_LANES] = "Compare the two with the lesson's table, wherever an "
                       "index has one of them.",
        [SLIP_SWIZZLE] = "Whoever copies a piece and whoever reads it have to "
                         "agree: do both work out its place by the same "
                         "function, of the same row and piece? Where rows "
                         "have 128 bytes, wgmma and the copy engine go by "
                         "piece ^ row % 8.",
        [SLIP_TURNED] = "Which of a tile's two indices stands first where it "
                        "is filled, and which where it is read?",
        [SLIP_MATRICES] = "ldmatrix takes the rows of its first matrix from "
                          "lanes 0 to 7, those of the second from lanes 8 to "
                          "15, and so on. Which matrix does the instruction "
                          "want first, and which row and which 16 bytes do "
                          "lanes 0, 8, 16 and 24 of yours name?",
        [SLIP_ADDRESSES] = "ldmatrix takes the rows of its first matrix from "
                           "lanes 0 to 7, those of the second from lanes 8 to "
                           "15, and so on: work out what lanes 0, 1, 8 and 16 "
                           "of yours name.",
        [SLIP_APART] = "A thread's rows, or columns, are neighbours in one "
                       "place of the kernel, and lie apart in another: compare "
                       "the index by which it reads what it needs with the one "
                       "by which it stores its sums.",
        [SLIP_FACTOR] = "A thread has several rows, or columns. Where it reads "
                        "what they need, by what is the number of each "
                        "multiplied, and by what where the sums are stored?",
        [SLIP_TAKEN] = "Two indices of one element are made from the same "
                       "part of the thread's: is .x there where .y is meant, "
                       "or one name where the other is?",
        [SLIP_STRIDE] = "By what do you multiply the row's number? Rows lie a "
                        "leading dimension apart where they have one, and "
                        "otherwise as far as a row has elements.",
    };

    if (c->slip.kind == SLIP_TURNED && c->slip.b == 8 &&
        op->pipe >= PIPE_FP64_TENSOR)
        return "A lane that loads matrices gets two neighbours of a row or, "
               "transposed (.trans), of a column: which of the two does the "
               "instruction want there? And which of a tile's two indices "
               "stands first where it is filled, and which where it is read?";
    if (c->slip.kind == SLIP_TURNED && c->slip.b == 2)
        return "Two of four values of a lane have changed places: the second "
               "and the third. Which row and which column of the matrix does "
               "each of them belong to?";
    if (c->slip.kind == SLIP_QUARTERS && c->slip.input < 0)
        return "Two of a lane's four sums have changed places. The first two "
               "are neighbours of a row, and the last two lie 8 rows below: "
               "which of them is stored where?";
    if (c->slip.kind == SLIP_FORMULA)
        return op->mistakes[c->slip.a].advice;
    if (c->slip.kind == SLIP_SCALAR)
        return scalar_advice(&c->slip);
    return advice[c->slip.kind];
}
