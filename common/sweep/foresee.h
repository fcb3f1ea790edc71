// SPDX-License-Identifier: MIT
/*
 * foresee.h: many trees that predict how much longer each kernel takes than the
 * fastest.
 *
 *   foresee_settle   the settings that lose least in cross-validation
 *   foresee_fit      trees whose thresholds are drawn
 *   foresee_choose   the kernel that they expect to lose least
 *   foresee_print    the same as a function in C
 *   foresee_free
 *
 * The extra of chapter 23. forest.h lets trees vote that know one kernel per
 * answer. These keep what every kernel lost at the examples of a leaf, so that
 * a kernel that is second everywhere may be chosen. A question is good if the
 * losses on each of its sides are alike. Losses are log(time over the best
 * one's), and at most log(settings.most) counts: what matters is which kernels
 * are nearly the fastest, not how slow the others are.
 *
 * Its hard idea: a threshold is drawn at random, one per feature and question,
 * and the best of these few questions is asked ("extremely randomized trees").
 * One tree's thresholds are off, by a little everywhere; the mean of many is a
 * smooth boundary. And nothing needs to be sorted.
 *
 * What a leaf keeps is rounded to bytes, so that the printed tables are small
 * and answer exactly as the trees in memory do.
 *
 * How the trees are is settled by the examples that they are fitted to, and by
 * no others: they are cut into FORESEE_FOLDS parts, and each part is foreseen
 * by trees that are fitted to the rest.
 */
#ifndef SWEEP_FORESEE_H
#define SWEEP_FORESEE_H

#include <stdint.h>
#include <stdio.h>

#include "op/study.h"

enum { FORESEE_DEPTH = 16, FORESEE_FOLDS = 5, FORESEE_BYTE = 255 };

struct foresee_settings {
    int features; /* that a question may be about, drawn anew for each */
    int few;      /* examples on each side, at least */
    double most;  /* times as long as the fastest: more counts as much */
};

/* A question, whose yes leads to the node after it; or, with feature = -1, an
 * answer. */
struct foresee_node {
    int feature, no;
    float threshold;
    unsigned char loss[STUDY_KERNELS]; /* FORESEE_BYTE: of settings.most */
};

struct foresee {
    struct foresee_settings settings;
    int trees, n_kernels, n_nodes;
    int *root;
    struct foresee_node *node;
};

/* The best of *tried settings, and in *regret their mean regret over the parts
 * that were left out: a kernel that does not run takes six times as long. */
struct foresee_settings foresee_settle(int trees,
                                       const struct study_example *examples,
                                       int n, int n_kernels, uint64_t seed,
                                       int *tried, double *regret);
void foresee_fit(struct foresee *f, struct foresee_settings settings, int trees,
                 const struct study_example *examples, int n, int n_kernels,
                 uint64_t seed);
int foresee_choose(const struct foresee *f,
                   const double feature[STUDY_FEATURES]);
/* "static int dispatch(int M, int N, int K)" and its tables. It allocates
 * nothing. names: of the kernels, a comment of a line each. */
void foresee_print(FILE *out, const struct foresee *f,
                   const char *const *names);
void foresee_free(struct foresee *f);

#endif
