// SPDX-License-Identifier: MIT
// mistake: reads the result of an asynchronous copy at once
// chapter: 01 program
// expect: WRONG
// say: synchroni
//> todo copy-back
    float *page_locked; // only from such memory is a copy asynchronous

    CHECK(cudaMallocHost(&page_locked, bytes));
    CHECK(cudaMemcpyAsync(page_locked, gpu_c, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        c[i] = page_locked[i];
//< todo
