// SPDX-License-Identifier: MIT
/*
 * forest.c: whether trees that make tune has written as C choose what the same
 * trees choose in memory, and how long they take.
 *
 *   forest SWEEP.tsv CANDIDATES.tsv TREES
 *
 * DISPATCH is what make tune FROM=SWEEP.tsv FOREST=TREES has written. The trees
 * are fitted again, as tune.c does it. Exit code 1: a choice is another one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sweep/foresee.h"
#include DISPATCH

static bool fit(struct foresee *f, const struct sweep *sweep,
                const struct sweep_table *table, const char *candidates,
                int trees)
{
    struct sweep_shape *train = calloc((size_t)table->n_shapes, sizeof *train);
    static struct sweep_kernels list;
    struct model_about about;
    char error[512];
    int n = 0, tried;
    double regret;

    if (!train || !kernels_read(candidates, &list, error, sizeof error) ||
        !model_about(&about, &sweep->about, table, &list, error, sizeof error))
        return false;
    for (int i = 0; i < table->n_shapes; i++)
        if (table->shapes[i].set == SWEEP_train)
            train[n++] = table->shapes[i];
    foresee_fit(f, &about,
                foresee_settle(&about, trees, train, n, 1, &tried, &regret),
                trees, train, n, 1);
    free(train);
    return true;
}

/* Of one choice, in microseconds, over all held-out shapes. */
static double time_of(const struct sweep_table *table)
{
    enum { ROUNDS = 20 };
    struct timespec from, to;
    volatile int sum = 0;
    int n = 0;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < table->n_shapes; i++)
            if (table->shapes[i].set == SWEEP_held_out) {
                const int *d = table->shapes[i].dim;

                sum += dispatch(d[0], d[1], d[2]);
                n++;
            }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    return (1e6 * (double)(to.tv_sec - from.tv_sec) +
            1e-3 * (double)(to.tv_nsec - from.tv_nsec)) / n;
}

int main(int argc, char **argv)
{
    enum { PATH = 1, CANDIDATES, TREES };
    bool seen[STUDY_KERNELS] = {false};
    int n = 0, kernels = 0, others = 0;
    struct sweep_table table;
    struct sweep sweep;
    struct foresee f;
    char error[512];

    if (argc <= TREES || !sweep_read(argv[PATH], &sweep, error, sizeof error))
        return 2;
    table = sweep_table(&sweep);
    if (!fit(&f, &sweep, &table, argv[CANDIDATES], atoi(argv[TREES])))
        return 2;
    for (int i = 0; i < table.n_shapes; i++) {
        const int *d = table.shapes[i].dim;
        int choice;

        if (table.shapes[i].set != SWEEP_held_out)
            continue;
        choice = foresee_choose(&f, d);
        others += dispatch(d[0], d[1], d[2]) != choice;
        kernels += !seen[choice];
        seen[choice] = true;
        n++;
    }
    printf("%d choices, %d kernels, %d differ; %.2f us each\n", n, kernels,
           others, time_of(&table));
    foresee_free(&f);
    free(table.shapes);
    sweep_free(&sweep);
    return others > 0;
}
