// SPDX-License-Identifier: MIT
// mistake: the index is kept in a float
// chapter: 01 add
// expect: WRONG unwritten|rounding
//> todo kernel
    float i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[(int)i] = a[(int)i] + b[(int)i];
//< todo
