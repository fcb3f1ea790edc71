// SPDX-License-Identifier: MIT
/*
 * compare.h: what a kernel wrote, held against the reference.
 *
 *   compare_cells        counts wrong cells and says what kind of wrong
 *   compare_is_right     whether there is none
 *   compare_padding      whether all is as it was between the rows
 *   cell_name, cell_say  "y[b=0, h=3, t=36]"
 *   compare_where        "every wrong cell has t >= 32"
 *
 * A cell is right when op_accepts says so. Arrays are bytes, read through the
 * type of their buffer.
 */
#ifndef CHECK_COMPARE_H
#define CHECK_COMPARE_H

#include "check/base/text.h"
#include "op/op.h"

/* From the least telling to the most. */
enum cell_kind {
    CELL_RIGHT,
    CELL_ROUNDING,  /* close, but summed with too little care */
    CELL_LOGIC,     /* another number altogether */
    CELL_WHOLE,     /* without what is behind the point */
    CELL_MISPLACED, /* what an index that was mixed up leads to */
    CELL_STALE,     /* the bits of an earlier case's output */
    CELL_SHIFTED,   /* the value that belongs to a neighbour */
    CELL_PADDING,   /* no cell at all, but written */
    CELL_UNWRITTEN, /* still the poison, or what it held before */
    CELL_KINDS,
};

extern const char *const kind_names[CELL_KINDS];

struct wrong_cell {
    size_t at[OP_MAX_RANK]; /* its indices; in padding, the last is too large */
    size_t element;         /* of the array */
    double expected, got;
};

enum { FIRST_WRONG = 3 }; /* more would hide the first */

/* A slip of indices that explains wrong cells (misplaced.c). */
struct slip {
    enum { SLIP_ZERO,   /* index a is always 0 */
           SLIP_ORDER,  /* indices a and b are exchanged */
           SLIP_BLOCK,  /* cell i is taken for cell i % n */
           SLIP_INPUTS, /* inputs `input` and a are exchanged */
           SLIP_TWICE,  /* `input` is read where a is meant */
           SLIP_UNUSED, /* all of `input` counts as 0 */
           SLIP_STRIDE, /* rows lie n elements apart */
           SLIP_HALVES, /* of each 2 b along index a, halves change places */
           SLIP_QUARTERS, /* of each tile of 16 rows and 2 b columns, the
                           * quarters that are not on its diagonal do */
           SLIP_LANES,  /* lane % 8 and lane / 8 are taken for a lane's place
                         * in the tiles of a tensor core, which is lane / 4
                         * and lane % 4; a: of all arrays */
           SLIP_SWIZZLE, /* of each b pieces of 16 bytes of a row, each is
                          * taken for the one that its row's number makes of
                          * it; a: how (enum swizzled). input -1: of all
                          * inputs */
           SLIP_TURNED, /* in each tile of b x b elements, rows and columns
                         * are exchanged */
           SLIP_MATRICES, /* of each tile of 16 rows and 2 b columns, quarter
                           * i is read where a's bits 2 i and 2 i + 1 say:
                           * bit 0 is the half of the rows, bit 1 of the
                           * columns */
           SLIP_ADDRESSES, /* of such a tile, row lane % 16 and half lane / 16
                            * are read at row lane / 2 and half lane % 2 */
           SLIP_APART, /* of each n along index a, number i is taken for the
                        * one at i % b * (n / b) + i / b: neighbours for such
                        * that lie n / b apart */
           SLIP_FACTOR, /* of each n along index a, number i is taken for the
                         * one at i % b + i / b: a factor b is missing */
           SLIP_TAKEN,  /* index a is taken from the other, within tiles of n */
           SLIP_SCALAR, /* scalar a has the value `value` */
           SLIP_SCALARS, /* scalars a and b are exchanged */
           SLIP_FORMULA /* the operator's mistake number a; or as likely, if b
                         * is not 0, number b - 1 */
    } kind;
    int input;          /* whose indices; -1: the output's, or nobody's */
    int a, b;
    size_t n;
    double value;
};

/* What a piece's number is XORed with, for row r, where r % 8 is right. */
enum swizzled {
    SWIZZLED_NOT,     /* nothing */
    SWIZZLED_BY_4,    /* r % 4 */
    SWIZZLED_BY_2,    /* r % 2 */
    SWIZZLED_HALF,    /* r / 2 % 8 */
    SWIZZLED_HALF_4,  /* r / 2 % 4: the mode of 64 bytes */
    SWIZZLED_QUARTER, /* r / 4 % 2: the mode of 32 bytes */
    SWIZZLED_TURNS    /* r is added, modulo 8, instead */
};

struct compare_input {
    const struct op *op;
    const struct op_problem *problem;
    int buffer;
    size_t first, n;           /* cells [first, first + n) */
    const void *got;           /* the whole array */
    const void *given;         /* what it held before, or NULL */
    const struct op_cell *want; /* n cells */
    const void *earlier;       /* an earlier case's output, or NULL */
    const struct op_problem *earlier_problem;
    const struct op_cell *earlier_want; /* n cells, or NULL */
    bool earlier_alike;        /* its numbers are few and small, too */
};

struct comparison {
    enum cell_kind kind;       /* CELL_RIGHT: no wrong cell */
    int buffer;
    size_t cells, wrong, unwritten, nans;
    size_t zeros;              /* wrong ones that hold 0 */
    int n_first;
    struct wrong_cell cell[FIRST_WRONG];
    int shift_index, shift_by; /* CELL_SHIFTED: which index, +1 or -1 */
    struct slip slip;          /* CELL_MISPLACED: what was mixed up */
    bool tried;                /* slips were looked for */
    uint64_t fits, may_be;     /* of the operator's mistakes: those that explain
                                * the wrong cells, and those that nothing speaks
                                * against, a bit for each */
    bool nan_of_infinities;    /* the first should be NaN, and no input is */
    int pieces;                /* rows or planes among the wrong cells, at most
                                * 8 */
    size_t low[OP_MAX_RANK], high[OP_MAX_RANK]; /* over the wrong cells */
    size_t every, every_first, every_last; /* wrong are the cells that, modulo
                                * the first, are from the second to the third,
                                * along a row; 0: others as well */
    enum { SCALED_NOT, SCALED_ALL, SCALED_ROWS, SCALED_LANES, SCALED_INVERSE }
        scaled;
    double factor;             /* which all were multiplied by, or those of the
                                * first row */
    size_t lanes;              /* a power of 2, a bit of the last index: rows
                                * have two factors, for with and without it */
    double worst;              /* largest error over its tolerance; 0: no
                                * wrong cell's tolerance is above 0 */
};

void compare_cells(const struct compare_input *in, struct comparison *out);
/* Whether cells [first, first + n) are, of those at hand. */
bool compare_is_right(const struct compare_input *in, size_t first, size_t n);
/* Sets CELL_PADDING and the first such places; leaves `out` alone where no
 * padding was changed. */
void compare_padding(const struct compare_input *in, struct comparison *out);

void cell_name(struct text *text, const struct op *op, int buffer,
               const struct op_shape *shape, size_t index);
void cell_say(struct text *text, const struct op *op, int buffer,
              const size_t at[OP_MAX_RANK]);
/* Adds nothing where the wrong cells lie everywhere. Returns whether it
 * added. */
bool compare_where(struct text *text, const struct comparison *c,
                   const struct op *op, const struct op_shape *shape);

#endif
