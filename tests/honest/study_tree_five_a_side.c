// SPDX-License-Identifier: MIT
// honest: from the last place to the first, with five examples on each side
// chapter: 23 tree
// expect: PASS
//> todo question
    for (int feature = STUDY_FEATURES - 1; feature >= 0; feature--) {
        double yes[STUDY_KERNELS] = {0}, no[STUDY_KERNELS] = {0};
        int kernel;

        sort_by(f, order, n, feature);
        for (int i = 0; i < n; i++)
            add(f, yes, order[i], 1);
        for (int i = n - 1; i >= 5; i--) {
            double below = f->examples[order[i - 1]].feature[feature];
            double above = f->examples[order[i]].feature[feature], sum;

            add(f, yes, order[i], -1);
            add(f, no, order[i], 1);
            if (n - i < 5 || below == above)
                continue;
            sum = best_answer(f, yes, &kernel) + best_answer(f, no, &kernel);
            if (sum < least - 1e-6) {
                least = sum;
                cut = i;
                node->feature = feature;
                node->threshold = (below + above) / 2;
            }
        }
    }
    if (cut > 0)
        sort_by(f, order, n, node->feature);
//< todo
