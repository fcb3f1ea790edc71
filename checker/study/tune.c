// SPDX-License-Identifier: MIT
/*
 * tune.c: a step's dispatcher, fitted to a sweep and printed: `make tune`.
 *
 *   tune STEP.so SWEEP.tsv DEPTH OUT.h [PROBE.tsv]
 *
 * STEP.so exports study_tree. Writes the tree as C, with where its data come
 * from on top, and prints what it loses at the held-out shapes. PROBE is a
 * short sweep of the machine at hand: then it says whether the long one still
 * holds. Exit code 3: it does not.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/drift.h"
#include "sweep/tree.h"

static const double much = 0.1; /* regret that asks for a new sweep */

static void end(const char *words)
{
    fprintf(stderr, "%s\n", words);
    exit(2);
}

static struct sweep_table read_table(const char *path, struct sweep *sweep)
{
    char error[512];

    if (!sweep_read(path, sweep, error, sizeof error))
        end(error);
    return sweep_table(sweep);
}

static struct study_shape shape_of(const struct sweep_shape *s)
{
    return (struct study_shape){s->dim[0], s->dim[1], s->dim[2]};
}

/* Training shapes alone: what is not given cannot be fitted to. */
static int fit(const char *step, const struct sweep_table *table, int depth,
               struct study_node *nodes)
{
    int (*tree)(const struct study_example *, int, int, int,
                struct study_node *);
    void *library = dlopen(step, RTLD_NOW | RTLD_LOCAL);
    void *found = library ? dlsym(library, "study_tree") : NULL;
    struct study_example *e =
        calloc((size_t)table->n_shapes + 1, sizeof *e);
    const char *defect;
    int n = 0, n_nodes;

    if (!found || !e)
        end(found ? "out of memory" : dlerror());
    memcpy(&tree, &found, sizeof tree);
    for (int i = 0; i < table->n_shapes; i++)
        if (table->shapes[i].set == SWEEP_train) {
            study_features(shape_of(&table->shapes[i]), e[n].feature);
            memcpy(e[n++].ms, table->shapes[i].ms, sizeof e->ms);
        }
    n_nodes = tree(e, n, table->n_kernels, depth, nodes);
    defect = tree_defect(nodes, n_nodes, depth, table->n_kernels);
    if (defect)
        end(defect);
    free(e);
    return n_nodes;
}

static void print_regret(const struct sweep_table *table,
                         const struct study_node *nodes)
{
    int *choice = calloc((size_t)table->n_shapes + 1, sizeof *choice), same;
    struct regret r, always = regret_always(table, SWEEP_held_out, &same);

    if (!choice)
        end("out of memory");
    for (int i = 0; i < table->n_shapes; i++) {
        double feature[STUDY_FEATURES];

        study_features(shape_of(&table->shapes[i]), feature);
        choice[i] = tree_choose(nodes, feature);
    }
    r = regret_of(table, SWEEP_held_out, choice);
    printf("regret over %d held-out shapes: mean %.2f %%, 95th %.1f %%, "
           "99th %.1f %%, worst %.1f %%\n", r.n, 100 * r.mean, 100 * r.p95,
           100 * r.p99, 100 * r.worst);
    printf("always %s: mean %.2f %%, worst %.1f %%\n", table->kernel[same],
           100 * always.mean, 100 * always.worst);
    free(choice);
}

static void write_tree(const char *path, const struct sweep_about *about,
                       const struct sweep_table *table,
                       const struct study_node *nodes)
{
    const char *names[SWEEP_KERNELS];
    FILE *out = fopen(path, "w");

    if (!out)
        end("the tree cannot be written");
    for (int k = 0; k < table->n_kernels; k++)
        names[k] = table->kernel[k];
    fprintf(out, "// Made by make tune, of times %s for %s, driver %s, power "
            "limit %s,\n// %s, commit %s.\n#include \"op/study.h\"\n\n"
            "// The kernel for a product, an index into the sweep's.\n",
            about->source, about->gpu, about->driver, about->power_limit,
            about->date, about->commit);
    tree_print(out, nodes, names);
    if (fclose(out) != 0)
        end("the tree cannot be written");
    printf("the tree: %s\n", path);
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
    enum { STEP = 1, SWEEP, DEPTH, OUT, PROBE };
    static struct study_node nodes[STUDY_NODES];
    struct sweep sweep;
    struct sweep_table table;
    int depth;

    if (argc <= OUT)
        end("usage: tune STEP.so SWEEP.tsv DEPTH OUT.h [PROBE.tsv]");
    depth = atoi(argv[DEPTH]);
    if (depth < 0 || depth > STUDY_DEPTH)
        end("a tree has 0 to 6 questions one after the other");
    table = read_table(argv[SWEEP], &sweep);
    fit(argv[STEP], &table, depth, nodes);
    print_regret(&table, nodes);
    write_tree(argv[OUT], &sweep.about, &table, nodes);
    return argc > PROBE ? probe(argv[PROBE], &sweep.about, &table) : 0;
}
