// SPDX-License-Identifier: MIT
/*
 * model.h: a time for each candidate at each product, as the sum of what takes
 * time there (plan.h), times constants that are fitted to a sweep.
 *
 *   model_fit    the constants
 *   model_ms     how long one candidate takes
 *   model_free
 *
 * A kernel has constants per class of alignment, and per regime if it has
 * several. They are the least squares of the relative error, none below 0: no
 * part of a kernel gives time back. Slow times count less, since nobody will
 * choose the kernel there. The other classes of a kernel count a little, so
 * that a class with few examples has constants, too.
 */
#ifndef SWEEP_MODEL_H
#define SWEEP_MODEL_H

#include "sweep/kernels.h"
#include "sweep/plan.h"
#include "sweep/sweep.h"

/* What is known before anything is fitted. */
struct model_about {
    int processors, element_bytes, n_kernels;
    struct plan_rule rule[SWEEP_KERNELS]; /* in the table's order */
};

struct model {
    struct model_about about;
    int first[SWEEP_KERNELS]; /* row of a kernel's first class */
    int n_rows;
    double (*constant)[PLAN_TERMS];
};

/* From a sweep's own lines and candidates.tsv. false: error says which kernel
 * is no candidate, or that the sweep is of no product. */
bool model_about(struct model_about *about, const struct sweep_about *sweep,
                 const struct sweep_table *table,
                 const struct sweep_kernels *list, char *error,
                 size_t error_size);
/* shapes: M, N, K and the kernels' times. A kernel that does not run counts as
 * MODEL_FAILS times as slow as the fastest; to its constants, only where it
 * runs at no shape of its class and regime, since a sweep may have left out
 * what is far slower (pruned). */
#define MODEL_FAILS 6.0
void model_fit(struct model *model, const struct model_about *about,
               const struct sweep_shape *shapes, int n);
double model_ms(const struct model *model, int kernel, const int *dim);
/* Of a shape: the fastest time, and a kernel's, or MODEL_FAILS times that. */
double model_best(const struct sweep_shape *shape, int n_kernels);
double model_measured(const struct sweep_shape *shape, int n_kernels,
                      int kernel);
void model_free(struct model *model);

#endif
