// SPDX-License-Identifier: MIT
// mutant: 16 times the index leaves an int's range at the size that is timed
// chapter: 01 add
// expect: MEMORY
// say: at N268435456
//> todo kernel
    unsigned first = blockIdx.x * blockDim.x * EACH + threadIdx.x;

#pragma unroll
    for (int j = 0; j < EACH; j++) {
        unsigned i = first + j * blockDim.x;
        int offset = (int)(i * 16u);

        if (i < n)
            c[offset / 16] = a[offset / 16] + b[offset / 16];
    }
//< todo
