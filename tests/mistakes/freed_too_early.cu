// SPDX-License-Identifier: MIT
// mistake: the result is freed before it is copied back
// chapter: 01 program
// expect: CRASH cudaMemcpy.*freed|freed.*cudaMemcpy
//> todo launch
    unsigned blocks = ((unsigned)n + THREADS - 1) / THREADS;

    add<<<blocks, THREADS>>>(gpu_a, gpu_b, gpu_c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(gpu_c));
//< todo
