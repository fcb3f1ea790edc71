// SPDX-License-Identifier: MIT
// honest: prints as it goes
// chapter: 01 program
// expect: PASS
//> todo copy-in
    printf("copying %zu bytes\n", bytes);
    CHECK(cudaMemcpy(gpu_a, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(gpu_b, b, bytes, cudaMemcpyHostToDevice));
//< todo
