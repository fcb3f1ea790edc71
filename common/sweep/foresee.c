// SPDX-License-Identifier: MIT
/*
 * foresee.c: see foresee.h.
 */
#include "sweep/foresee.h"

#include <stdlib.h>

#include "sweep/uniform.h"

static const double fails = 6; /* times as long as the fastest */

/* Floats, and all STUDY_KERNELS of them, 0 where there is no kernel: the
 * compiler adds several at a time. */
struct losses {
    float of[STUDY_KERNELS];
};

struct fit {
    struct foresee *to;
    const struct study_example *examples;
    const struct losses *losses; /* an example's */
    uint64_t *seed;
};

static void add(struct losses *sums, const struct losses *one)
{
    for (int k = 0; k < STUDY_KERNELS; k++)
        sums->of[k] += one->of[k];
}

/* What the squares of a side's sums are worth: the more alike its losses are,
 * the larger. */
static double worth(const struct losses *sums, int n)
{
    double squares = 0;

    for (int k = 0; k < STUDY_KERNELS; k++)
        squares += (double)sums->of[k] * sums->of[k];
    return squares / n;
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

/* Between the least and the largest value; false: they are the same. */
static bool draw_threshold(const struct fit *f, const int *order, int n,
                           int feature, float *threshold)
{
    double low = INFINITY, high = -INFINITY;

    for (int i = 0; i < n; i++) {
        double value = f->examples[order[i]].feature[feature];

        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    *threshold = (float)(low + uniform_next(f->seed) * (high - low));
    return low < high;
}

static bool says_yes(const struct fit *f, int example, int feature,
                     float threshold)
{
    return f->examples[example].feature[feature] <= threshold;
}

/* Both sides' worth; 0: one of them has too few examples. */
static double worth_of(const struct fit *f, const int *order, int n,
                       const struct losses *sums, int feature, float threshold)
{
    struct losses yes = {{0}}, no;
    int n_yes = 0;

    for (int i = 0; i < n; i++)
        if (says_yes(f, order[i], feature, threshold)) {
            add(&yes, &f->losses[order[i]]);
            n_yes++;
        }
    if (n_yes < f->to->settings.few || n - n_yes < f->to->settings.few)
        return 0;
    for (int k = 0; k < STUDY_KERNELS; k++)
        no.of[k] = sums->of[k] - yes.of[k];
    return worth(&yes, n_yes) + worth(&no, n - n_yes);
}

/* Writes the best of a few questions to *node; false: none is worth asking. */
static bool ask(const struct fit *f, const int *order, int n,
                const struct losses *sums, struct foresee_node *node)
{
    double most = worth(sums, n) * (1 + 1e-6) + 1e-9;
    int feature[STUDY_FEATURES];
    bool found = false;

    shuffle(f->seed, f->to->settings.features, feature);
    for (int i = 0; i < f->to->settings.features; i++) {
        float threshold;
        double now;

        if (!draw_threshold(f, order, n, feature[i], &threshold))
            continue;
        now = worth_of(f, order, n, sums, feature[i], threshold);
        if (now > most) {
            most = now;
            node->feature = feature[i];
            node->threshold = threshold;
            found = true;
        }
    }
    return found;
}

/* Those that answer yes come first; returns how many. */
static int part(const struct fit *f, int *order, int n,
                const struct foresee_node *node)
{
    int yes = 0;

    for (int i = 0; i < n; i++) {
        int example = order[i];

        if (!says_yes(f, example, node->feature, node->threshold))
            continue;
        order[i] = order[yes];
        order[yes++] = example;
    }
    return yes;
}

/* The tree below one node; returns its number. */
static int grow(const struct fit *f, int *order, int n, int depth)
{
    const struct foresee_settings *s = &f->to->settings;
    int at = f->to->n_nodes++;
    struct foresee_node node = {.feature = -1};
    struct losses sums = {{0}};

    for (int i = 0; i < n; i++)
        add(&sums, &f->losses[order[i]]);
    for (int k = 0; k < STUDY_KERNELS; k++)
        node.loss[k] = (unsigned char)lrint(FORESEE_BYTE * sums.of[k] / n);
    if (depth > 0 && n >= 2 * s->few && ask(f, order, n, &sums, &node)) {
        int yes = part(f, order, n, &node);

        grow(f, order, yes, depth - 1);
        node.no = grow(f, order + yes, n - yes, depth - 1);
    }
    f->to->node[at] = node;
    return at;
}

/* 1 is the most that counts; a kernel that does not run loses as much. */
static struct losses losses_of(const struct study_example *e, int kernels,
                               double most)
{
    struct losses losses = {{0}};
    double best = INFINITY;

    for (int k = 0; k < kernels; k++)
        if (e->ms[k] < best)
            best = e->ms[k];
    for (int k = 0; k < kernels; k++)
        losses.of[k] = e->ms[k] < most * best
                           ? (float)(log(e->ms[k] / best) / log(most))
                           : 1;
    return losses;
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
    struct losses *losses = array_of((size_t)n, sizeof *losses);
    int *order = array_of((size_t)n, sizeof *order);
    struct fit f = {to, examples, losses, &seed};

    *to = (struct foresee){.settings = settings, .trees = trees,
                            .n_kernels = n_kernels};
    to->root = array_of((size_t)trees, sizeof *to->root);
    to->node = array_of(2 * (size_t)trees * (size_t)n, sizeof *to->node);
    for (int i = 0; i < n; i++)
        losses[i] = losses_of(&examples[i], n_kernels, settings.most);
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int t = 0; t < trees; t++)
        to->root[t] = grow(&f, order, n, FORESEE_DEPTH);
    free(order);
    free(losses);
}

int foresee_choose(const struct foresee *f,
                   const double feature[STUDY_FEATURES])
{
    int sums[STUDY_KERNELS] = {0}, best = 0;

    for (int t = 0; t < f->trees; t++) {
        int at = f->root[t];

        while (f->node[at].feature >= 0)
            at = feature[f->node[at].feature] <= f->node[at].threshold
                     ? at + 1
                     : f->node[at].no;
        for (int k = 0; k < f->n_kernels; k++)
            sums[k] += f->node[at].loss[k];
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
    return (e->ms[choice] > 0 ? e->ms[choice] / best : fails) - 1;
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
        {9, 2, 1.5}, {9, 4, 1.5}, {9, 2, 2}, {9, 4, 2}, {9, 2, 3}, {9, 4, 3},
        {6, 2, 1.5}, {6, 4, 1.5}, {6, 2, 2}, {6, 4, 2}, {6, 2, 3}, {6, 4, 3},
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
