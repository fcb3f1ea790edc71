// SPDX-License-Identifier: MIT
// honest: loses time, not octaves, and wants five shapes on each side
// chapter: 23 tree
// expect: PASS
//> todo answer
    for (int k = 0; k < f->n_kernels; k++) {
        double sum = 0;

        for (int i = 0; i < n; i++)
            sum += exp2(loss(f, order[i], k)) - 1;
        if (sum < least) {
            least = sum;
            *kernel = k;
        }
    }
//< todo
