// SPDX-License-Identifier: MIT
/*
 * tune.c: a step's dispatcher, fitted to a sweep and printed: `make tune`.
 *
 *   tune STEP.so SWEEP.tsv DEPTH TREES TREE.h FOREST.h CANDIDATES.tsv
 *        [PROBE.tsv]
 *
 * STEP.so exports study_tree. Writes the tree as C, with where its data come
 * from on top, and prints what it loses at the held-out shapes, with an
 * interval if the sweep has repeats, and how fast its choices are beside a
 * peer's. With TREES above 0, what forests of so many lose, too, of two kinds;
 * writes trees that predict to FOREST.h, of the kernels that CANDIDATES.tsv
 * describes. PROBE is a short sweep of the machine
 * at hand: then it says whether the long one still holds. Exit code 3: it does
 * not.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/drift.h"
#include "sweep/examples.h"
#include "sweep/foresee.h"
#include "sweep/forest.h"
#include "sweep/tree.h"

static const double much = 0.1; /* regret that asks for a new sweep */

static void end(const char *words)
{
    fprintf(stderr, "%s\n", words);
    exit(2);
}

static void end_path(const char *words, const char *path)
{
    fprintf(stderr, "%s %s: %s\n", words, path, strerror(errno));
    exit(2);
}

static struct sweep_table read_table(const char *path, struct sweep *sweep)
{
    char error[512];

    if (!sweep_read(path, sweep, error, sizeof error))
        end(error);
    return sweep_table(sweep);
}

static forest_step load_step(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = library ? dlsym(library, "study_tree") : NULL;
    forest_step step;

    if (!found)
        end(dlerror());
    memcpy(&step, &found, sizeof step);
    return step;
}

