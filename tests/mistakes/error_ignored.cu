// SPDX-License-Identifier: MIT
// mistake: 2048 threads a block, and nobody looks at the error
// chapter: 01 program
// expect: LAUNCH 1024
// say: 2048
//> todo launch
    add<<<(n + 2047) / 2048, 2048>>>(gpu_a, gpu_b, gpu_c, n);
//< todo
