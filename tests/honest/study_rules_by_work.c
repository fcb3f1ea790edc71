// SPDX-License-Identifier: MIT
// honest: rules by the work of a product
// chapter: 23 rules
// expect: PASS
//> todo rules
    double work = (double)s.M * s.N * s.K;

    (void)gpu;
    if (s.K <= 100)
        return named(work > 2e7 ? "column64" : "shared16", kernels, n);
    return named(work > 3e7 ? "share256" : "thin", kernels, n);
//< todo
