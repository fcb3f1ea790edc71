// SPDX-License-Identifier: MIT
/*
 * data.c: host arrays of one case; see data.h.
 */
#include "data.h"

#include <stdlib.h>
#include <string.h>

void data_make(struct data *d, const struct op *op, const struct test_case *c)
{
    *d = (struct data){.op = op, .c = c};
    for (int i = 0; i < op->n_buffers; i++) {
        d->count[i] = op_count(op, i, &c->shape);
        d->values[i] = xalloc(d->count[i], sizeof(float));
        if (op->buffers[i].role != OP_INPUT)
            continue;
        d->n_inputs = i + 1;
        op->fill(i, c->family, c->seed, &c->shape, d->values[i]);
    }
}

void data_free(struct data *d)
{
    for (int i = 0; i < OP_MAX_BUFFERS; i++) {
        free(d->values[i]);
        free(d->want[i]);
    }
    *d = (struct data){0};
}

static bool same_shape(const struct data *a, const struct data *b)
{
    return b && b->c &&
           memcmp(&a->c->shape, &b->c->shape, sizeof a->c->shape) == 0;
}

void data_compare(struct data *d, const struct data *earlier,
                  struct comparison *out)
{
    const struct op *op = d->op;
    struct comparison one;

    *out = (struct comparison){0};
    for (int i = d->n_inputs; i < op->n_buffers; i++) {
        struct compare_input in = {
            .op = op,
            .shape = &d->c->shape,
            .buffer = i,

            .exact = d->c->family == OP_INTEGER,
            .alike = d->c->family == OP_INTEGER || d->c->family == OP_IMPULSE,
            .n = d->count[i],
            .got = d->values[i],
            .earlier = same_shape(d, earlier) ? earlier->values[i] : NULL};

        if (!d->want[i]) {
            d->want[i] = xalloc(d->count[i], sizeof(struct op_cell));
            op->reference(i, &d->c->shape, (const float *const *)d->values, 0,
                          d->count[i], d->want[i]);
        }
        in.want = d->want[i];
        compare_cells(&in, &one);
        if (i == d->n_inputs || one.kind > out->kind)
            *out = one;
    }
}
