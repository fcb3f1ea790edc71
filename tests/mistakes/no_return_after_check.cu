// SPDX-License-Identifier: MIT
// mistake: the check is there, the `return` is not
// chapter: 01 add
// expect: MEMORY past the end of [abc]
//> todo kernel
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) {
        /* nothing to do here */
    }
    c[i] = a[i] + b[i];
//< todo
