// SPDX-License-Identifier: MIT
// mistake: the kernel gets the host arrays
// chapter: 01 program
// expect: MEMORY host
//> todo launch
    unsigned blocks = ((unsigned)n + THREADS - 1) / THREADS;

    add<<<blocks, THREADS>>>(a, b, c, n);
    CHECK(cudaGetLastError());
//< todo
