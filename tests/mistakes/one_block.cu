// SPDX-License-Identifier: MIT
// mistake: one block for everything
// chapter: 01 add
// expect: WRONG unwritten
// say: c\[i=[0-9]+\]
// say: grid|blocks|threads
//> todo launch
    add<<<1, THREADS, 0, stream>>>(a, b, c, shape.N);
//< todo
