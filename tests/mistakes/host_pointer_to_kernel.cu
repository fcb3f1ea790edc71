// SPDX-License-Identifier: MIT
// mistake: the kernel gets the address of a host variable
// chapter: 01 add
// expect: MEMORY host
//> todo launch
    static float zero[1 << 20];
    unsigned blocks = ((unsigned)shape.N + THREADS - 1) / THREADS;

    add<<<blocks, THREADS, 0, stream>>>(zero, b, c, shape.N);
//< todo
