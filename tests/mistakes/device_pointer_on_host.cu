// SPDX-License-Identifier: MIT
// mistake: the launcher reads a device pointer
// chapter: 01 add
// expect: CRASH device (memory|pointer)|GPU.s memory
//> todo launch
    unsigned blocks = ((unsigned)shape.N + THREADS - 1) / THREADS;

    for (int i = 0; i < shape.N; i++)
        c[i] = a[i] + b[i];
    add<<<blocks, THREADS, 0, stream>>>(a, b, c, shape.N);
//< todo
