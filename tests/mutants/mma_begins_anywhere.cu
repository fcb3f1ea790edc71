// SPDX-License-Identifier: MIT
// mutant: nobody asks where the matrices begin
// chapter: 16 gemm
// expect: MEMORY misaligned
    //> todo launch (about 10 lines)
    unsigned across = (shape.N - 1) / BN + 1, down = (shape.M - 1) / BM + 1;
    int extents = shape.N | shape.K | shape.lda | shape.ldb | shape.ldc;
    bool wide = extents % CHUNK == 0;

    (void)workspace; // none was asked for
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         ON_CHIP);
    gemm<<<across * down, THREADS, ON_CHIP, stream>>>(A, B, C, shape, alpha,
                                                      beta, wide);
    //< todo
