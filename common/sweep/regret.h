// SPDX-License-Identifier: MIT
/*
 * regret.h: how much time a dispatcher loses.
 *
 *   regret_of       over the shapes of one set
 *   regret_one      of one choice at one shape
 *   regret_always   of the best dispatcher that always picks the same kernel
 *
 * The regret of a choice is its time over the best kernel's there, less 1: 0
 * says that nothing was lost. A kernel that fails at a shape is no choice: it
 * counts as taking a hundred times as long, which no mean hides.
 */
#ifndef SWEEP_REGRET_H
#define SWEEP_REGRET_H

#include "sweep/sweep.h"

#define REGRET_OF_A_FAILURE 99.0

struct regret {
    int n;           /* shapes */
    double mean, p95, p99, worst;
    int worst_shape; /* index into the table; -1: n is 0 */
};

double regret_one(const struct sweep_table *table, int shape, int kernel);
/* choice[i]: the kernel picked for shape i of the table. */
struct regret regret_of(const struct sweep_table *table, enum sweep_set set,
                        const int *choice);
/* *kernel: the one with the least mean regret over the training shapes. */
struct regret regret_always(const struct sweep_table *table,
                            enum sweep_set set, int *kernel);

#endif
