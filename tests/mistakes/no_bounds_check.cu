// SPDX-License-Identifier: MIT
// mistake: no check against n
// chapter: 01 add
// expect: MEMORY past the end of [abc]
// say: add\.cu:[0-9]+
// say: i < n|bound|n elements|extent
//> todo kernel
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    c[i] = a[i] + b[i];
//< todo
