// SPDX-License-Identifier: MIT
/*
 * foresee.h: how long each kernel will take at a product: a model, and many
 * trees that predict by how much the model will be wrong.
 *
 *   foresee_settle   the settings that lose least in cross-validation
 *   foresee_fit      a model, and trees whose thresholds are drawn
 *   foresee_choose   the kernel that they expect to be the fastest
 *   foresee_print    the same as a function in C
 *   foresee_free
 *
 * The extra of chapter 23. forest.h lets trees vote that know one kernel per
 * answer. These keep an error of the model for every kernel, the mean over the
 * examples of a leaf: log(time over the model's time), between -log(most) and
 * log(most) of the settings. A question is good if the errors on each of its
 * sides are alike.
 *
 * Its hard idea: the model (model.h) knows what jumps, such as rounds and parts
 * of k, and what grows without bounds. What it leaves is small and smooth, and
 * that is what trees are good at. A threshold is drawn at random, one per
 * feature and question, and the best of these few questions is asked
 * ("extremely randomized trees"). One tree's thresholds are off, by a little
 * everywhere; the mean of many is a smooth boundary. And nothing needs to be
 * sorted.
 *
 * What a leaf keeps is rounded to bytes, so that the printed tables are small
 * and answer exactly as the trees in memory do.
 *
 * How the trees are is settled by the shapes that they are fitted to, and by
 * no others: they are cut into FORESEE_FOLDS parts, and each part is foreseen
 * by a model and trees that are fitted to the rest.
 */
#ifndef SWEEP_FORESEE_H
#define SWEEP_FORESEE_H

#include <stdint.h>
#include <stdio.h>

#include "op/study.h"
#include "sweep/model.h"

enum { FORESEE_DEPTH = 16, FORESEE_FOLDS = 5, FORESEE_BYTE = 255 };

struct foresee_settings {
    int features; /* that a question may be about, drawn anew for each */
    int few;      /* examples on each side, at least */
    double most;  /* the factor by which the model is off, at most: no more
                     counts */
};

/* A question, whose yes leads to the node after it; or, with feature = -1, an
 * answer. */
struct foresee_node {
    int feature, no;
    float threshold;
    unsigned char error[STUDY_KERNELS]; /* 0: 1 / settings.most times as long
                                           as the model says; FORESEE_BYTE:
                                           settings.most times */
};

struct foresee {
    struct model model;
    struct foresee_settings settings;
    int trees, n_nodes;
    int *root;
    struct foresee_node *node;
};

/* The best of *tried settings, and in *regret their mean regret over the parts
 * that were left out. */
struct foresee_settings foresee_settle(const struct model_about *about,
                                       int trees,
                                       const struct sweep_shape *shapes, int n,
                                       uint64_t seed, int *tried,
                                       double *regret);
void foresee_fit(struct foresee *f, const struct model_about *about,
                 struct foresee_settings settings, int trees,
                 const struct sweep_shape *shapes, int n, uint64_t seed);
/* dim: M, N and K. */
int foresee_choose(const struct foresee *f, const int *dim);
/* What 1 in the sum of all trees' bytes says, of log(time over the
 * model's). */
double foresee_unit(const struct foresee *f);
/* "static int dispatch(int M, int N, int K)" and its tables; it needs
 * sweep/plan.h, and allocates nothing. names: of the kernels, a comment of a
 * line each. */
void foresee_print(FILE *out, const struct foresee *f,
                   const char *const *names);
void foresee_free(struct foresee *f);

#endif
