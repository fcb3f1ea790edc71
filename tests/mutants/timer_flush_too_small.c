// SPDX-License-Identifier: MIT
// mutant: flushes only half of L2
// chapter: 02 timer
// expect: WRONG
// say: warm cache: 
// say: the truth is
//> todo sample
        float elapsed;

        CHECK(cudaMemsetAsync(flush, 0, (size_t)l2_bytes / 2, NULL));
        CHECK(cudaEventRecord(before, NULL));
        CHECK(job->launch(job, NULL));
        CHECK(cudaEventRecord(after, NULL));
        CHECK(cudaEventSynchronize(after));
        CHECK(cudaEventElapsedTime(&elapsed, before, after));
        ms[i] = elapsed;
//< todo
