// SPDX-License-Identifier: MIT
// step: L2 is emptied before each sample
// next: all alike
//> todo sample
        float elapsed;

        CHECK(cudaMemsetAsync(flush, 0, 2 * (size_t)l2_bytes, NULL));
        CHECK(cudaEventRecord(before, NULL));
        CHECK(job->launch(job, NULL));
        CHECK(cudaEventRecord(after, NULL));
        CHECK(cudaEventSynchronize(after));
        CHECK(cudaEventElapsedTime(&elapsed, before, after));
        ms[i] = elapsed;
//< todo
//> todo prepare
    cudaEvent_t before, after;
    void *flush;
    int l2_bytes;

    CHECK(cudaEventCreate(&before));
    CHECK(cudaEventCreate(&after));
    CHECK(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0));
    CHECK(cudaMalloc(&flush, 2 * (size_t)l2_bytes));
//< todo
//> todo clean-up
    CHECK(cudaFree(flush));
    CHECK(cudaEventDestroy(before));
    CHECK(cudaEventDestroy(after));
//< todo
