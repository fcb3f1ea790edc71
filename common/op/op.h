// SPDX-License-Identifier: MIT
/*
 * op.h: what check and runner must know of an operator, as one table.
 *
 *   op_find, op_list            its row by name, or all rows
 *   op_defect                   what a row lacks (complete.c)
 *   op_count, op_bytes, op_bytes_once   cells of a buffer, and bytes
 *   op_row_stride, op_offset, op_cell_at   where a cell lies (layout.c)
 *   op_format_shape, op_parse_shape, op_shape_error   shapes as text (shape.c)
 *   op_draw, op_timed, op_fill, op_fill_some  inputs of a problem (inputs.c)
 *   op_tolerance, op_accepts    how exact a result must be (accept.c)
 *   op_cell_defect              what a reference must not say
 *
 * An operator is a pair of files: NAME.h, the C interface that stages include,
 * and NAME.c, its reference, inputs, work and precision. Nothing else in the
 * workbook knows an operator by name.
 *
 * Arrays are bytes. A buffer's row says of which type its elements are (type.h)
 * and how they lie in memory; all other code reads and writes elements as
 * doubles through that row. What an operator's functions below call a cell
 * is a number that counts the elements in row-major order, without padding.
 */
#ifndef WB_OP_H
#define WB_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

#include "op/pipe.h"
#include "op/type.h"

enum { OP_PAST_END = 4095, /* that an int can count past an extent */
       OP_MAX_DIMS = 6, OP_MAX_BUFFERS = 8, OP_MAX_RANK = 4,
       OP_MAX_SCALARS = 4 };

/* The extents of one case; their meaning is op->dim_names. ld[i] is the leading
 * dimension of buffer i: elements from one row to the next. 0: no padding. */
struct op_shape {
    int dim[OP_MAX_DIMS];
    int ld[OP_MAX_BUFFERS];
};

/* An OP_INOUT buffer holds an input before each launch and a result after it;
 * the reference is given the former. */
enum op_role { OP_INPUT, OP_OUTPUT, OP_INOUT };

struct op_buffer {
    const char *name;               /* "x", as in the stage's interface */
    enum op_role role;
    int rank;
    const char *index[OP_MAX_RANK]; /* "b", "h", "t": for messages */
    int extent[OP_MAX_RANK];        /* which dim each index runs over */
    enum type type;
    bool strided;                   /* its rows may be padded: ld */
};

struct op_scalar {
    const char *name;  /* "alpha" */
    enum type type;
    double timed;      /* its value when the stage is timed */
    double low, high;  /* drawn from [low, high); 0 and 1 often, and small ones
                          in OP_POSITIVE, if in it */
};

/* What inputs are drawn: each family catches another kind of mistake. */
enum op_family {
    OP_SIGNED,    /* uniform in [-1, 1) */
    OP_POSITIVE,  /* uniform in [0, 1): cancels nothing */
    OP_INTEGER,   /* small integers: every order of summation is exact */
    OP_IMPULSE,   /* few ones among zeros, at tile edges and ends */
    OP_WIDE,      /* signed, with magnitudes over decades */
    OP_SPECIAL,   /* signed, some of them NaN or infinite */
    OP_FAMILIES,
};

struct op_family_row {
    const char *name;  /* "signed" */
    bool exact;        /* sums are exact as long as the types hold them */
    bool alike;        /* many cells are equal anyway */
};
extern const struct op_family_row op_family_row[OP_FAMILIES];

struct op;
/* What the operator calls a family: "positive". */
const char *op_family_name(const struct op *op, enum op_family family);

/* One problem: all that its inputs and its results follow from. */
struct op_problem {
    struct op_shape shape;
    enum op_family family;
    uint64_t seed;
    double scalar[OP_MAX_SCALARS];
    int mistake; /* 0: none; else the reference makes op->mistakes[it - 1] */
    const void *shared; /* of each row what op->share says; NULL: not known */
};

/* What a kernel does whose formula is not quite the operator's. */
struct op_mistake {
    const char *as_if; /* "eps were added to the root": for messages */
    const char *advice; /* a question */
};

