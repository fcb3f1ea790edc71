// SPDX-License-Identifier: MIT
// mistake: `i <= n` for `i < n`
// chapter: 01 add
// expect: MEMORY past the end of [abc]
// say: add\.cu:[0-9]+
// say: 4 bytes
// say: lets a thread in if `i <= n`
//> todo kernel
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i <= n)
        c[i] = a[i] + b[i];
//< todo
