// SPDX-License-Identifier: MIT
// mutant: skips the rounds by the formula for all of them
// chapter: 03 fma
// expect: WRONG
//> todo kernel
    unsigned first = blockIdx.x * blockDim.x * CHAINS + threadIdx.x;
    double settled = ROOF_PLUS / (1 - (double)ROOF_TIMES);
    double left = pow((double)ROOF_TIMES, (double)rounds);

    for (int j = 0; j < CHAINS; j++) {
        unsigned i = first + j * blockDim.x;

        if (i < (unsigned)n)
            to[i] = (float)(settled + (from[i] - settled) * left);
    }
//< todo
