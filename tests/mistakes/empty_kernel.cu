// SPDX-License-Identifier: MIT
// mistake: the kernel is still empty
// chapter: 01 add
// expect: WRONG unwritten
// say: add\.cu:[0-9]+
//> todo kernel
    // c[i] = a[i] + b[i] for the i of this thread
//< todo
