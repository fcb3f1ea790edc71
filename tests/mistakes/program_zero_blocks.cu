// SPDX-License-Identifier: MIT
// mistake: a launch that fails, and the error is not checked
// chapter: 01 program
// expect: LAUNCH 0 blocks|no blocks
//> todo launch
    unsigned blocks = n / 1000000;

    add<<<blocks, THREADS>>>(gpu_a, gpu_b, gpu_c, n);
//< todo
