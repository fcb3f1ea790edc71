// SPDX-License-Identifier: MIT
// mutant: picks what is most often the fastest, whatever it loses elsewhere
// chapter: 23 tree
// expect: TECHNIQUE|WRONG
// say: regret_mean_percent|fastest kernel at all
//> todo answer
    int wins[STUDY_KERNELS] = {0};

    *kernel = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < f->n_kernels; k++)
            wins[k] += loss(f, order[i], k) == 0;
    for (int k = 0; k < f->n_kernels; k++)
        if (wins[k] > wins[*kernel])
            *kernel = k;
    least = n - wins[*kernel] > n / 2 ? 0 : 1;
//< todo
