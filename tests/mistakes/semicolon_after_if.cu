// SPDX-License-Identifier: MIT
// mistake: a semicolon right after the guard
// chapter: 01 add
// expect: MEMORY
// say: The ; on line [0-9]+, right behind `if \(i < n\)`, ends it
//> todo kernel
    unsigned first = blockIdx.x * blockDim.x * EACH + threadIdx.x;

    for (int j = 0; j < EACH; j++) {
        unsigned i = first + j * blockDim.x;

        if (i < n);
            c[i] = a[i] + b[i];
    }
//< todo
