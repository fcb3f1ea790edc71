// SPDX-License-Identifier: MIT
// mutant: the answer of a side is the kernel that loses most there
// chapter: 23 tree
// expect: WRONG
// say: it asks nothing
// say: tells? the fastest kernel at all
//> todo answer
    least = -1;
    for (int k = 0; k < f->n_kernels; k++)
        if (sums[k] > least) {
            least = sums[k];
            *kernel = k;
        }
//< todo
