// SPDX-License-Identifier: MIT
// mistake: the launch passes c where a belongs
// chapter: 01 add
// expect: MEMORY uninitialised
// say: uninitiali[sz]ed|unwritten|never written|input
// say: c
//> todo launch
    unsigned blocks = ((unsigned)shape.N + THREADS - 1) / THREADS;

    add<<<blocks, THREADS, 0, stream>>>(c, b, (float *)a, shape.N);
//< todo
