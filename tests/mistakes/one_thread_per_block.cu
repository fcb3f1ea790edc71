// SPDX-License-Identifier: MIT
// mistake: one thread per block
// chapter: 01 add
// expect: TECHNIQUE
// say: One thread per block is a warp with 31 idle lanes
//> todo kernel
    int i = blockIdx.x;
    if (i < n) c[i] = a[i] + b[i];
//< todo
//> todo launch
    add<<<shape.N, 1, 0, stream>>>(a, b, c, shape.N);
//< todo
