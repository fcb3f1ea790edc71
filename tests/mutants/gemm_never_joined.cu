// SPDX-License-Identifier: MIT
// mutant: cut tiles are never added up
// chapter: 15 gemm
// expect: WRONG unwritten
// shape: M130 N131 K200
    //> todo launch (about 13 lines)
    size_t bytes = (size_t)B | (size_t)C;
    int floats = shape.N | shape.ldb | shape.ldc;
    bool wide = bytes % sizeof(float4) == 0 && floats % 4 == 0;
    struct plan p = plan_of(shape);
    float *partial = (float *)workspace;

    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         ON_CHIP);
    gemm<<<p.blocks, THREADS, ON_CHIP, stream>>>(A, B, C, shape, alpha, beta,
                                                 wide, p, partial);
    //< todo
