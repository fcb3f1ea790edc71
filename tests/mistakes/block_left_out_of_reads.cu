// SPDX-License-Identifier: MIT
// mistake: the inputs are read without the block's part of the index
// chapter: 01 add
// expect: WRONG misplaced
// say: c holds its first 1024 cells again|c holds its first 512 cells again|c holds its first 256 cells again
// say: blockIdx.x \* blockDim.x
//> todo kernel
    unsigned first = blockIdx.x * blockDim.x * EACH + threadIdx.x;

    for (int j = 0; j < EACH; j++) {
        unsigned i = first + j * blockDim.x;
        unsigned mine = j * blockDim.x + threadIdx.x;

        if (i < n)
            c[i] = a[mine] + b[mine];
    }
//< todo
