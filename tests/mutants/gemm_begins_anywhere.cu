// SPDX-License-Identifier: MIT
// mutant: nobody asks where the matrices begin
// chapter: 14 gemm
// expect: MEMORY misaligned
    //> todo launch (about 8 lines)
    unsigned across = (shape.N - 1) / BN + 1, down = (shape.M - 1) / BM + 1;
    int floats = shape.lda | shape.ldb | shape.ldc;
    bool wide = floats % 4 == 0;

    (void)workspace; // none was asked for
    gemm<<<across * down, THREADS, 0, stream>>>(A, B, C, shape, alpha, beta,
                                                wide);
    //< todo
