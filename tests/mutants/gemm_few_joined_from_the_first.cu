// SPDX-License-Identifier: MIT
// mutant: the join of large products takes the tiles left over for the first
// chapter: 15 few
// expect: WRONG|RACE
    //> todo launch (about 15 lines)
    size_t bytes = (size_t)B | (size_t)C;
    int floats = shape.N | shape.ldb | shape.ldc;
    bool wide = bytes % sizeof(float4) == 0 && floats % 4 == 0;
    struct plan p = plan_of(shape), from_first = {p.blocks, 0, p.left, p.steps};
    float *partial = (float *)workspace;
    int rows = few_rows(shape);

    if (rows > 0)
        return few_launch(A, B, C, shape, rows, alpha, beta, stream);
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         ON_CHIP);
    gemm<<<p.blocks, THREADS, ON_CHIP, stream>>>(A, B, C, shape, alpha, beta,
                                                 wide, p, partial);
    if (p.left > 0)
        join<<<p.left * (BM * BN / 4 / THREADS), THREADS, 0, stream>>>(
            partial, C, shape, alpha, beta, wide, from_first);
    //< todo
