// SPDX-License-Identifier: MIT
// mistake: threadIdx.x without blockIdx.x
// chapter: 01 add
// expect: WRONG unwritten
// say: index lack blockIdx.x \* blockDim.x
//> todo kernel
    unsigned i = threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
//< todo
