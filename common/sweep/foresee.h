// SPDX-License-Identifier: MIT
/*
 * foresee.h: many trees that predict how much longer each kernel takes than the
 * fastest.
 *
 *   foresee_settle   the settings that lose least in cross-validation
 *   foresee_fit      each to examples drawn with replacement
 *   foresee_choose   the kernel that they expect to lose least
 *   foresee_free
 *
 * The extra of chapter 23. forest.h lets trees vote that know one kernel per
 * answer. These keep what every kernel lost at the examples of a leaf, so that
 * a kernel that is second everywhere may be chosen. A question is good if the
 * losses on each of its sides are alike; each question is the best of some
 * features, drawn anew, so that trees differ. Losses are log(time over the best
 * one's), and at most FORESEE_MOST times as long counts.
 *
 * How deep trees are, and what a question may be, is settled by the examples
 * that trees are fitted to, and by no others: they are cut into FORESEE_FOLDS
 * parts, and each part is foreseen by trees that are fitted to the rest.
 */
#ifndef SWEEP_FORESEE_H
#define SWEEP_FORESEE_H

#include <stdint.h>

#include "op/study.h"

enum { FORESEE_MOST = 6, FORESEE_FOLDS = 5 };

struct foresee_settings {
    int depth;    /* questions, one after the other */
    int features; /* that a question may be about */
    int few;      /* examples on each side, at least */
};

/* A question, or, with feature = -1, an answer. */
struct foresee_node {
    int feature, yes, no;
    double threshold;
    double loss[STUDY_KERNELS];
};

struct foresee {
    struct foresee_settings settings;
    int trees, n_kernels, n_nodes;
    int *root;
    struct foresee_node *node;
};

/* The best of *tried settings, and in *regret their mean regret over the parts
 * that were left out: a kernel that does not run takes FORESEE_MOST times as
 * long. */
struct foresee_settings foresee_settle(int trees,
                                       const struct study_example *examples,
                                       int n, int n_kernels, uint64_t seed,
                                       int *tried, double *regret);
void foresee_fit(struct foresee *f, struct foresee_settings settings, int trees,
                 const struct study_example *examples, int n, int n_kernels,
                 uint64_t seed);
int foresee_choose(const struct foresee *f,
                   const double feature[STUDY_FEATURES]);
void foresee_free(struct foresee *f);

#endif
