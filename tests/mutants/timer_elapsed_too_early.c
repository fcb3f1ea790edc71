// SPDX-License-Identifier: MIT
// mutant: asks for the time before the kernel has ended
// chapter: 02 timer
// expect: WRONG
// say: not a number
// say: cudaEventElapsedTime failed with cudaErrorNotReady
// say: cudaEventSynchronize
//> todo sample
        float elapsed;

        CHECK(cudaEventRecord(before, NULL));
        CHECK(job->launch(job, NULL));
        CHECK(cudaEventRecord(after, NULL));
        CHECK(cudaEventElapsedTime(&elapsed, before, after));
        ms[i] = elapsed;
//< todo
