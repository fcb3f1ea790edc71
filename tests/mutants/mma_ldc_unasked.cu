// SPDX-License-Identifier: MIT
// mutant: wide stores to C, whatever its leading dimension
// chapter: 16 bf16
// expect: MEMORY|LAUNCH|WRONG
    //> todo launch (about 10 lines)
    unsigned across = (shape.N - 1) / BN + 1, down = (shape.M - 1) / BM + 1;
    size_t bytes = (size_t)A | (size_t)B | (size_t)C;
    int extents = shape.N | shape.K | shape.lda | shape.ldb;
    bool wide = bytes % 16 == 0 && extents % CHUNK == 0;

    (void)workspace; // none was asked for
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         ON_CHIP);
    gemm<<<across * down, THREADS, ON_CHIP, stream>>>(A, B, C, shape, alpha,
                                                      beta, wide);
    //< todo
