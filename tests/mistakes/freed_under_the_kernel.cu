// SPDX-License-Identifier: MIT
// mistake: an input is freed before the launch
// chapter: 01 program
// expect: MEMORY freed
//> todo launch
    unsigned blocks = ((unsigned)n + THREADS - 1) / THREADS;

    CHECK(cudaFree(gpu_a));
    add<<<blocks, THREADS>>>(gpu_a, gpu_b, gpu_c, n);
    CHECK(cudaGetLastError());
//< todo
//> todo free
    CHECK(cudaFree(gpu_b));
    CHECK(cudaFree(gpu_c));
//< todo