/* What a tree, or a forest, chooses at every shape; the caller frees it. */
static int *choices_of(const struct sweep_table *table,
                       const struct forest *forest)
{
    int *choice = calloc((size_t)table->n_shapes + 1, sizeof *choice);

    if (!choice)
        end("out of memory");
    for (int i = 0; i < table->n_shapes; i++) {
        double feature[STUDY_FEATURES];

        examples_features(&table->shapes[i], feature);
        choice[i] = forest_choose(forest, feature);
    }
    return choice;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* What the noise of the measurements makes of a mean: 95 %. */
static void print_interval(const struct sweep *sweep, const int *choice)
{
    enum { DRAWS = 200, LOW = DRAWS / 40 };
    struct sweep_draws draws = sweep_draws(sweep);
    double mean[DRAWS], p99[DRAWS];
    uint64_t state = 1;

    for (int i = 0; i < DRAWS; i++) {
        struct regret r;

        sweep_redraw(&draws, SWEEP_held_out, &state);
        r = regret_of(&draws.table, SWEEP_held_out, choice);
        mean[i] = r.mean;
        p99[i] = r.p99;
    }
    sweep_draws_free(&draws);
    qsort(mean, DRAWS, sizeof *mean, ascending);
    qsort(p99, DRAWS, sizeof *p99, ascending);
    printf("  with other repeats: mean %.2f to %.2f %%, 99th %.1f to %.1f %%\n",
           100 * mean[LOW], 100 * mean[DRAWS - 1 - LOW], 100 * p99[LOW],
           100 * p99[DRAWS - 1 - LOW]);
}

static void print_regret(const char *whose, const struct sweep *sweep,
                         const struct sweep_table *table, const int *choice)
{
    struct regret r = regret_of(table, SWEEP_held_out, choice);
    bool repeats = false;

    for (int i = 0; i < sweep->n_rows; i++)
        repeats |= sweep->rows[i].repeat > 0;
    printf("%s over %d held-out shapes: mean %.2f %%, 95th %.1f %%, "
           "99th %.1f %%, worst %.1f %%\n", whose, r.n, 100 * r.mean,
           100 * r.p95, 100 * r.p99, 100 * r.worst);
    if (repeats)
        print_interval(sweep, choice);
}

static void print_always(const struct sweep_table *table)
{
    int same;
    struct regret always = regret_always(table, SWEEP_held_out, &same);

    printf("always %s: mean %.2f %%, worst %.1f %%\n", table->kernel[same],
           100 * always.mean, 100 * always.worst);
}

/* The shape of `table` in the peers' table; NULL: they have no time there. */
static const struct sweep_shape *peer_at(const struct sweep_table *peers,
                                         const struct sweep_shape *shape)
{
    for (int i = 0; i < peers->n_shapes; i++)
        if (peers->shapes[i].set == shape->set &&
            memcmp(peers->shapes[i].dim, shape->dim, sizeof shape->dim) == 0)
            return &peers->shapes[i];
    return NULL;
}

/* How fast the choices are beside each peer: its time over theirs. */
static void print_peers(const struct sweep *sweep,
                        const struct sweep_table *table, const int *choice)
{
    struct sweep_table peers = sweep_peers(sweep);

    for (int p = 0; p < peers.n_kernels; p++) {
        double logs = 0, worst = INFINITY;
        int n = 0;

        for (int i = 0; i < table->n_shapes; i++) {
            const struct sweep_shape *at = peer_at(&peers, &table->shapes[i]);
            double ratio = at ? at->ms[p] / table->shapes[i].ms[choice[i]]
                              : NAN;

            if (table->shapes[i].set != SWEEP_held_out || !(ratio > 0))
                continue;
            logs += log(ratio);
            worst = fmin(worst, ratio);
            n++;
        }
        if (n > 0)
            printf("beside %s at %d of them: %.1f %% of its speed (geometric "
                   "mean), %.1f %% at worst\n", peers.kernel[p], n,
                   100 * exp(logs / n), 100 * worst);
    }
    free(peers.shapes);
}

static const char *names[SWEEP_KERNELS]; /* of the table's kernels */

/* A file that begins with where its data come from. header: what it includes
 * besides study.h. */
static FILE *begin_file(const char *path, const struct sweep_about *about,
                        const char *header)
{
    FILE *out = fopen(path, "w");

    if (!out)
        end_path("cannot write", path);
    fprintf(out, "// Made by make tune, of times %s for %s, driver %s, power "
            "limit %s,\n// %s, commit %s.\n#include \"op/study.h\"\n%s\n"
            "// The kernel for a product, an index into the sweep's.\n",
            about->source, about->gpu, about->driver, about->power_limit,
            about->date, about->commit, header);
    return out;
}

static void end_file(FILE *out, const char *what, const char *path)
{
    bool whole = !ferror(out); /* errno is that of the write */

    if (fclose(out) != 0 || !whole)
        end_path("cannot write", path);
    printf("%s: %s\n", what, path);
}

/* Its regret alone: what a program includes is the tree, or trees of another
 * kind. */
static void try_forest(forest_step step, const struct sweep *sweep,
                       const struct sweep_table *table, int depth, int trees)
{
    struct forest forest;
    int n, *choice;
    struct study_example *examples = examples_train(table, &n);
    const char *defect = forest_fit(&forest, step, trees, examples, n,
                                    table->n_kernels, depth, 1);
    char whose[64];

    if (defect)
        end(defect);
    choice = choices_of(table, &forest);
    snprintf(whose, sizeof whose, "a forest of %d trees", trees);
    print_regret(whose, sweep, table, choice);
    print_peers(sweep, table, choice);
    free(choice);
    free(examples);
    forest_free(&forest);
}

static struct model_about read_about(const struct sweep *sweep,
                                     const struct sweep_table *table,
                                     const char *path)
{
    static struct sweep_kernels list;
    struct model_about about;
    char error[512];

    if (!kernels_read(path, &list, error, sizeof error) ||
        !model_about(&about, &sweep->about, table, &list, error, sizeof error))
        end(error);
    return about;
}

/* The training shapes, first in *shapes; returns how many. What is not given
 * cannot be fitted to. */
static int training(const struct sweep_table *table,
                    struct sweep_shape **shapes)
{
    int n = 0;

    *shapes = calloc((size_t)table->n_shapes + 1, sizeof **shapes);
    if (!*shapes)
        end("out of memory");
    for (int i = 0; i < table->n_shapes; i++)
        if (table->shapes[i].set == SWEEP_train)
            (*shapes)[n++] = table->shapes[i];
    return n;
}

/* Trees of another kind: foresee.h. Training shapes settle how they are. path:
 * where they are written as C. */
static void try_foresee(const struct sweep *sweep,
                        const struct sweep_table *table, int trees,
                        const char *path, const char *candidates)
{
    struct model_about about = read_about(sweep, table, candidates);
    int *choice = calloc((size_t)table->n_shapes + 1, sizeof *choice);
    struct foresee_settings settings;
    struct sweep_shape *shapes;
    struct foresee foresee;
    int n = training(table, &shapes), tried;
    char whose[64];
    double regret;
    FILE *out;

    if (!choice)
        end("out of memory");
    settings = foresee_settle(&about, trees, shapes, n, 1, &tried, &regret);
    printf("cross-validation among %d training shapes, %d settings: %.2f %% "
           "by %d features, %d on a side, off by a factor of %g at most\n", n,
           tried, 100 * regret, settings.features, settings.few,
           settings.most);
    foresee_fit(&foresee, &about, settings, trees, shapes, n, 1);
    for (int i = 0; i < table->n_shapes; i++)
        choice[i] = foresee_choose(&foresee, table->shapes[i].dim);
    snprintf(whose, sizeof whose, "a model and %d trees", trees);
    print_regret(whose, sweep, table, choice);
    print_peers(sweep, table, choice);
    out = begin_file(path, &sweep->about, "#include \"sweep/plan.h\"\n");
    foresee_print(out, &foresee, names);
    end_file(out, "these trees", path);
    free(choice);
    free(shapes);
    foresee_free(&foresee);
}

/* Another card by name, or the same one that has become another. */
static int probe(const char *path, const struct sweep_about *about,
                 const struct sweep_table *table)
{
    struct sweep sweep;
    struct sweep_table now = read_table(path, &sweep);
    struct drift d = drift_of(table, &now);

    if (strcmp(about->gpu, sweep.about.gpu) != 0 ||
        strcmp(about->driver, sweep.about.driver) != 0 ||
        strcmp(about->power_limit, sweep.about.power_limit) != 0)
        printf("the sweep is of %s, driver %s, power limit %s; this is %s, "
               "driver %s, power limit %s\n", about->gpu, about->driver,
               about->power_limit, sweep.about.gpu, sweep.about.driver,
               sweep.about.power_limit);
    if (d.n == 0)
        end("the probe has no shape in common with the sweep");
    printf("at %d shapes, times are now %.2f times the sweep's; its choices "
           "lose %.1f %%\n", d.n, d.times, 100 * d.old_choice.mean);
    if (d.worst >= 0)
        printf("%s has lost most\n", table->kernel[d.worst]);
    if (!(d.old_choice.mean > much))
        return 0;
    printf("sweep again: make sweep\n");
    return 3;
}

int main(int argc, char **argv)
{
    enum {
        STEP = 1, SWEEP, DEPTH, TREES, TREE_H, FOREST_H, CANDIDATES, PROBE
    };
    static struct study_node nodes[1][STUDY_NODES];
    struct forest tree = {.n = 1, .tree = nodes};
    struct study_example *examples;
    struct sweep_table table;
    struct sweep sweep;
    const char *defect;
    forest_step step;
    int depth, n, *choice;
    FILE *out;

    if (argc <= CANDIDATES)
        end("usage: tune STEP.so SWEEP.tsv DEPTH TREES TREE.h FOREST.h "
            "CANDIDATES.tsv [PROBE.tsv]");
    depth = atoi(argv[DEPTH]);
    if (depth < 0 || depth > STUDY_DEPTH)
        end("a tree has 0 to 8 questions one after the other");
    table = read_table(argv[SWEEP], &sweep);
    tree.n_kernels = table.n_kernels;
    for (int k = 0; k < table.n_kernels; k++)
        names[k] = table.kernel[k];
    step = load_step(argv[STEP]);
    examples = examples_train(&table, &n);
    defect = tree_defect(nodes[0],
                         step(examples, n, table.n_kernels, depth, nodes[0]),
                         depth, table.n_kernels);
    if (defect)
        end(defect);
    choice = choices_of(&table, &tree);
    print_regret("regret", &sweep, &table, choice);
    print_peers(&sweep, &table, choice);
    print_always(&table);
    if (atoi(argv[TREES]) > 0)
        try_forest(step, &sweep, &table, depth, atoi(argv[TREES]));
    if (atoi(argv[TREES]) > 0)
        try_foresee(&sweep, &table, atoi(argv[TREES]), argv[FOREST_H],
                    argv[CANDIDATES]);
    out = begin_file(argv[TREE_H], &sweep.about, "");
    tree_print(out, nodes[0], names);
    end_file(out, "the tree", argv[TREE_H]);
    free(choice);
    free(examples);
    return argc > PROBE ? probe(argv[PROBE], &sweep.about, &table) : 0;
}
