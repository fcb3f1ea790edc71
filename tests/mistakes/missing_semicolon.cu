// SPDX-License-Identifier: MIT
// mistake: a missing semicolon
// chapter: 01 add
// expect: BUILD expected a
// say: add\.cu[:(][0-9]+
// say: the line before
//> todo kernel
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x

    if (i < n)
        c[i] = a[i] + b[i];
//< todo
