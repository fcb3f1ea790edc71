// SPDX-License-Identifier: MIT
/*
 * foresee.c: see foresee.h.
 */
#include "sweep/foresee.h"

#include <stdlib.h>
#include <string.h>

#include "sweep/uniform.h"

/* An example of the tree at hand: what it is sorted by, and what it lost. */
struct drawn {
    double at; /* its value of the feature at hand */
    const double *feature, *loss;
};

struct fit {
    struct foresee *to;
    struct drawn *drawn;
    uint64_t *seed;
};

static int ascending(const void *a, const void *b)
{
    double x = ((const struct drawn *)a)->at, y = ((const struct drawn *)b)->at;

    return (x > y) - (x < y);
}

static void sort_by(struct drawn *d, int n, int feature)
{
    for (int i = 0; i < n; i++)
        d[i].at = d[i].feature[feature];
    qsort(d, (size_t)n, sizeof *d, ascending);
}

static void add(double *sums, const double *loss, int kernels, double times)
{
    for (int k = 0; k < kernels; k++)
        sums[k] += times * loss[k];
}

/* What the squares of a side's sums are worth: the more alike its losses are,
 * the larger. */
static double worth(const double *sums, int kernels, int n)
{
    double squares = 0;

    for (int k = 0; k < kernels; k++)
        squares += sums[k] * sums[k];
    return squares / n;
}

/* The best place to cut examples that are sorted; 0: none is better. */
static int best_cut(const struct fit *f, const struct drawn *d, int n,
                    double *most)
{
    double yes[STUDY_KERNELS] = {0}, no[STUDY_KERNELS] = {0};
    int kernels = f->to->n_kernels, cut = 0;

    for (int i = 0; i < n; i++)
        add(no, d[i].loss, kernels, 1);
    for (int i = 1; i <= n - f->to->settings.few; i++) {
        double now;

        add(yes, d[i - 1].loss, kernels, 1);
        add(no, d[i - 1].loss, kernels, -1);
        if (i < f->to->settings.few || !(d[i - 1].at < d[i].at))
            continue;
        now = worth(yes, kernels, i) + worth(no, kernels, n - i);
        if (now > *most) {
            *most = now;
            cut = i;
        }
    }
    return cut;
}

/* Features in an order that is drawn. */
static void shuffle(uint64_t *seed, int wanted, int feature[STUDY_FEATURES])
{
    for (int i = 0; i < STUDY_FEATURES; i++)
        feature[i] = i;
    for (int i = 0; i < wanted; i++) {
        int j = i + (int)(uniform_next(seed) * (STUDY_FEATURES - i));
        int other = feature[j];

        feature[j] = feature[i];
        feature[i] = other;
    }
}

/* Asks the best question of some features: leaves d sorted by it. Returns how
 * many examples answer yes, 0 if there is none. */
static int ask(const struct fit *f, struct drawn *d, int n, double alike,
               struct foresee_node *node)
{
    double most = alike + 1e-9;
    int feature[STUDY_FEATURES], cut = 0;

    shuffle(f->seed, f->to->settings.features, feature);
    for (int i = 0; i < f->to->settings.features; i++) {
        int here;

        sort_by(d, n, feature[i]);
        here = best_cut(f, d, n, &most);
        if (here > 0) {
            cut = here;
            node->feature = feature[i];
            node->threshold = 0.5 * (d[here - 1].at + d[here].at);
            if (!(node->threshold < d[here].at)) /* rounded */
                node->threshold = d[here - 1].at;
        }
    }
    if (cut > 0)
        sort_by(d, n, node->feature);
    return cut;
}

/* The tree below one node; returns its number. */
static int grow(const struct fit *f, struct drawn *d, int n, int depth)
{
    int at = f->to->n_nodes++, kernels = f->to->n_kernels, cut = 0;
    struct foresee_node node = {.feature = -1};

    for (int i = 0; i < n; i++)
        add(node.loss, d[i].loss, kernels, 1);
    if (depth > 0 && n >= 2 * f->to->settings.few)
        cut = ask(f, d, n, worth(node.loss, kernels, n), &node);
    for (int k = 0; k < kernels; k++)
        node.loss[k] /= n;
    if (cut > 0) {
        node.yes = grow(f, d, cut, depth - 1);
        node.no = grow(f, d + cut, n - cut, depth - 1);
    }
    f->to->node[at] = node;
    return at;
}

