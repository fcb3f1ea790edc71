// SPDX-License-Identifier: MIT
// mistake: a grid of zero blocks
// chapter: 01 add
// expect: LAUNCH 0 blocks|no blocks
//> todo launch
    add<<<0, THREADS, 0, stream>>>(a, b, c, shape.N);
//< todo