/* How a sum is accumulated, which is where most of the error comes from. */
enum op_sum {
    OP_SUM_UNSAID, /* no operator's */
    OP_SUM_FP32,
    OP_SUM_FP32_TENSOR, /* tensor cores cut off what they do not keep */
    OP_SUM_FP64,
    OP_SUM_INT32,
};

/* From it, the types of the buffers and the terms follows the tolerance; see
 * op_tolerance. */
struct op_precision {
    enum op_sum sum;
    bool serial;          /* one running sum over all terms is good enough */
    int tf32_factors;     /* per term, how many a kernel may round to tf32 */
};

/* One cell of an output, in double precision. */
struct op_cell {
    double value;
    double magnitude; /* sum of |terms|: what rounding is measured against */
    long terms;       /* n of the tolerance c(n) u sum|terms| */
};

struct op {
    const char *name;                    /* "dwconv_forward" */
    const char *launcher;                /* exported symbol of a stage */
    const char *workspace;               /* exported query, or NULL */
    const char *signature;               /* shown when the symbol is missing */
    int n_dims;
    const char *dim_names[OP_MAX_DIMS];  /* "B", "H", "L", "K" */
    int n_buffers;                       /* in the order of the launcher's */
    struct op_buffer buffers[OP_MAX_BUFFERS];
    int n_scalars;
    struct op_scalar scalars[OP_MAX_SCALARS];
    struct op_precision precision;
    enum pipe pipe;                      /* whose ceiling its flops have */

    /* Why the shape is not one of this operator's, or NULL if it is. Call
     * op_shape_error, which looks at leading dimensions too. */
    const char *(*shape_error)(const struct op_shape *shape);
    /* Sizes that catch mistakes: 1, odd, prime, non-multiples, tile edges.
     * Small enough to check in well under a second each. */
    const struct op_shape *awkward;
    int n_awkward;
    /* A size with more rows than a grid counts along y and z, in which else
     * little is to be done; launched, but not computed. No extents: none. */
    struct op_shape tall;
    /* The families that make sense for it. */
    const enum op_family *families;
    int n_families;
    /* What it calls OP_POSITIVE, if it draws something else; or NULL. */
    const char *positive;

    /* The scalars of a problem whose shape, family and seed are set, where the
     * ranges of op_scalar do not say it all; or NULL. */
    void (*draw)(const struct op_problem *problem, double *scalar);
    /* A cell of an input, before it is rounded to the buffer's type; the same
     * problem gives the same value. */
    double (*value)(const struct op_problem *problem, int buffer, size_t cell);
    /* Cells [first, first + n) of output number `buffer`. arrays[i] is what
     * buffer i held before the launch, as it lies in memory; NULL: nothing. */
    void (*reference)(const struct op *op, const struct op_problem *problem,
                      int buffer, const void *const *arrays, size_t first,
                      size_t n, struct op_cell *cells);
    /* What the cells of row `row`, of the first extent, have in common, in
     * shared_bytes; or NULL. A reference makes the same cells with and without
     * the problem's `shared`: whoever asks for a few cells of a sum over all
     * rows, again and again, saves going through all columns each time. */
    void (*share)(const struct op *op, const struct op_problem *problem,
                  const void *const *arrays, size_t row, void *shared);
    size_t shared_bytes;
    /* Mistakes in the formula that beginners make, which the reference makes as
     * well if its problem asks for one: so check recognises them. Cells of
     * which nobody can say what comes of it then get a magnitude that is not
     * finite. */
    const struct op_mistake *mistakes;
    int n_mistakes;
    /* Bytes that must move when it is timed (often op_bytes_once), and useful
     * flops. */
    double (*bytes)(const struct op *op, const struct op_shape *shape);
    double (*flops)(const struct op_shape *shape);

    /* Calls a stage. buffers[i] is device memory, in the order of `buffers`;
     * of the problem, shape and scalars are set. */
    size_t (*query)(void *workspace_symbol, const struct op_shape *shape);
    cudaError_t (*launch)(void *launcher_symbol, void *const *buffers,
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream);
};

struct op_family_table {
    const struct op *ops;
    int n_ops;
};

