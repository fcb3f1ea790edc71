// SPDX-License-Identifier: MIT
// honest: a stream of its own, a copy as the flush, events polled
// chapter: 02 timer
// expect: PASS
// say: 8 of 8
//> todo prepare
    cudaEvent_t before, after;
    cudaStream_t stream;
    void *flush, *kept;
    int l2_bytes;

    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&before));
    CHECK(cudaEventCreateWithFlags(&after, cudaEventDefault));
    CHECK(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0));
    CHECK(cudaMalloc(&flush, 4 * (size_t)l2_bytes));
    CHECK(fill(job));
    // The input goes out to fresh memory, and comes back.
    CHECK(cudaMalloc(&kept, job->input_bytes));
    CHECK(cudaMemcpy(kept, job->input, job->input_bytes,
                     cudaMemcpyDeviceToDevice));
    CHECK(cudaMemset(job->input, 0, job->input_bytes));
    CHECK(cudaMemcpy(job->input, kept, job->input_bytes,
                     cudaMemcpyDeviceToDevice));
    CHECK(cudaFree(kept));
//< todo
//> todo warm-up
    for (double begun = wall_ms(); wall_ms() - begun < WARM_MS;) {
        for (int i = 0; i < WARM_LAUNCHES; i++)
            CHECK(job->launch(job, stream));
        CHECK(cudaStreamSynchronize(stream));
    }
//< todo
//> todo sample
        float elapsed;

        CHECK(cudaMemcpyAsync(flush, (char *)flush + 2 * (size_t)l2_bytes,
                              2 * (size_t)l2_bytes, cudaMemcpyDeviceToDevice,
                              stream));
        CHECK(cudaEventRecord(before, stream));
        CHECK(job->launch(job, stream));
        CHECK(cudaEventRecord(after, stream));
        while (cudaEventQuery(after) == cudaErrorNotReady)
            ;
        CHECK(cudaEventElapsedTime(&elapsed, before, after));
        ms[i] = elapsed;
//< todo
//> todo clean-up
    CHECK(cudaFree(flush));
    CHECK(cudaEventDestroy(before));
    CHECK(cudaEventDestroy(after));
    CHECK(cudaStreamDestroy(stream));
//< todo
