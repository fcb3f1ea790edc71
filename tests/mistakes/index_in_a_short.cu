// SPDX-License-Identifier: MIT
// mistake: the index is kept in a short
// chapter: 01 add
// expect: WRONG c\[
//> todo kernel
    short i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
//< todo
