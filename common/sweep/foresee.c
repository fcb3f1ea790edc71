// SPDX-License-Identifier: MIT
/*
 * foresee.c: see foresee.h.
 */
#include "sweep/foresee.h"

#include <stdlib.h>

#include "sweep/examples.h"
#include "sweep/uniform.h"

/* Floats, and all STUDY_KERNELS of them, 0 where there is no kernel: the
 * compiler adds several at a time. */
struct errors {
    float of[STUDY_KERNELS];
};

struct fit {
    struct foresee *to;
    const double (*feature)[STUDY_FEATURES]; /* an example's */
    const struct errors *errors;
    uint64_t *seed;
};

static void add(struct errors *sums, const struct errors *one)
{
    for (int k = 0; k < STUDY_KERNELS; k++)
        sums->of[k] += one->of[k];
}

/* What the squares of a side's sums are worth: the more alike its errors are,
 * the larger. */
static double worth(const struct errors *sums, int n)
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
        double value = f->feature[order[i]][feature];

        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    *threshold = (float)(low + uniform_next(f->seed) * (high - low));
    return low < high;
}

static bool says_yes(const struct fit *f, int example, int feature,
                     float threshold)
{
    return f->feature[example][feature] <= threshold;
}

/* Both sides' worth; 0: one of them has too few examples. */
static double worth_of(const struct fit *f, const int *order, int n,
                       const struct errors *sums, int feature, float threshold)
{
    struct errors yes = {{0}}, no;
    int n_yes = 0;

    for (int i = 0; i < n; i++)
        if (says_yes(f, order[i], feature, threshold)) {
            add(&yes, &f->errors[order[i]]);
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
                const struct errors *sums, struct foresee_node *node)
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
    struct errors sums = {{0}};

    for (int i = 0; i < n; i++)
        add(&sums, &f->errors[order[i]]);
    for (int k = 0; k < STUDY_KERNELS; k++)
        node.error[k] = (unsigned char)lrint(FORESEE_BYTE * 0.5 *
                                             (1 + sums.of[k] / n));
    if (depth > 0 && n >= 2 * s->few && ask(f, order, n, &sums, &node)) {
        int yes = part(f, order, n, &node);

        grow(f, order, yes, depth - 1);
        node.no = grow(f, order + yes, n - yes, depth - 1);
    }
    f->to->node[at] = node;
    return at;
}

static void *array_of(size_t n, size_t bytes)
{
    void *array = calloc(n + 1, bytes);

    if (!array)
        abort();
    return array;
}

/* From -1 to 1: most times shorter, or longer, than the model says. */
static struct errors errors_of(const struct foresee *f,
                               const struct sweep_shape *shape)
{
    struct errors errors = {{0}};
    int kernels = f->model.about.n_kernels;

    for (int k = 0; k < kernels; k++) {
        double wrong = model_measured(shape, kernels, k) /
                       model_ms(&f->model, k, shape->dim);

        errors.of[k] = (float)fmax(
            -1, fmin(1, log(wrong) / log(f->settings.most)));
    }
    return errors;
}

/* Trees for the model that is there already. */
static void grow_all(struct foresee *to, const struct sweep_shape *shapes,
                     int n, uint64_t seed)
{
    double (*feature)[STUDY_FEATURES] = array_of((size_t)n, sizeof *feature);
    struct errors *errors = array_of((size_t)n, sizeof *errors);
    int *order = array_of((size_t)n, sizeof *order);
    struct fit f = {to, (const double (*)[STUDY_FEATURES])feature, errors,
                    &seed};

    to->n_nodes = 0;
    to->root = array_of((size_t)to->trees, sizeof *to->root);
    to->node = array_of(2 * (size_t)to->trees * (size_t)n, sizeof *to->node);
    for (int i = 0; i < n; i++) {
        examples_features(&shapes[i], feature[i]);
        errors[i] = errors_of(to, &shapes[i]);
        order[i] = i;
    }
    for (int t = 0; t < to->trees; t++)
        to->root[t] = grow(&f, order, n, FORESEE_DEPTH);
    free(order);
    free(errors);
    free(feature);
}

