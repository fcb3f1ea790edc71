// SPDX-License-Identifier: MIT
// mistake: blocks for the vectors alone: none for an array of 1 to 3 elements
// chapter: 18 relu
// expect: LAUNCH round.* up
// say: at least one block
//> todo launch
    unsigned vectors = n / 4, blocks = (vectors + THREADS - 1) / THREADS;

    relu<<<blocks, THREADS, 0, stream>>>(x, y, n);
//< todo
