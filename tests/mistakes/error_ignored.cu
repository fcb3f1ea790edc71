// SPDX-License-Identifier: MIT
// mistake: 2048 threads per block, and the error is not checked
// chapter: 01 program
// expect: LAUNCH 1024
// say: 2048
//> todo launch
    add<<<(n + 2047) / 2048, 2048>>>(gpu_a, gpu_b, gpu_c, n);
//< todo
