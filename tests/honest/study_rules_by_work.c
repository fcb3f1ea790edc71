// SPDX-License-Identifier: MIT
// honest: rules by the work of a product
// chapter: 23 rules
// expect: PASS
//> todo rules
    double work = (double)s.M * s.N * s.K;

    (void)gpu;
    if ((double)s.M * s.N <= 1000)
        return named("vector", kernels, n);
    if (s.K <= 50)
        return named(work > 2e6 ? "panel_small" : "shared16", kernels, n);
    if (s.N <= 13)
        return named("dots", kernels, n);
    return named(work > 1e9 ? "share256" : "small32", kernels, n);
//< todo
