// SPDX-License-Identifier: MIT
// honest: rules by the work of a product
// chapter: 23 rules
// expect: PASS
//> todo rules
    double work = (double)s.M * s.N * s.K;

    (void)gpu;
    if (s.K <= 50)
        return named(work > 6e6 ? "column64" : "shared16", kernels, n);
    if (s.M <= 4 || s.N <= 4)
        return named("dots", kernels, n);
    return named(work > 1e9 ? "ring64" : "small32", kernels, n);
//< todo
