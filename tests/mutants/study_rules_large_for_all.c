// SPDX-License-Identifier: MIT
// mutant: the kernel that is the fastest for large products
// chapter: 23 rules
// expect: TECHNIQUE
// say: regret_mean_percent
//> todo rules
    (void)gpu;
    return named((double)s.M * s.N < 256 ? "ring64" : "share256", kernels, n);
//< todo
