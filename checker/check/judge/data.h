// SPDX-License-Identifier: MIT
/*
 * data.h: the arrays of one case on the host.
 *
 *   data_make, data_free   inputs filled from the case's seed, outputs empty
 *   data_compare           outputs against the reference
 */
#ifndef CHECK_DATA_H
#define CHECK_DATA_H

#include "check/conf/cases.h"
#include "compare.h"

struct data {
    const struct op *op;
    const struct test_case *c;
    int n_inputs;                      /* outputs follow, to op->n_buffers */
    size_t count[OP_MAX_BUFFERS];      /* elements */
    float *values[OP_MAX_BUFFERS];
    struct op_cell *want[OP_MAX_BUFFERS]; /* of outputs; made when needed */
};

void data_make(struct data *data, const struct op *op,
               const struct test_case *c);
void data_free(struct data *data);
/* The most telling comparison over the outputs. earlier: another case's data
 * of the same shape, or NULL. */
void data_compare(struct data *data, const struct data *earlier,
                  struct comparison *out);

#endif
