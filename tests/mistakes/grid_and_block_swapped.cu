// SPDX-License-Identifier: MIT
// mistake: <<<threads, blocks>>>
// chapter: 01 add
// expect: LAUNCH 1024
// say: threads (in )?a block|threads per block
//> todo launch
    unsigned blocks = ((unsigned)shape.N + THREADS - 1) / THREADS;

    add<<<THREADS, blocks, 0, stream>>>(a, b, c, shape.N);
//< todo
