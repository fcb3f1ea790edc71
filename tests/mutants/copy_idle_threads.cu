// SPDX-License-Identifier: MIT
// mutant: moves vectors, but launches a thread per float as before
// chapter: 03 copy
// expect: TECHNIQUE
// say: threads_per_word *0.5
// say: why 0.5 threads per 4 bytes that must move
//> todo launch
    unsigned in_block = THREADS;
    unsigned blocks = ((unsigned)shape.N + in_block - 1) / in_block;

    copy<<<blocks, THREADS, 0, stream>>>(from, to, shape.N);
//< todo
