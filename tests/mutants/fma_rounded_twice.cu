// SPDX-License-Identifier: MIT
// mutant: a product and a sum, each rounded, for the fmaf of step()
// chapter: 03 fma
// expect: WRONG rounding
// say: no error is allowed here
// say: fmaf
//> todo kernel (about 16 lines)
    unsigned first = blockIdx.x * blockDim.x * CHAINS + threadIdx.x;
    unsigned end = n;
    float value[CHAINS];

#pragma unroll
    for (int j = 0; j < CHAINS; j++) {
        unsigned i = first + j * blockDim.x; // may pass n in the last block

        value[j] = i < end ? from[i] : 0;
    }
#pragma unroll 16 // the loop's own instructions, once in 16 rounds
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int j = 0; j < CHAINS; j++)
            value[j] = ROOF_TIMES * value[j] + ROOF_PLUS;
#pragma unroll
    for (int j = 0; j < CHAINS; j++) {
        unsigned i = first + j * blockDim.x;

        if (i < end)
            to[i] = value[j];
    }
    //< todo
