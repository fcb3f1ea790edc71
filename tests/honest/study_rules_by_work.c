// SPDX-License-Identifier: MIT
// honest: rules by the work of a product
// chapter: 23 rules
// expect: PASS
//> todo rules
    double work = (double)s.M * s.N * s.K;

    (void)gpu;
    if (s.K < 128)
        return named("ring64", kernels, n);
    return named(work > 4e9 ? "share256" : "share64", kernels, n);
//< todo
