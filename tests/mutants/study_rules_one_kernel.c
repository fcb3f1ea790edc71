// SPDX-License-Identifier: MIT
// mutant: a dispatcher that always picks the same kernel
// chapter: 23 rules
// expect: TECHNIQUE
// say: regret_mean_percent
//> todo rules
    (void)s, (void)gpu;
    return named("thin", kernels, n);
//< todo
