// SPDX-License-Identifier: MIT
// mistake: the sum is kept in an int
// chapter: 01 add
// expect: WRONG
// say: expected
// say: got
//> todo kernel
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    int sum = 0;

    if (i < n) {
        sum = a[i] + b[i];
        c[i] = sum;
    }
//< todo
