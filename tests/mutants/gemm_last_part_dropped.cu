// SPDX-License-Identifier: MIT
// mutant: the join leaves out the last part of k
// chapter: 15 split
// expect: WRONG|MEMORY
// shape: M130 N131 K200
    //> todo launch (about 13 lines)
    unsigned across = (shape.N - 1) / BN + 1, down = (shape.M - 1) / BM + 1;
    size_t bytes = (size_t)B | (size_t)C;
    int floats = shape.N | shape.ldb | shape.ldc, parts = parts_of(shape);
    bool wide = bytes % sizeof(float4) == 0 && floats % 4 == 0;
    float *partial = (float *)workspace;

    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         ON_CHIP);
    gemm<<<across * down * parts, THREADS, ON_CHIP, stream>>>(
        A, B, C, shape, alpha, beta, wide, parts, partial);
    if (parts > 1)
        join<<<across * down * (BM * BN / 4 / THREADS), THREADS, 0, stream>>>(
            partial, C, shape, alpha, beta, wide, parts - 1);
    //< todo
