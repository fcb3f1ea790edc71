// SPDX-License-Identifier: MIT
// mistake: copies from the device into the inputs
// chapter: 01 program
// expect: MEMORY
// say: uninitiali[sz]ed|never written
//> todo copy-in
    CHECK(cudaMemcpy((void *)a, gpu_a, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy((void *)b, gpu_b, bytes, cudaMemcpyDeviceToHost));
//< todo
