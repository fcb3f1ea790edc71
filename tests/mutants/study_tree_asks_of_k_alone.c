// SPDX-License-Identifier: MIT
// mutant: questions about the first feature alone
// chapter: 23 tree
// expect: WRONG
// say: fastest kernel at all
//> todo question
    sort_by(f, order, n, 0);
    for (int i = 3; i <= n - 3; i++) {
        double below = f->examples[order[i - 1]].feature[0];
        double above = f->examples[order[i]].feature[0];
        int kernel;
        double sum;

        if (below == above)
            continue;
        sum = best_answer(f, order, i, &kernel) +
              best_answer(f, order + i, n - i, &kernel);
        if (sum < least) {
            least = sum;
            cut = i;
            node->feature = 0;
            node->threshold = 0.5 * (below + above);
        }
    }
//< todo
