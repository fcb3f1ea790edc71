// SPDX-License-Identifier: MIT
/*
 * forest.h: many trees that vote.
 *
 *   forest_fit      each to examples drawn with replacement
 *   forest_choose   what most of them answer
 *   forest_free
 *
 * One tree follows each accident of its examples; the accidents of many, fitted
 * to different draws, cancel. The step that fits one tree fits all of them.
 */
#ifndef SWEEP_FOREST_H
#define SWEEP_FOREST_H

#include <stdint.h>

#include "op/study.h"

typedef int (*forest_step)(const struct study_example *, int, int, int,
                           struct study_node *);

struct forest {
    int n, n_kernels;
    struct study_node (*tree)[STUDY_NODES];
};

/* NULL: what makes one of them no tree, in words. */
const char *forest_fit(struct forest *forest, forest_step step, int trees,
                       const struct study_example *examples, int n,
                       int n_kernels, int depth, uint64_t seed);
/* The first of those with the most votes. */
int forest_choose(const struct forest *forest,
                  const double feature[STUDY_FEATURES]);
void forest_free(struct forest *forest);

#endif
