// SPDX-License-Identifier: MIT
// mutant: the join takes the tiles left over for the first ones
// chapter: 15 gemm
// expect: WRONG|RACE
    //> todo launch (about 13 lines)
    size_t bytes = (size_t)B | (size_t)C;
    int floats = shape.N | shape.ldb | shape.ldc;
    bool wide = bytes % sizeof(float4) == 0 && floats % 4 == 0;
    struct plan p = plan_of(shape), from_first = {p.blocks, 0, p.left, p.steps};
    float *partial = (float *)workspace;

    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         ON_CHIP);
    gemm<<<p.blocks, THREADS, ON_CHIP, stream>>>(A, B, C, shape, alpha, beta,
                                                 wide, p, partial);
    if (p.left > 0)
        join<<<p.left * (BM * BN / 4 / THREADS), THREADS, 0, stream>>>(
            partial, C, shape, alpha, beta, wide, from_first);
    //< todo
