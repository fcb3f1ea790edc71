// SPDX-License-Identifier: MIT
// step: the GPU's clock
// next: warm cache
//> todo sample
        float elapsed;

        CHECK(cudaEventRecord(before, NULL));
        CHECK(job->launch(job, NULL));
        CHECK(cudaEventRecord(after, NULL));
        CHECK(cudaEventSynchronize(after));
        CHECK(cudaEventElapsedTime(&elapsed, before, after));
        ms[i] = elapsed;
//< todo
//> todo prepare
    cudaEvent_t before, after;

    CHECK(cudaEventCreate(&before));
    CHECK(cudaEventCreate(&after));
//< todo
//> todo clean-up
    CHECK(cudaEventDestroy(before));
    CHECK(cudaEventDestroy(after));
//< todo
