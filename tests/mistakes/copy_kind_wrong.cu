// SPDX-License-Identifier: MIT
// mistake: the copy in says cudaMemcpyDeviceToHost
// chapter: 01 program
// expect: CRASH cudaMemcpy
// say: invalid argument|cudaErrorInvalid|direction
//> todo copy-in
    CHECK(cudaMemcpy(gpu_a, a, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(gpu_b, b, bytes, cudaMemcpyDeviceToHost));
//< todo
