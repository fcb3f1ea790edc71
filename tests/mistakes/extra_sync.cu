// SPDX-License-Identifier: MIT
// mistake: waits for the device in the launcher
// chapter: 01 add
// expect: REFUSED waits
//> todo launch
    unsigned blocks = ((unsigned)shape.N + THREADS - 1) / THREADS;

    add<<<blocks, THREADS, 0, stream>>>(a, b, c, shape.N);
    cudaDeviceSynchronize();
//< todo
