// SPDX-License-Identifier: MIT
/*
 * drift.c: see drift.h.
 */
#include "sweep/drift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int shape_in(const struct sweep_table *table, const int *dim)
{
    for (int i = 0; i < table->n_shapes; i++)
        if (memcmp(table->shapes[i].dim, dim, sizeof table->shapes[i].dim) ==
            0)
            return i;
    return -1;
}

static int kernel_in(const struct sweep_table *table, const char *name)
{
    for (int k = 0; k < table->n_kernels; k++)
        if (strcmp(table->kernel[k], name) == 0)
            return k;
    return -1;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    if (n == 0)
        return NAN;
    qsort(values, (size_t)n, sizeof *values, ascending);
    return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

/* New over old, of one kernel of the old table, or of all (-1). */
static double moved(const struct sweep_table *old,
                    const struct sweep_table *now, int kernel)
{
    size_t most = (size_t)old->n_shapes * SWEEP_KERNELS;
    double *ratio = calloc(most + 1, sizeof *ratio), result;
    int n = 0;

    if (!ratio)
        abort();
    for (int i = 0; i < old->n_shapes; i++) {
        int at = shape_in(now, old->shapes[i].dim);

        for (int k = 0; at >= 0 && k < old->n_kernels; k++) {
            int other = kernel_in(now, old->kernel[k]);
            double r = other < 0 ? NAN
                                 : now->shapes[at].ms[other] /
                                       old->shapes[i].ms[k];

            if ((kernel < 0 || k == kernel) && r > 0)
                ratio[n++] = r;
        }
    }
    result = median(ratio, n);
    free(ratio);
    return result;
}

static int fastest(const struct sweep_shape *s, int n_kernels)
{
    int best = -1;

    for (int k = 0; k < n_kernels; k++)
        if (s->ms[k] > 0 && (best < 0 || s->ms[k] < s->ms[best]))
            best = k;
    return best;
}

/* Of the shapes that both have: they become a set of their own. */
static struct regret old_choices(const struct sweep_table *old,
                                 const struct sweep_table *now, int *n)
{
    struct sweep_table both = *now;
    int *choice = calloc((size_t)now->n_shapes + 1, sizeof *choice);
    struct regret r;

    both.shapes = calloc((size_t)now->n_shapes + 1, sizeof *both.shapes);
    both.n_shapes = 0;
    if (!choice || !both.shapes)
        abort();
    for (int i = 0; i < now->n_shapes; i++) {
        int at = shape_in(old, now->shapes[i].dim), best;

        if (at < 0)
            continue;
        best = fastest(&old->shapes[at], old->n_kernels);
        choice[both.n_shapes] = kernel_in(now, old->kernel[best]);
        both.shapes[both.n_shapes] = now->shapes[i];
        both.shapes[both.n_shapes++].set = SWEEP_train;
    }
    r = regret_of(&both, SWEEP_train, choice);
    *n = both.n_shapes;
    free(both.shapes);
    free(choice);
    return r;
}

struct drift drift_of(const struct sweep_table *old,
                      const struct sweep_table *now)
{
    struct drift d = {.worst = -1};
    double most = 1.1, least = INFINITY;

    d.old_choice = old_choices(old, now, &d.n);
    d.times = moved(old, now, -1);
    for (int k = 0; k < old->n_kernels; k++)
        least = fmin(least, moved(old, now, k));
    for (int k = 0; k < old->n_kernels; k++) {
        double lost = moved(old, now, k) / least;

        if (lost > most) {
            most = lost;
            d.worst = k;
        }
    }
    return d;
}
