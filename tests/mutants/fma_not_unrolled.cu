// SPDX-License-Identifier: MIT
// mutant: one round per iteration: the loop costs as much as the work
// chapter: 03 fma
// expect: TECHNIQUE
// say: why It issues
// say: warp_instructions_per_flop
//> todo kernel
    unsigned first = blockIdx.x * blockDim.x * CHAINS + threadIdx.x;

    for (int j = 0; j < CHAINS; j++) {
        unsigned i = first + j * blockDim.x;

        if (i >= (unsigned)n)
            return;
        float value = from[i];
#pragma unroll 1
        for (int r = 0; r < rounds; r++)
            value = step(value);
        to[i] = value;
    }
//< todo