/* A kernel that does not run takes as long as counts. */
static void losses_of(const struct study_example *e, int kernels, double *loss)
{
    double best = INFINITY;

    for (int k = 0; k < kernels; k++)
        if (e->ms[k] < best)
            best = e->ms[k];
    for (int k = 0; k < kernels; k++)
        loss[k] = log(e->ms[k] < FORESEE_MOST * best ? e->ms[k] / best
                                                     : FORESEE_MOST);
}

static void *array_of(size_t n, size_t bytes)
{
    void *array = calloc(n + 1, bytes);

    if (!array)
        abort();
    return array;
}

void foresee_fit(struct foresee *to, struct foresee_settings settings,
                 int trees, const struct study_example *examples, int n,
                 int n_kernels, uint64_t seed)
{
    double(*loss)[STUDY_KERNELS] = array_of((size_t)n, sizeof *loss);
    struct fit f = {to, array_of((size_t)n, sizeof(struct drawn)), &seed};

    *to = (struct foresee){.settings = settings, .trees = trees,
                            .n_kernels = n_kernels};
    to->root = array_of((size_t)trees, sizeof *to->root);
    to->node = array_of(2 * (size_t)trees * (size_t)n, sizeof *to->node);
    for (int i = 0; i < n; i++)
        losses_of(&examples[i], n_kernels, loss[i]);
    for (int t = 0; t < trees; t++) {
        for (int i = 0; i < n; i++) {
            int from = (int)(uniform_next(&seed) * n);

            f.drawn[i] = (struct drawn){0, examples[from].feature, loss[from]};
        }
        to->root[t] = grow(&f, f.drawn, n, settings.depth);
    }
    free(f.drawn);
    free(loss);
}

int foresee_choose(const struct foresee *f,
                   const double feature[STUDY_FEATURES])
{
    double sums[STUDY_KERNELS] = {0};
    int best = 0;

    for (int t = 0; t < f->trees; t++) {
        const struct foresee_node *node = &f->node[f->root[t]];

        while (node->feature >= 0)
            node = &f->node[feature[node->feature] <= node->threshold
                                ? node->yes
                                : node->no];
        add(sums, node->loss, f->n_kernels, 1);
    }
    for (int k = 1; k < f->n_kernels; k++)
        if (sums[k] < sums[best])
            best = k;
    return best;
}

/* The regret at one example of what was chosen. */
static double regret_at(const struct study_example *e, int kernels, int choice)
{
    double best = INFINITY;

    for (int k = 0; k < kernels; k++)
        if (e->ms[k] < best)
            best = e->ms[k];
    return (e->ms[choice] > 0 ? e->ms[choice] / best : FORESEE_MOST) - 1;
}

/* The sum over one part, foreseen by trees fitted to the others. */
static double regret_of_part(struct foresee_settings settings, int trees,
                             const struct study_example *examples, int n,
                             int n_kernels, uint64_t seed, int part)
{
    struct study_example *rest = array_of((size_t)n, sizeof *rest);
    struct foresee f;
    double sum = 0;
    int m = 0;

    for (int i = 0; i < n; i++)
        if (i % FORESEE_FOLDS != part)
            rest[m++] = examples[i];
    foresee_fit(&f, settings, trees, rest, m, n_kernels, seed);
    for (int i = part; i < n; i += FORESEE_FOLDS)
        sum += regret_at(&examples[i], n_kernels,
                         foresee_choose(&f, examples[i].feature));
    foresee_free(&f);
    free(rest);
    return sum;
}

struct foresee_settings foresee_settle(int trees,
                                       const struct study_example *examples,
                                       int n, int n_kernels, uint64_t seed,
                                       int *tried, double *regret)
{
    static const struct foresee_settings settings[] = {
        {6, 3, 2},  {6, 5, 2},  {6, 7, 2},  {8, 3, 2},  {8, 5, 2}, {8, 7, 2},
        {12, 3, 2}, {12, 5, 2}, {12, 7, 2}, {12, 3, 4}, {12, 5, 4}, {12, 7, 4},
    };
    int best = 0;

    *tried = sizeof settings / sizeof *settings;
    *regret = INFINITY;
    for (int i = 0; i < *tried; i++) {
        double sum = 0;

        for (int part = 0; part < FORESEE_FOLDS; part++)
            sum += regret_of_part(settings[i], trees, examples, n, n_kernels,
                                  seed, part);
        if (sum / n < *regret) {
            *regret = sum / n;
            best = i;
        }
    }
    return settings[best];
}

void foresee_free(struct foresee *f)
{
    free(f->root);
    free(f->node);
    f->root = NULL;
    f->node = NULL;
}
