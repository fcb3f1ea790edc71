// SPDX-License-Identifier: MIT
// mistake: the last, partial block is not launched
// chapter: 01 add
// expect: WRONG unwritten
// say: c\[
// say: grid|blocks|threads
//> todo launch
    unsigned in_block = THREADS * EACH;
    unsigned blocks = shape.N > in_block ? shape.N / in_block : 1;

    add<<<blocks, THREADS, 0, stream>>>(a, b, c, shape.N);
//< todo
