// SPDX-License-Identifier: MIT
/*
 * foresee.h: many trees that predict how much longer each kernel takes than the
 * fastest.
 *
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
 */
#ifndef SWEEP_FORESEE_H
#define SWEEP_FORESEE_H

#include <stdint.h>

#include "op/study.h"

enum {
    FORESEE_MOST = 6,
    FORESEE_DEPTH = 12,
    FORESEE_FEATURES = 5, /* that a question may be about */
    FORESEE_FEW = 2       /* examples on each side */
};

/* A question, or, with feature = -1, an answer. */
struct foresee_node {
    int feature, yes, no;
    double threshold;
    double loss[STUDY_KERNELS];
};

struct foresee {
    int trees, n_kernels, n_nodes;
    int *root;
    struct foresee_node *node;
};

void foresee_fit(struct foresee *f, int trees,
                 const struct study_example *examples, int n, int n_kernels,
                 uint64_t seed);
int foresee_choose(const struct foresee *f,
                   const double feature[STUDY_FEATURES]);
void foresee_free(struct foresee *f);

#endif
