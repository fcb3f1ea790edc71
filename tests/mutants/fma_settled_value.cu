// SPDX-License-Identifier: MIT
// mutant: writes the limit that all chains approach
// chapter: 03 fma
// expect: WRONG
//> todo kernel
    unsigned first = blockIdx.x * blockDim.x * CHAINS + threadIdx.x;

    (void)from, (void)rounds;
    for (int j = 0; j < CHAINS; j++)
        if (first + j * blockDim.x < (unsigned)n)
            to[first + j * blockDim.x] = ROOF_PLUS / (1 - ROOF_TIMES);
//< todo