const struct op *op_find(const char *name);
/* Returns how many there are; fills at most max. */
int op_list(const struct op **list, int max);
/* What is missing or impossible in a row, as words that follow its name ("it
 * lacks .reference"); NULL if nothing is. Ask before you call the functions of
 * an operator that was found by name. */
const char *op_defect(const struct op *op);

static inline bool op_is_read(const struct op *op, int buffer)
{
    return op->buffers[buffer].role != OP_OUTPUT;
}

static inline bool op_is_written(const struct op *op, int buffer)
{
    return op->buffers[buffer].role != OP_INPUT;
}

/* Cells of a buffer, and the bytes that hold them, with the padding between
 * rows (none follows the last row). */
size_t op_count(const struct op *op, int buffer, const struct op_shape *shape);
size_t op_bytes(const struct op *op, int buffer, const struct op_shape *shape);
/* Of the cells of all buffers, without padding. Each counts once, even one that
 * is read and written. */
double op_bytes_once(const struct op *op, const struct op_shape *shape);
/* Elements from one row to the next; a row runs along the last index. */
size_t op_row_stride(const struct op *op, int buffer,
                     const struct op_shape *shape);
/* The element that holds a cell, and the other way round; false: padding. */
size_t op_offset(const struct op *op, int buffer, const struct op_shape *shape,
                 size_t cell);
bool op_cell_at(const struct op *op, int buffer, const struct op_shape *shape,
                size_t element, size_t *cell);

/* NULL if the shape is one of this operator's, else what is wrong. */
const char *op_shape_error(const struct op *op, const struct op_shape *shape);
/* "B64 H128 L48 K48", and "M8 N8 K8 ldA12" where rows are padded; parse also
 * takes commas, equals signs and lower case. Returns NULL on success, else
 * what is wrong (a static string). */
void op_format_shape(const struct op *op, const struct op_shape *shape,
                     char *text, size_t size);
const char *op_parse_shape(const struct op *op, const char *text,
                           struct op_shape *shape);

/* The problem of a shape, family and seed, its scalars drawn from the seed. */
struct op_problem op_draw(const struct op *op, const struct op_shape *shape,
                          enum op_family family, uint64_t seed);
/* The problem that is timed: signed inputs, scalars as the operator says. */
struct op_problem op_timed(const struct op *op, const struct op_shape *shape,
                           uint64_t seed);
/* Fills all op_bytes of an array: cells of an input with their values, padding
 * and outputs with poison. */
void op_fill(const struct op *op, const struct op_problem *problem, int buffer,
             void *array);
/* The cells [first, first + n) of an input, and nothing else: for threads that
 * share the work. */
void op_fill_some(const struct op *op, const struct op_problem *problem,
                  int buffer, void *array, size_t first, size_t n);

/* The error that a right kernel may make in a cell. With n terms,
 *
 *   c(n) u_sum sum|terms| + (rounding of the factors) + u_out |value|,
 *
 * where c is n + 2 for up to 64 terms (a product's own rounding and the last
 * store) and wherever the operator allows a serial sum (the textbook bound),
 * and 10 + 2 log2 n above, so that a kernel must sum with some care. The last
 * part counts where the output's type is coarser than the sum's, also for a
 * cell without terms, which is a copy. Exact families have no error but that
 * one, and none at all where the type holds the value. A sum in fp64 has the
 * reference's own error on top, n + 2 again: it sums in double, too. */
double op_tolerance(const struct op *op, const struct op_problem *problem,
                    int buffer, const struct op_cell *cell);
/* Whether an element with these bits is right: within the tolerance; NaN where
 * the reference is NaN; the same infinity where it is infinite, or where the
 * tolerance reaches beyond the type's largest value. There a type that has no
 * infinity may hold NaN or its largest value, and e5m2, to which the GPU's
 * conversions saturate, its largest as well. Poison never is right, unless it
 * is an integer's right result. */
bool op_accepts(const struct op *op, const struct op_problem *problem,
                int buffer, const struct op_cell *cell, uint64_t bits);
/* What is wrong with a cell that a reference has computed, as words that follow
 * the operator's name; NULL if nothing is. With an endless magnitude every
 * result would be right; with a NaN, or negative terms, none. */
const char *op_cell_defect(const struct op_problem *problem,
                           const struct op_cell *cell);

#endif
