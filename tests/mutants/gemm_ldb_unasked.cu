// SPDX-License-Identifier: MIT
// mutant: wide accesses to B, whatever its leading dimension
// chapter: 15 stages
// expect: MEMORY misaligned
    //> todo launch (about 8 lines)
    unsigned across = (shape.N - 1) / BN + 1, down = (shape.M - 1) / BM + 1;
    size_t bytes = (size_t)B | (size_t)C;
    int floats = shape.N | shape.ldc;
    bool wide = bytes % sizeof(float4) == 0 && floats % 4 == 0;

    (void)workspace; // none was asked for
    gemm<<<across * down, THREADS, 0, stream>>>(A, B, C, shape, alpha, beta,
                                                wide);
    //< todo
