// SPDX-License-Identifier: MIT
// honest: the loss is log2 of the time over the best time
// chapter: 23 tree
// expect: PASS
//> todo answer
    for (int k = 0; k < f->n_kernels; k++) {
        double sum = 0;

        for (int i = 0; i < n; i++)
            sum += log2(1 + loss(f, order[i], k));
        if (sum < least) {
            least = sum;
            *kernel = k;
        }
    }
//< todo
