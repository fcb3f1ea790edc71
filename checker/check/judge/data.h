// SPDX-License-Identifier: MIT
/*
 * data.h: the arrays of one case on the host.
 *
 *   data_make, data_free   inputs filled from the case's seed, outputs empty
 *   data_make_sealed       the same; inputs in a file for several runners
 *   data_compare           outputs against the reference
 *   data_window            some cells of one output against it
 */
#ifndef CHECK_DATA_H
#define CHECK_DATA_H

#include "check/conf/cases.h"
#include "check/run/inputs.h"
#include "compare.h"

/* An in-and-out buffer has both arrays: what it held before the launch, and
 * what it held after it. */
struct data {
    const struct op *op;
    const struct test_case *c;
    size_t bytes[OP_MAX_BUFFERS];
    void *given[OP_MAX_BUFFERS];  /* NULL: not read */
    void *got[OP_MAX_BUFFERS];    /* NULL: not written */
    struct op_cell *want[OP_MAX_BUFFERS]; /* of outputs; made when needed */
    bool sealed;                  /* given lies in `inputs` */
    struct inputs inputs;
};

void data_make(struct data *data, const struct op *op,
               const struct test_case *c);
void data_make_sealed(struct data *data, const struct op *op,
                      const struct test_case *c);
void data_free(struct data *data);
/* The most telling comparison over the outputs. earlier: another case's data
 * of the same shape, or NULL. */
void data_compare(struct data *data, const struct data *earlier,
                  struct comparison *out);
/* Cells [first, first + n) of an output, n at most DATA_WINDOW. */
enum { DATA_WINDOW = 64 };
void data_window(const struct data *data, int buffer, size_t first, size_t n,
                 struct comparison *out);

#endif
