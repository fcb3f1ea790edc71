// SPDX-License-Identifier: MIT
/*
 * tree.c: see tree.h.
 */
#include "sweep/tree.h"

#include <stddef.h>

/* Of the part below node `at`, which may ask `depth` questions more. */
static const char *defect_below(const struct study_node *nodes, int n, int at,
                                int depth, int n_kernels)
{
    const struct study_node *node;
    const char *defect;

    if (at < 0 || at >= n)
        return "a question leads to a node that does not exist";
    node = &nodes[at];
    if (node->feature < 0)
        return node->kernel >= 0 && node->kernel < n_kernels
                   ? NULL
                   : "an answer is no kernel's index";
    if (node->feature >= STUDY_FEATURES)
        return "a question is about a feature that does not exist";
    if (depth == 0)
        return "it asks more questions than the depth allows";
    defect = defect_below(nodes, n, node->yes, depth - 1, n_kernels);
    return defect ? defect
                  : defect_below(nodes, n, node->no, depth - 1, n_kernels);
}

const char *tree_defect(const struct study_node *nodes, int n, int depth,
                        int n_kernels)
{
    if (n < 1 || n > (2 << depth) - 1)
        return "it has no nodes, or more than its depth allows";
    return defect_below(nodes, n, 0, depth, n_kernels);
}

int tree_choose(const struct study_node *nodes,
                const double feature[STUDY_FEATURES])
{
    int at = 0;

    while (nodes[at].feature >= 0)
        at = feature[nodes[at].feature] <= nodes[at].threshold ? nodes[at].yes
                                                               : nodes[at].no;
    return nodes[at].kernel;
}

static void print_below(FILE *out, const struct study_node *nodes, int at,
                        int indent, const char *const *names)
{
    const struct study_node *node = &nodes[at];

    if (node->feature < 0) {
        fprintf(out, "%*sreturn %d; // %s\n", indent, "", node->kernel,
                names[node->kernel]);
        return;
    }
    fprintf(out, "%*sif (feature[%d] <= %.17g) {\n", indent, "",
            node->feature, node->threshold);
    print_below(out, nodes, node->yes, indent + 4, names);
    fprintf(out, "%*s}\n", indent, "");
    print_below(out, nodes, node->no, indent, names);
}

void tree_print(FILE *out, const struct study_node *nodes,
                const char *const *names)
{
    fprintf(out, "static int dispatch(int M, int N, int K)\n{\n"
            "    double feature[STUDY_FEATURES];\n\n"
            "    study_features((struct study_shape){M, N, K}, feature);\n");
    print_below(out, nodes, 0, 4, names);
    fprintf(out, "}\n");
}
