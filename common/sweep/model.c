// SPDX-License-Identifier: MIT
/*
 * model.c: see model.h.
 */
#include "sweep/model.h"

#include <stdlib.h>
#include <string.h>

static const double near = 2;       /* times as long as the fastest counts */
static const double far_weight = 0.1;
static const double other_weight = 0.0005;  /* of other classes */
static const double regime_weight = 0.000001; /* of other regimes */

/* Normal equations. */
struct sums {
    double square[PLAN_TERMS][PLAN_TERMS], right[PLAN_TERMS];
    bool ran; /* of examples that ran; else, of some that did not */
};

bool model_about(struct model_about *about, const struct sweep_about *sweep,
                 const struct sweep_table *table,
                 const struct sweep_kernels *list, char *error,
                 size_t error_size)
{
    *about = (struct model_about){.processors = atoi(sweep->multiprocessors),
                                  .n_kernels = table->n_kernels};
    about->element_bytes = strcmp(sweep->op, "gemm_f32") == 0         ? 4
                           : strcmp(sweep->op, "gemm_bf16_bf16") == 0 ? 2
                                                                      : 0;
    if (about->element_bytes == 0 || about->processors < 1) {
        snprintf(error, error_size, "the sweep is of no product, or does not "
                 "say how many multiprocessors its GPU has");
        return false;
    }
    for (int k = 0; k < table->n_kernels; k++) {
        int at = 0;

        while (at < list->n &&
               strcmp(list->kernel[at].name, table->kernel[k]) != 0)
            at++;
        if (at == list->n) {
            snprintf(error, error_size, "no candidate is called %s",
                     table->kernel[k]);
            return false;
        }
        about->rule[k] = list->kernel[at].rule;
    }
    return true;
}

double model_best(const struct sweep_shape *shape, int n_kernels)
{
    double best = INFINITY;

    for (int k = 0; k < n_kernels; k++)
        if (shape->ms[k] < best)
            best = shape->ms[k];
    return best;
}

double model_measured(const struct sweep_shape *shape, int n_kernels,
                      int kernel)
{
    return shape->ms[kernel] > 0
               ? shape->ms[kernel]
               : MODEL_FAILS * model_best(shape, n_kernels);
}

static void add(struct sums *s, const struct sums *other, double weight)
{
    for (int i = 0; i < PLAN_TERMS; i++) {
        s->right[i] += weight * other->right[i];
        for (int j = 0; j < PLAN_TERMS; j++)
            s->square[i][j] += weight * other->square[i][j];
    }
}

/* One example: its terms over its time should add up to 1. If a kernel was not
 * timed there, its true time is unknown: this counts only if there is nothing
 * better. */
static void add_example(struct sums *s, const double term[PLAN_TERMS],
                        double ms, double weight, bool ran)
{
    if (s->ran && !ran)
        return;
    if (ran && !s->ran)
        *s = (struct sums){.ran = true};
    for (int i = 0; i < PLAN_TERMS; i++) {
        s->right[i] += weight * term[i] / ms;
        for (int j = 0; j < PLAN_TERMS; j++)
            s->square[i][j] += weight * term[i] / ms * (term[j] / ms);
    }
}

/* One constant after the other takes the value that is best for it, or 0.
 * Terms differ by many orders of magnitude: each is taken in units of its
 * own. */
static void solve(const struct sums *s, double constant[PLAN_TERMS])
{
    enum { TURNS = 1000 };
    static const double little = 1e-4; /* of a term: as if it cost 0 */
    double unit[PLAN_TERMS];

    for (int i = 0; i < PLAN_TERMS; i++) {
        constant[i] = 0;
        unit[i] = s->square[i][i] > 0 ? 1 / sqrt(s->square[i][i]) : 0;
    }
    for (int turn = 0; turn < TURNS; turn++)
        for (int i = 0; i < PLAN_TERMS; i++) {
            double left = s->right[i] * unit[i];

            for (int j = 0; j < PLAN_TERMS; j++)
                if (j != i)
                    left -= s->square[i][j] * unit[i] * unit[j] * constant[j];
            constant[i] = fmax(0, left / (1 + little));
        }
    for (int i = 0; i < PLAN_TERMS; i++)
        constant[i] *= unit[i];
}

static int classes_of(const struct plan_rule *rule)
{
    bool chooses = rule->kind == PLAN_FEW || rule->kind == PLAN_VECTOR;

    return PLAN_ALIGNED * (chooses ? PLAN_REGIMES : 1);
}

static void fit_kernel(struct model *m, int kernel,
                       const struct sweep_shape *shapes, int n,
                       struct sums *sums)
{
    int first = m->first[kernel];
    int rows = classes_of(&m->about.rule[kernel]);

    for (int i = 0; i < n; i++) {
        double term[PLAN_TERMS];
        double ms = model_measured(&shapes[i], m->about.n_kernels, kernel);
        double best = model_best(&shapes[i], m->about.n_kernels);
        const int *d = shapes[i].dim;
        int row = first + plan_row(m->about.rule[kernel], d[0], d[1], d[2],
                                   m->about.processors,
                                   m->about.element_bytes, term);

        add_example(&sums[row], term, ms, ms < near * best ? 1 : far_weight,
                    shapes[i].ms[kernel] > 0);
    }
    for (int row = first; row < first + rows; row++) {
        struct sums all = sums[row];

        for (int other = first; other < first + rows; other++)
            if (other != row)
                add(&all, &sums[other],
                    (other - first) / PLAN_ALIGNED ==
                            (row - first) / PLAN_ALIGNED
                        ? other_weight
                        : regime_weight);
        solve(&all, m->constant[row]);
    }
}

void model_fit(struct model *m, const struct model_about *about,
               const struct sweep_shape *shapes, int n)
{
    struct sums *sums;

    *m = (struct model){.about = *about};
    for (int k = 0; k < about->n_kernels; k++) {
        m->first[k] = m->n_rows;
        m->n_rows += classes_of(&about->rule[k]);
    }
    m->constant = calloc((size_t)m->n_rows + 1, sizeof *m->constant);
    sums = calloc((size_t)m->n_rows + 1, sizeof *sums);
    if (!m->constant || !sums)
        abort();
    for (int k = 0; k < about->n_kernels; k++)
        fit_kernel(m, k, shapes, n, sums);
    free(sums);
}

double model_ms(const struct model *m, int kernel, const int *dim)
{
    return plan_ms(m->about.rule[kernel],
                   (const double (*)[PLAN_TERMS])m->constant +
                       m->first[kernel],
                   dim[0], dim[1], dim[2], m->about.processors,
                   m->about.element_bytes);
}

void model_free(struct model *m)
{
    free(m->constant);
    m->constant = NULL;
}
