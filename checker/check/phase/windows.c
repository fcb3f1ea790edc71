// SPDX-License-Identifier: MIT
/*
 * windows.c: see windows.h.
 */
#include "windows.h"

#include <math.h>
#include <stdlib.h>

#include "check/base/crew.h"
#include "check/judge/wrong.h"

enum { WINDOWS_MOST = 128, SMALL_WINDOW = 4 };

/* Flops that check spends on references of timed cells. */
static const double reference_flops = 2e8;

/* Cells of one output, of which each window takes a core. */
struct windows {
    const struct data *data;
    int buffer, n;
    size_t cells; /* of each */
    size_t first[WINDOWS_MOST + 2];
    struct comparison found[WINDOWS_MOST + 2];
};

static void compare_window(void *context, size_t i)
{
    struct windows *w = context;

    data_window(w->data, w->buffer, w->first[i], w->cells, &w->found[i]);
}

/* At the two ends, and at random places. A small output is covered once: each
 * of its cells may be a sum over all inputs. */
static void place_windows(struct windows *w)
{
    const struct op *op = w->data->op;
    const struct op_problem *p = &w->data->c->problem;
    size_t count = op_count(op, w->buffer, &p->shape);
    double flops = op->flops(&p->shape) / (double)count * DATA_WINDOW;
    int n;

    w->n = 0;
    if (count <= (size_t)SMALL_WINDOW * WINDOWS_MOST) {
        w->cells = count < SMALL_WINDOW ? count : SMALL_WINDOW;
        for (size_t first = 0; first < count; first += w->cells)
            w->first[w->n++] = first + w->cells <= count ? first
                                                         : count - w->cells;
        return;
    }
    w->cells = DATA_WINDOW;
    w->first[w->n++] = 0;
    w->first[w->n++] = count - w->cells;
    n = (int)fmin(WINDOWS_MOST, fmax(2.0, reference_flops / flops));
    for (int i = 0; i < n; i++)
        w->first[w->n++] = seed_mix(p->seed, (uint64_t)i) %
                           (count - w->cells + 1);
}

/* What the windows' references have in common, of each row. */
struct sharing {
    const struct data *data;
    size_t rows;
    char *shared;
};

enum { ROWS_AT_ONCE = 32 };

static void share_rows(void *context, size_t i)
{
    const struct sharing *s = context;
    const struct op *op = s->data->op;
    size_t end = (i + 1) * ROWS_AT_ONCE;

    for (size_t row = i * ROWS_AT_ONCE; row < end && row < s->rows; row++)
        op->share(op, &s->data->c->problem,
                  (const void *const *)s->data->given, row,
                  s->shared + row * op->shared_bytes);
}

/* NULL: nothing. */
static void *share(const struct data *d)
{
    struct sharing s = {.data = d};

    if (!d->op->share)
        return NULL;
    s.rows = (size_t)d->c->problem.shape.dim[0];
    s.shared = check_alloc(s.rows, d->op->shared_bytes);
    crew_work((s.rows + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE, share_rows, &s);
    return s.shared;
}

void windows_compare(const struct data *data, struct run *run)
{
    struct windows *w = check_alloc(1, sizeof *w);
    struct test_case c = *data->c;
    void *shared = share(data);
    struct data known = *data, *d = &known;

    c.problem.shared = shared;
    known.c = &c;
    w->data = d;
    for (w->buffer = 0; w->buffer < d->op->n_buffers; w->buffer++) {
        if (!op_is_written(d->op, w->buffer))
            continue;
        place_windows(w);
        crew_work((size_t)w->n, compare_window, w);
        for (int i = 0; i < w->n; i++)
            wrong_keep(run, data->c, &w->found[i], true);
    }
    free(shared);
    free(w);
}
