// SPDX-License-Identifier: MIT
// Stage 23, shape map: step 5, a dispatcher that is learnt.
// New: a decision tree, fitted to what kernels took at training shapes.
// Before: step 4; the rules were yours.
// Counter: regret_mean_percent over shapes that it has not seen falls.

#include "op/study.h"

#include <stdlib.h>
#include <string.h>

// What is fitted: examples in an order of its own, and the tree so far.
struct fit {
    const struct study_example *examples;
    int n_kernels;
    double *losses; // a row of n_kernels per example
    struct study_node *nodes;
    int n_nodes;
};

// The regret of each kernel: how much longer it takes than the best one, 0 is
// the best, 1 is twice as long. Six times as long is as bad as any time longer;
// a kernel that does not run is worse than that.
static const double *losses(const struct fit *f, int example)
{
    return f->losses + example * f->n_kernels;
}

static void fill_losses(struct fit *f, int n)
{
    for (int i = 0; i < n; i++) {
        const double *ms = f->examples[i].ms;
        double best = INFINITY;

        for (int k = 0; k < f->n_kernels; k++)
            if (ms[k] < best)
                best = ms[k];
        for (int k = 0; k < f->n_kernels; k++)
            f->losses[i * f->n_kernels + k] =
                ms[k] > 0 ? fmin(ms[k] / best - 1, 5) : 100;
    }
}

// Adds an example's losses to the sums of a side, one per kernel; with times =
// -1 takes them from there.
static void add(const struct fit *f, double *sums, int example, int times)
{
    for (int k = 0; k < f->n_kernels; k++)
        sums[k] += times * losses(f, example)[k];
}

// The kernel with the least of these sums, the best answer for the side, and
// that sum.
static double best_answer(const struct fit *f, const double *sums, int *kernel)
{
    double least = INFINITY;

    //> todo answer (about 5 lines)
    for (int k = 0; k < f->n_kernels; k++)
        if (sums[k] < least) {
            least = sums[k];
            *kernel = k;
        }
    //< todo
    return least;
}

// Sorts order[0 ... n - 1] by a feature: insertion sort, first among places
// that are far apart (Shell's), so that few examples have a long way to go.
static void sort_by(const struct fit *f, int *order, int n, int feature)
{
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = gap; i < n; i++)
            for (int j = i; j >= gap; j -= gap) {
                int a = order[j - gap], b = order[j];

                if (f->examples[a].feature[feature] <=
                    f->examples[b].feature[feature])
                    break;
                order[j - gap] = b;
                order[j] = a;
            }
}

// Writes to *node the question that leaves the least loss, if that is below
// `least`. Returns how many examples it sends to `yes`, 0 if there is none;
// leaves `order` sorted by its feature.
static int best_question(const struct fit *f, int *order, int n, double least,
                         struct study_node *node)
{
    int cut = 0;

    //> todo question (about 31 lines)
    const int few = 4; // a side with less is an accident, not a rule

    for (int feature = 0; feature < STUDY_FEATURES; feature++) {
        double yes[STUDY_KERNELS] = {0}, no[STUDY_KERNELS] = {0};

        sort_by(f, order, n, feature);
        for (int i = 0; i < n; i++)
            add(f, no, order[i], 1);
        for (int i = 1; i <= n - few; i++) {
            double below = f->examples[order[i - 1]].feature[feature];
            double above = f->examples[order[i]].feature[feature];
            int kernel;
            double sum;

            add(f, yes, order[i - 1], 1); // it goes to the other side
            add(f, no, order[i - 1], -1);
            if (i < few || below == above) // no threshold lies between them
                continue;
            sum = best_answer(f, yes, &kernel) + best_answer(f, no, &kernel);
            if (sum < least * 0.999 - 1e-9) {
                least = sum;
                cut = i;
                node->feature = feature;
                node->threshold = 0.5 * (below + above);
            }
        }
    }
    if (cut > 0)
        sort_by(f, order, n, node->feature);
    //< todo
    return cut;
}

// The tree below one node; returns its number.
static int grow(struct fit *f, int *order, int n, int depth)
{
    int at = f->n_nodes++, cut = 0;
    struct study_node node = {.feature = -1};
    double sums[STUDY_KERNELS] = {0}, least;

    for (int i = 0; i < n; i++)
        add(f, sums, order[i], 1);
    least = best_answer(f, sums, &node.kernel);

    if (depth > 0)
        cut = best_question(f, order, n, least, &node);
    if (cut > 0) {
        node.yes = grow(f, order, cut, depth - 1);
        node.no = grow(f, order + cut, n - cut, depth - 1);
    }
    f->nodes[at] = node;
    return at;
}

int study_tree(const struct study_example *examples, int n, int n_kernels,
               int depth, struct study_node *nodes)
{
    double *losses = (double *)malloc(n * n_kernels * sizeof *losses);
    int *order = (int *)malloc(n * sizeof *order), used = 0;
    struct fit f = {examples, n_kernels, losses, nodes, 0};

    if (!losses || !order) {
        free(losses);
        free(order);
        return 0;
    }
    fill_losses(&f, n);
    //> todo examples (about 3 lines)
    for (int i = 0; i < n; i++)
        if (!examples[i].held_out)
            order[used++] = i;
    //< todo
    grow(&f, order, used, depth);
    free(losses);
    free(order);
    return f.n_nodes;
}
