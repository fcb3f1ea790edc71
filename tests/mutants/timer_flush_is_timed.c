// SPDX-License-Identifier: MIT
// mutant: the flush is between the two events
// chapter: 02 timer
// expect: WRONG
// say: short kernel: 
// say: the truth is
// say: Flush before the first event
//> todo sample
        float elapsed;

        CHECK(cudaEventRecord(before, NULL));
        CHECK(cudaMemsetAsync(flush, 0, 2 * (size_t)l2_bytes, NULL));
        CHECK(job->launch(job, NULL));
        CHECK(cudaEventRecord(after, NULL));
        CHECK(cudaEventSynchronize(after));
        CHECK(cudaEventElapsedTime(&elapsed, before, after));
        ms[i] = elapsed;
//< todo
