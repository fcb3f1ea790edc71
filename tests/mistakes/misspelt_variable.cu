// SPDX-License-Identifier: MIT
// mistake: a name that does not exist
// chapter: 01 add
// expect: BUILD undefined
// say: "B"
// say: add\.cu[:(][0-9]+
//> todo kernel
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + B[i];
//< todo
