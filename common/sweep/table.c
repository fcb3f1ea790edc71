// SPDX-License-Identifier: MIT
/*
 * table.c: the rows of a sweep as a line per shape; see sweep.h.
 *
 *   sweep_table, sweep_peers
 *   sweep_draws, sweep_redraw, sweep_draws_free
 */
#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/uniform.h"

static bool same_shape(const int *a, const int *b)
{
    return memcmp(a, b, SWEEP_DIMS * sizeof *a) == 0;
}

/* Rows come in turns: the kernel after the last one is tried first. */
static int kernel_of(struct sweep_table *t, const char *name, int last)
{
    if (last + 1 < t->n_kernels && strcmp(t->kernel[last + 1], name) == 0)
        return last + 1;
    for (int i = 0; i < t->n_kernels; i++)
        if (strcmp(t->kernel[i], name) == 0)
            return i;
    if (t->n_kernels == SWEEP_KERNELS)
        return -1;
    snprintf(t->kernel[t->n_kernels], SWEEP_NAME, "%s", name);
    return t->n_kernels++;
}

static bool is_shape_of(const struct sweep_shape *s,
                        const struct sweep_row *row)
{
    return s->set == row->set && same_shape(s->dim, row->dim);
}

/* Rows of a shape stand together, but for those that a later run added: these
 * are in the same order again. So the last row's shape is tried first, then the
 * next one. */
static int shape_of(struct sweep_table *t, const struct sweep_row *row,
                    int last)
{
    struct sweep_shape *s;

    for (int i = last; i >= 0 && i < t->n_shapes && i <= last + 1; i++)
        if (is_shape_of(&t->shapes[i], row))
            return i;
    for (int i = t->n_shapes - 1; i >= 0; i--)
        if (is_shape_of(&t->shapes[i], row))
            return i;
    s = &t->shapes[t->n_shapes];
    s->set = row->set;
    memcpy(s->dim, row->dim, sizeof s->dim);
    for (int k = 0; k < SWEEP_KERNELS; k++)
        s->ms[k] = NAN;
    return t->n_shapes++;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void *array_of(size_t n, size_t bytes)
{
    void *array = calloc(n + 1, bytes);

    if (!array)
        abort();
    return array;
}

/* The median of what a kernel took at a shape; NAN: a row is not ok. With a
 * state, of as many repeats that are drawn from these. */
static double median_of(const struct sweep_draws *d, int at, uint64_t *state)
{
    enum { REPEATS = 64 };
    const struct sweep_row *rows = d->sweep->rows;
    double ms[REPEATS], drawn[REPEATS];
    int n = 0;

    for (int i = at; i >= 0; i = d->next[i]) {
        if (rows[i].outcome != SWEEP_ok)
            return NAN;
        if (n < REPEATS)
            ms[n++] = rows[i].ms;
    }
    for (int i = 0; state && i < n; i++)
        drawn[i] = ms[(int)(uniform_next(state) * n)];
    if (state)
        memcpy(ms, drawn, sizeof drawn);
    qsort(ms, (size_t)n, sizeof *ms, ascending);
    return n % 2 ? ms[n / 2] : 0.5 * (ms[n / 2 - 1] + ms[n / 2]);
}

/* Every kernel has a first row there, and one of them at least a time. */
static bool fill_shape(const struct sweep_draws *d, int shape)
{
    struct sweep_shape *s = &d->table.shapes[shape];
    bool any = false, all = true;

    for (int k = 0; k < d->table.n_kernels; k++) {
        bool has = false;

        for (int i = d->first[shape][k]; i >= 0; i = d->next[i])
            has |= d->sweep->rows[i].repeat == 0;
        all &= has;
        if (has)
            s->ms[k] = median_of(d, d->first[shape][k], NULL);
        any |= s->ms[k] > 0;
    }
    return any && all;
}

static bool is_peer(const struct sweep_row *row)
{
    return strncmp(row->kernel, SWEEP_PEER, sizeof SWEEP_PEER - 1) == 0;
}

static void link_rows(struct sweep_draws *d, bool peers)
{
    struct sweep_table *t = &d->table;
    int kernel = -1, shape = -1;

    for (int i = 0; i < d->sweep->n_rows; i++) {
        const struct sweep_row *row = &d->sweep->rows[i];
        int before = t->n_shapes;

        if (is_peer(row) != peers)
            continue;
        kernel = kernel_of(t, row->kernel, kernel);
        if (kernel < 0)
            continue;
        shape = shape_of(t, row, shape);
        for (int k = 0; t->n_shapes > before && k < SWEEP_KERNELS; k++)
            d->first[shape][k] = -1;
        d->next[i] = d->first[shape][kernel];
        d->first[shape][kernel] = i;
    }
}

static struct sweep_draws draws_of(const struct sweep *sweep, bool peers)
{
    struct sweep_draws d = {.sweep = sweep, .table.n_dims = sweep->n_dims};
    size_t n = (size_t)sweep->n_rows;
    int kept = 0;

    d.first = array_of(n, sizeof *d.first);
    d.next = array_of(n, sizeof *d.next);
    d.table.shapes = array_of(n, sizeof *d.table.shapes);
    link_rows(&d, peers);
    for (int i = 0; i < d.table.n_shapes; i++)
        if (fill_shape(&d, i)) {
            memcpy(d.first[kept], d.first[i], sizeof *d.first);
            d.table.shapes[kept++] = d.table.shapes[i];
        }
    d.table.n_shapes = kept;
    return d;
}

static struct sweep_table table_of(const struct sweep *sweep, bool peers)
{
    struct sweep_draws d = draws_of(sweep, peers);

    free(d.first);
    free(d.next);
    return d.table;
}

struct sweep_table sweep_table(const struct sweep *sweep)
{
    return table_of(sweep, false);
}

struct sweep_table sweep_peers(const struct sweep *sweep)
{
    return table_of(sweep, true);
}

struct sweep_draws sweep_draws(const struct sweep *sweep)
{
    return draws_of(sweep, false);
}

void sweep_redraw(struct sweep_draws *d, enum sweep_set set, uint64_t *state)
{
    for (int i = 0; i < d->table.n_shapes; i++)
        for (int k = 0; k < d->table.n_kernels; k++)
            if (d->table.shapes[i].set == set)
                d->table.shapes[i].ms[k] =
                    median_of(d, d->first[i][k], state);
}

void sweep_draws_free(struct sweep_draws *d)
{
    free(d->first);
    free(d->next);
    free(d->table.shapes);
}
