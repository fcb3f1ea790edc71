// SPDX-License-Identifier: MIT
/*
 * forest.c: see forest.h.
 */
#include "sweep/forest.h"

#include <stdlib.h>

#include "sweep/uniform.h"
#include "sweep/tree.h"

const char *forest_fit(struct forest *forest, forest_step step, int trees,
                       const struct study_example *examples, int n,
                       int n_kernels, int depth, uint64_t seed)
{
    struct study_example *drawn = calloc((size_t)n + 1, sizeof *drawn);
    const char *defect = NULL;

    *forest = (struct forest){.n_kernels = n_kernels};
    forest->tree = calloc((size_t)trees, sizeof *forest->tree);
    if (!drawn || !forest->tree)
        abort();
    for (; forest->n < trees && !defect; forest->n++) {
        struct study_node *nodes = forest->tree[forest->n];

        for (int i = 0; i < n; i++)
            drawn[i] = examples[(int)(uniform_next(&seed) * n)];
        defect = tree_defect(nodes, step(drawn, n, n_kernels, depth, nodes),
                             depth, n_kernels);
    }
    free(drawn);
    return defect;
}

int forest_choose(const struct forest *forest,
                  const double feature[STUDY_FEATURES])
{
    int votes[STUDY_KERNELS] = {0}, best = 0;

    for (int i = 0; i < forest->n; i++)
        votes[tree_choose(forest->tree[i], feature)]++;
    for (int k = 1; k < forest->n_kernels; k++)
        if (votes[k] > votes[best])
            best = k;
    return best;
}

void forest_free(struct forest *forest)
{
    free(forest->tree);
    forest->tree = NULL;
}
