// SPDX-License-Identifier: MIT
// mistake: cudaMemcpy gets n, not n * sizeof(float)
// chapter: 01 program
// expect: MEMORY uninitiali[sz]ed|never written
// say: copy|copied|cudaMemcpy
//> todo copy-in
    CHECK(cudaMemcpy(gpu_a, a, n, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(gpu_b, b, n, cudaMemcpyHostToDevice));
//< todo
