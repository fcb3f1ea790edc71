// SPDX-License-Identifier: MIT
/*
 * tree.h: decision trees, once they are fitted.
 *
 *   tree_defect   what makes an array of nodes no tree
 *   tree_choose   the answer for one shape
 *   tree_print    the same as a function in C
 */
#ifndef SWEEP_TREE_H
#define SWEEP_TREE_H

#include <stdio.h>

#include "op/study.h"

/* NULL: every path from node 0 ends at an answer within `depth` questions. */
const char *tree_defect(const struct study_node *nodes, int n, int depth,
                        int n_kernels);
int tree_choose(const struct study_node *nodes,
                const double feature[STUDY_FEATURES]);
/* "static int dispatch(int M, int N, int K)", which returns an index. names:
 * of the kernels, for comments. */
void tree_print(FILE *out, const struct study_node *nodes,
                const char *const *names);

#endif