static void drop_trees(struct foresee *f)
{
    free(f->root);
    free(f->node);
    f->root = NULL;
    f->node = NULL;
}

void foresee_fit(struct foresee *to, const struct model_about *about,
                 struct foresee_settings settings, int trees,
                 const struct sweep_shape *shapes, int n, uint64_t seed)
{
    *to = (struct foresee){.settings = settings, .trees = trees};
    model_fit(&to->model, about, shapes, n);
    grow_all(to, shapes, n, seed);
}

int foresee_choose(const struct foresee *f, const int *dim)
{
    double feature[STUDY_FEATURES], least = INFINITY;
    double unit = foresee_unit(f);
    int sums[STUDY_KERNELS] = {0}, best = 0;
    struct sweep_shape shape = {.dim = {dim[0], dim[1], dim[2]}};

    examples_features(&shape, feature);
    for (int t = 0; t < f->trees; t++) {
        int at = f->root[t];

        while (f->node[at].feature >= 0)
            at = feature[f->node[at].feature] <= f->node[at].threshold
                     ? at + 1
                     : f->node[at].no;
        for (int k = 0; k < f->model.about.n_kernels; k++)
            sums[k] += f->node[at].error[k];
    }
    for (int k = 0; k < f->model.about.n_kernels; k++) {
        double ms = model_ms(&f->model, k, dim) * exp(unit * sums[k]);

        if (ms < least) {
            least = ms;
            best = k;
        }
    }
    return best;
}

double foresee_unit(const struct foresee *f)
{
    return 2 * log(f->settings.most) / FORESEE_BYTE / f->trees;
}

/* Sums of the regret over one part, a sum per setting, foreseen by a model and
 * trees that are fitted to the others. */
static void regret_of_part(const struct model_about *about,
                           const struct foresee_settings *settings, int tried,
                           int trees, const struct sweep_shape *shapes, int n,
                           uint64_t seed, int part, double *sums)
{
    struct sweep_shape *rest = array_of((size_t)n, sizeof *rest);
    struct foresee f = {.trees = trees};
    int m = 0, kernels = about->n_kernels;

    for (int i = 0; i < n; i++)
        if (i % FORESEE_FOLDS != part)
            rest[m++] = shapes[i];
    model_fit(&f.model, about, rest, m);
    for (int s = 0; s < tried; s++) {
        f.settings = settings[s];
        grow_all(&f, rest, m, seed);
        for (int i = part; i < n; i += FORESEE_FOLDS) {
            int choice = foresee_choose(&f, shapes[i].dim);

            sums[s] += model_measured(&shapes[i], kernels, choice) /
                           model_best(&shapes[i], kernels) - 1;
        }
        drop_trees(&f);
    }
    model_free(&f.model);
    free(rest);
}

struct foresee_settings foresee_settle(const struct model_about *about,
                                       int trees,
                                       const struct sweep_shape *shapes, int n,
                                       uint64_t seed, int *tried,
                                       double *regret)
{
    static const struct foresee_settings settings[] = {
        {9, 2, 1.2}, {9, 4, 1.2}, {9, 2, 1.4}, {9, 4, 1.4}, {9, 2, 2},
        {9, 4, 2},   {6, 2, 1.2}, {6, 4, 1.2}, {6, 2, 1.4}, {6, 4, 1.4},
        {6, 2, 2},   {6, 4, 2},
    };
    enum { SETTINGS = sizeof settings / sizeof *settings };
    double sums[SETTINGS] = {0};
    int best = 0;

    for (int part = 0; part < FORESEE_FOLDS; part++)
        regret_of_part(about, settings, SETTINGS, trees, shapes, n, seed, part,
                       sums);
    for (int s = 1; s < SETTINGS; s++)
        if (sums[s] < sums[best])
            best = s;
    *tried = SETTINGS;
    *regret = sums[best] / n;
    return settings[best];
}

void foresee_free(struct foresee *f)
{
    drop_trees(f);
    model_free(&f->model);
}
