// SPDX-License-Identifier: MIT
// mistake: n divided by the block, rounded down: no block for a small n
// chapter: 01 add
// expect: LAUNCH round.* up
// say: 0 blocks|no blocks
//> todo launch
    unsigned blocks = shape.N / (THREADS * EACH);

    add<<<blocks, THREADS, 0, stream>>>(a, b, c, shape.N);
//< todo
