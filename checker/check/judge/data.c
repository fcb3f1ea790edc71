// SPDX-License-Identifier: MIT
/*
 * data.c: host arrays of one case; see data.h.
 */
#include "data.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/base/crew.h"
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

/* Cells. Of a large output, whose cells each are little work, all cores make
 * the reference, and all look whether it is right; what is wrong with it, one
 * finds out. */
enum { LARGE = 1 << 20, PIECE = 1 << 17 };

struct pieces {
    const struct data *data;
    const struct compare_input *in;
    struct op_cell *want;
    atomic_bool wrong;
};

static size_t piece_of(const struct pieces *p, size_t i, size_t *first)
{
    size_t left = p->in->n - i * PIECE;

    *first = i * PIECE;
    return left < PIECE ? left : PIECE;
}

static void refer_piece(void *context, size_t i)
{
    const struct pieces *p = context;
    size_t first, n = piece_of(p, i, &first);

    reference(p->data, p->in->buffer, first, n, p->want + first);
}

static void look_at_piece(void *context, size_t i)
{
    struct pieces *p = context;
    size_t first, n = piece_of(p, i, &first);

    if (!p->wrong && !compare_is_right(p->in, first, n))
        p->wrong = true;
}

static void make_want(struct data *d, const struct compare_input *in)
{
    struct op_cell *want = check_alloc(in->n, sizeof *want);
    struct pieces p = {.data = d, .in = in, .want = want};

    if (in->n < LARGE)
        reference(d, in->buffer, 0, in->n, want);
    else
        crew_work((in->n + PIECE - 1) / PIECE, refer_piece, &p);
    d->want[in->buffer] = want;
}

static void compare(const struct data *d, const struct compare_input *in,
                    struct comparison *out)
{
    struct pieces p = {.data = d, .in = in};

    if (in->n >= LARGE)
        crew_work((in->n + PIECE - 1) / PIECE, look_at_piece, &p);
    if (in->n >= LARGE && !p.wrong)
        *out = (struct comparison){.buffer = in->buffer, .cells = in->n,
                                   .kind = CELL_RIGHT};
    else
        compare_cells(in, out);
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
        if (!d->want[i])
            make_want(d, &in);
        in.want = d->want[i];
        if (same_shape(d, earlier)) {
            in.earlier = earlier->got[i];
            in.earlier_problem = &earlier->c->problem;
            in.earlier_want = earlier->want[i];
            in.earlier_alike =
                op_family_row[earlier->c->problem.family].alike;
        }
        compare(d, &in, &one);
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
