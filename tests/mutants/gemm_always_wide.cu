// SPDX-License-Identifier: MIT
// mutant: 128-bit accesses to rows that begin anywhere
// chapter: 14 loads
// expect: MEMORY misaligned
    //> todo launch (about 8 lines)
    unsigned across = (shape.N - 1) / BN + 1, down = (shape.M - 1) / BM + 1;
    bool wide = true;

    (void)workspace; // none was asked for
    gemm<<<across * down, THREADS, 0, stream>>>(A, B, C, shape, alpha, beta,
                                                wide);
    //< todo
