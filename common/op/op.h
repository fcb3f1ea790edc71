// SPDX-License-Identifier: MIT
/*
 * op.h: what check and runner must know of an operator, as one table.
 *
 *   op_find    "dwconv_forward" -> its row, NULL if unknown
 *   op_list    all of them (the build collects op_family_* from common/op)
 *
 * An operator is a pair of files: NAME.h, the C interface that stages include,
 * and NAME.c, its reference, inputs, work and tolerance. Nothing else in the
 * workbook knows an operator by name.
 */
#ifndef WB_OP_H
#define WB_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

enum { OP_MAX_DIMS = 6, OP_MAX_BUFFERS = 8, OP_MAX_RANK = 4 };

/* The extents of one case; their meaning is op->dim_names. */
struct op_shape {
    int dim[OP_MAX_DIMS];
};

enum op_role { OP_INPUT, OP_OUTPUT };

struct op_buffer {
    const char *name;               /* "x", as in the stage's interface */
    enum op_role role;
    int rank;
    const char *index[OP_MAX_RANK]; /* "b", "h", "t": for messages */
    int extent[OP_MAX_RANK];        /* which dim each index runs over */
};

/* What inputs are drawn: each family catches another kind of mistake. */
enum op_family {
    OP_SIGNED,    /* uniform in [-1, 1) */
    OP_POSITIVE,  /* uniform in [0, 1): cancels nothing */
    OP_INTEGER,   /* small integers: every order of summation is exact */
    OP_IMPULSE,   /* few ones among zeros, at tile edges and ends */
    OP_FAMILIES,
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
    int n_buffers;                       /* inputs first, then outputs */
    struct op_buffer buffers[OP_MAX_BUFFERS];

    /* Why the shape is not one of this operator's, or NULL if it is. */
    const char *(*shape_error)(const struct op_shape *shape);
    /* Sizes that catch mistakes: 1, odd, prime, non-multiples, tile edges.
     * Small enough to check in well under a second each. */
    const struct op_shape *awkward;
    int n_awkward;

    /* Fills input number `buffer`; the same seed gives the same values. */
    void (*fill)(int buffer, enum op_family family, uint64_t seed,
                 const struct op_shape *shape, float *values);
    /* Cells [first, first + n) of output number `buffer`. */
    void (*reference)(int buffer, const struct op_shape *shape,
                      const float *const *inputs, size_t first, size_t n,
                      struct op_cell *cells);
    /* Compulsory bytes (each input once, each output once) and useful flops. */
    double (*bytes)(const struct op_shape *shape);
    double (*flops)(const struct op_shape *shape);

    /* Calls a stage. buffers[i] is device memory, in the order of `buffers`. */
    size_t (*query)(void *workspace_symbol, const struct op_shape *shape);
    cudaError_t (*launch)(void *launcher_symbol, void *const *buffers,
                          const struct op_shape *shape, void *workspace,
                          cudaStream_t stream);
};

struct op_family_table {
    const struct op *ops;
    int n_ops;
};

const struct op *op_find(const char *name);
int op_list(const struct op **list, int max);
/* Number of elements of a buffer for a shape. */
size_t op_count(const struct op *op, int buffer, const struct op_shape *shape);
/* "B64 H128 L48 K48"; parse also takes commas, equals signs and lower case.
 * Returns NULL on success, else what is wrong (a static string). */
void op_format_shape(const struct op *op, const struct op_shape *shape,
                     char *text, size_t size);
const char *op_parse_shape(const struct op *op, const char *text,
                           struct op_shape *shape);
/* c(n): n up to 64 terms, 8 + 2 log2 n above. u of fp32 is 2^-24. */
double op_tolerance(const struct op_cell *cell);

#endif
