// SPDX-License-Identifier: MIT
/*
 * compare.h: what a kernel wrote, held against the reference.
 *
 *   compare_cells        counts wrong cells and says what kind of wrong
 *   cell_name            "y[b=0, h=3, t=36]"
 *   compare_where        "every wrong cell has t >= 32"
 *
 * A cell is right when |got - expected| <= tolerance; whatever does not
 * satisfy that, NaN first of all, is wrong. Families of small integers must
 * come out exact.
 */
#ifndef CHECK_COMPARE_H
#define CHECK_COMPARE_H

#include "check/base/text.h"
#include "op/op.h"
#include "wire.h"

/* From the least telling to the most. */
enum cell_kind {
    CELL_RIGHT,
    CELL_ROUNDING,  /* close, but summed with too little care */
    CELL_LOGIC,     /* another number altogether */
    CELL_STALE,     /* the bits of an earlier case's output */
    CELL_SHIFTED,   /* the value that belongs to a neighbour */
    CELL_UNWRITTEN, /* still the poison */
    CELL_KINDS,
};

extern const char *const kind_names[CELL_KINDS];

/* Outputs before each launch: a NaN that no arithmetic makes. */
#define POISON_BITS (WIRE_POISON * 0x01010101u)

struct wrong_cell {
    size_t index;
    double expected;
    float got;
};

enum { FIRST_WRONG = 3 }; /* more would hide the first */

struct compare_input {
    const struct op *op;
    const struct op_shape *shape;
    int buffer;
    bool exact;                /* integers: no tolerance at all */
    bool alike;                /* many cells are equal anyway: no shift,
                                 and stale only in numbers */
    size_t first, n;           /* cells [first, first + n) */
    const float *got;          /* n cells */
    const struct op_cell *want;
    const float *earlier;      /* an earlier case's output, or NULL */
};

struct comparison {
    enum cell_kind kind;       /* CELL_RIGHT: no wrong cell */
    int buffer;
    size_t cells, wrong, unwritten, nans;
    int n_first;
    struct wrong_cell cell[FIRST_WRONG];
    int shift_index, shift_by; /* CELL_SHIFTED: which index, +1 or -1 */
    size_t low[OP_MAX_RANK], high[OP_MAX_RANK]; /* over the wrong cells */
    double worst;              /* largest error over its tolerance */
};

void compare_cells(const struct compare_input *in, struct comparison *out);

void cell_indices(const struct op *op, int buffer,
                  const struct op_shape *shape, size_t index,
                  size_t at[OP_MAX_RANK]);
void cell_name(struct text *text, const struct op *op, int buffer,
               const struct op_shape *shape, size_t index);
/* Adds nothing where the wrong cells lie everywhere. Returns whether it
 * added. */
bool compare_where(struct text *text, const struct comparison *c,
                   const struct op *op, const struct op_shape *shape);

#endif
