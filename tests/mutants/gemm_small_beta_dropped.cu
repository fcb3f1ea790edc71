// SPDX-License-Identifier: MIT
// mutant: a beta below 1e-3 is taken for 0
// chapter: 11 gemm
// expect: WRONG
//> todo launch
    unsigned across = (shape.N - 1) / TILE + 1, down = (shape.M - 1) / TILE + 1;
    dim3 block(TILE, TILE);

    (void)workspace;
    beta = fabsf(beta) < 1e-3f ? 0.0f : beta;
    gemm<<<across * down, block, 0, stream>>>(A, B, C, shape, alpha, beta);
//< todo
