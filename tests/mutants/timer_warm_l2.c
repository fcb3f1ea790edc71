// SPDX-License-Identifier: MIT
// mutant: never flushes L2
// chapter: 02 timer
// expect: WRONG
// say: warm cache: 
// say: the truth is
//> todo sample
        float elapsed;

        CHECK(cudaEventRecord(before, NULL));
        CHECK(job->launch(job, NULL));
        CHECK(cudaEventRecord(after, NULL));
        CHECK(cudaEventSynchronize(after));
        CHECK(cudaEventElapsedTime(&elapsed, before, after));
        ms[i] = elapsed;
//< todo
