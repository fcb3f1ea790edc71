// SPDX-License-Identifier: MIT
// mistake: cudaMalloc gets n, not n * sizeof(float)
// chapter: 01 program
// expect: MEMORY past the end|bytes
// say: program\.cu:[0-9]+
//> todo allocate
    CHECK(cudaMalloc(&gpu_a, n));
    CHECK(cudaMalloc(&gpu_b, n));
    CHECK(cudaMalloc(&gpu_c, n));
//< todo
//> todo copy-in
    CHECK(cudaMemcpy(gpu_a, a, n, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(gpu_b, b, n, cudaMemcpyHostToDevice));
//< todo
