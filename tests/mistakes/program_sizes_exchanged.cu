// SPDX-License-Identifier: MIT
// mistake: as many threads as there should be blocks: refused beyond 1024
// chapter: 01 program
// expect: LAUNCH 1024
// say: threads (in )?a block|threads per block
//> todo launch
    unsigned blocks = ((unsigned)n + THREADS - 1) / THREADS;

    add<<<THREADS, blocks>>>(gpu_a, gpu_b, gpu_c, n);
    CHECK(cudaGetLastError());
//< todo
