// SPDX-License-Identifier: MIT
/*
 * regret.c: see regret.h.
 */
#include "sweep/regret.h"

#include <math.h>
#include <stdlib.h>

double regret_one(const struct sweep_table *table, int shape, int kernel)
{
    const double *ms = table->shapes[shape].ms;
    double best = INFINITY;

    for (int k = 0; k < table->n_kernels; k++)
        if (ms[k] < best)
            best = ms[k];
    if (kernel < 0 || kernel >= table->n_kernels || !(ms[kernel] > 0))
        return REGRET_OF_A_FAILURE;
    return ms[kernel] / best - 1;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The smallest value that at least this share does not exceed. */
static double at_share(const double *sorted, int n, double share)
{
    int i = (int)ceil(share * n) - 1;

    return sorted[i < 0 ? 0 : i];
}

struct regret regret_of(const struct sweep_table *table, enum sweep_set set,
                        const int *choice)
{
    struct regret r = {.worst_shape = -1};
    double *all = calloc((size_t)table->n_shapes + 1, sizeof *all);

    if (!all)
        abort();
    for (int i = 0; i < table->n_shapes; i++) {
        double one;

        if (table->shapes[i].set != set)
            continue;
        one = regret_one(table, i, choice[i]);
        if (r.worst_shape < 0 || one > r.worst) {
            r.worst = one;
            r.worst_shape = i;
        }
        r.mean += one;
        all[r.n++] = one;
    }
    if (r.n > 0) {
        qsort(all, (size_t)r.n, sizeof *all, ascending);
        r.mean /= r.n;
        r.p95 = at_share(all, r.n, 0.95);
        r.p99 = at_share(all, r.n, 0.99);
    }
    free(all);
    return r;
}

struct regret regret_always(const struct sweep_table *table,
                            enum sweep_set set, int *kernel)
{
    int *choice = calloc((size_t)table->n_shapes + 1, sizeof *choice);
    double least = INFINITY;
    struct regret r;

    if (!choice)
        abort();
    *kernel = 0;
    for (int k = 0; k < table->n_kernels; k++) {
        for (int i = 0; i < table->n_shapes; i++)
            choice[i] = k;
        r = regret_of(table, SWEEP_train, choice);
        if (r.mean < least) {
            least = r.mean;
            *kernel = k;
        }
    }
    for (int i = 0; i < table->n_shapes; i++)
        choice[i] = *kernel;
    r = regret_of(table, set, choice);
    free(choice);
    return r;
}
