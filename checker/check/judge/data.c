// SPDX-License-Identifier: MIT
/*
 * data.c: host arrays of one case; see data.h.
 */
#include "data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/base/supervise.h"
#include "check/run/fill.h"
#include "misplaced.h"
#include "pattern.h"

static void begin(struct data *d, const struct op *op,
                  const struct test_case *c)
{
    *d = (struct data){.op = op, .c = c};
    for (int i = 0; i < op->n_buffers; i++) {
        d->bytes[i] = op_bytes(op, i, &c->problem.shape);
        if (op_is_written(op, i))
            d->got[i] = check_alloc(d->bytes[i], 1);
    }
}

void data_make(struct data *d, const struct op *op, const struct test_case *c)
{
    begin(d, op, c);
    for (int i = 0; i < op->n_buffers; i++)
        if (op_is_read(op, i)) {
            d->given[i] = check_alloc(d->bytes[i], 1);
            fill_input(op, &c->problem, i, d->given[i]);
        }
}

void data_make_sealed(struct data *d, const struct op *op,
                      const struct test_case *c)
{
    struct inputs inputs;

    if (!inputs_make(&inputs, op, &c->problem)) {
        data_make(d, op, c);
        return;
    }
    begin(d, op, c);
    d->sealed = true;
    d->inputs = inputs;
    memcpy(d->given, inputs.given, sizeof d->given);
}

void data_free(struct data *d)
{
    if (d->sealed)
        inputs_free(&d->inputs);
    for (int i = 0; i < OP_MAX_BUFFERS; i++) {
        if (!d->sealed)
            free(d->given[i]);
        free(d->got[i]);
        free(d->want[i]);
    }
    *d = (struct data){0};
}

static bool same_shape(const struct data *a, const struct data *b)
{
    return b && b->c &&
           memcmp(&a->c->problem.shape, &b->c->problem.shape,
                  sizeof a->c->problem.shape) == 0;
}

/* A reference that breaks its contract is no learner's mistake. */
static void reference(const struct data *d, int buffer, size_t first,
                      size_t n, struct op_cell *want)
{
    const struct op_problem *problem = &d->c->problem;
    char words[80];

    snprintf(words, sizeof words, "operator %s in common/op, its reference",
             d->op->name);
    supervise_note(words);
    d->op->reference(d->op, problem, buffer, (const void *const *)d->given,
                     first, n, want);
    for (size_t i = 0; i < n; i++) {
        const char *defect = op_cell_defect(problem, &want[i]);

        if (defect)
            give_up("operator %s in common/op: %s (cell %zu of %s, case %d)",
                    d->op->name, defect, first + i,
                    d->op->buffers[buffer].name, d->c->number);
    }
}

static struct compare_input input_of(const struct data *d, int buffer)
{
    return (struct compare_input){.op = d->op, .problem = &d->c->problem,
                                  .buffer = buffer, .got = d->got[buffer],
                                  .given = d->given[buffer]};
}

void data_compare(struct data *d, const struct data *earlier,
                  struct comparison *out)
{
    struct comparison one;

    *out = (struct comparison){0};
    for (int i = 0; i < d->op->n_buffers; i++) {
        struct compare_input in = input_of(d, i);

        if (!d->got[i])
            continue;
        in.n = op_count(d->op, i, &d->c->problem.shape);
        if (!d->want[i]) {
            d->want[i] = check_alloc(in.n, sizeof(struct op_cell));
            reference(d, i, 0, in.n, d->want[i]);
        }
        in.want = d->want[i];
        if (same_shape(d, earlier)) {
            in.earlier = earlier->got[i];
            in.earlier_problem = &earlier->c->problem;
            in.earlier_want = earlier->want[i];
            in.earlier_alike =
                op_family_row[earlier->c->problem.family].alike;
        }
        compare_cells(&in, &one);
        if (one.kind == CELL_LOGIC || one.kind == CELL_ROUNDING)
            misplaced_find(&in, d->given, &one);
        pattern_find(&in, &one);
        if (one.kind == CELL_RIGHT)
            compare_padding(&in, &one);
        if (out->cells == 0 || one.kind > out->kind)
            *out = one;
    }
}

void data_window(const struct data *d, int buffer, size_t first, size_t n,
                 struct comparison *out)
{
    struct op_cell want[DATA_WINDOW];
    struct compare_input in = input_of(d, buffer);

    in.first = first;
    in.n = n;
    in.want = want;
    reference(d, buffer, first, n, want);
    compare_cells(&in, out);
}
