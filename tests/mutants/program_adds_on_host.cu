// SPDX-License-Identifier: MIT
// mutant: a kernel is launched for show, and the host adds
// chapter: 01 program
// expect: TECHNIQUE
// say: not all of the inputs
//> todo launch
    add<<<1, 1>>>(gpu_a, gpu_b, gpu_c, 0);
    CHECK(cudaGetLastError());
//< todo
//> todo copy-back
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
//< todo
