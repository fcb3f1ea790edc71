// SPDX-License-Identifier: MIT
// mutant: questions about the first feature alone
// chapter: 23 tree
// expect: WRONG
// say: print each question
// say: fastest kernel at all
//> todo question
    double yes[STUDY_KERNELS] = {0}, no[STUDY_KERNELS] = {0};

    sort_by(f, order, n, 0);
    for (int i = 0; i < n; i++)
        add(f, no, order[i], 1);
    for (int i = 1; i <= n - 3; i++) {
        double below = f->examples[order[i - 1]].feature[0];
        double above = f->examples[order[i]].feature[0];
        int kernel;
        double sum;

        add(f, yes, order[i - 1], 1);
        add(f, no, order[i - 1], -1);
        if (i < 3 || below == above)
            continue;
        sum = best_answer(f, yes, &kernel) + best_answer(f, no, &kernel);
        if (sum < least) {
            least = sum;
            cut = i;
            node->feature = 0;
            node->threshold = 0.5 * (below + above);
        }
    }
//< todo
