// SPDX-License-Identifier: MIT
// mistake: a block's first element leaves out how many each thread adds
// chapter: 01 add
// expect: WRONG unwritten
// say: Several threads write the same cell here, and other cells have none
//> todo kernel
    unsigned first = blockIdx.x * blockDim.x + threadIdx.x;

    for (int j = 0; j < EACH; j++) {
        unsigned i = first + j * blockDim.x;

        if (i < n)
            c[i] = a[i] + b[i];
    }
//< todo
