// SPDX-License-Identifier: MIT
// mutant: the wall clock around each launch and its synchronisation
// chapter: 02 timer
// expect: WRONG
// say: short kernel: 
// say: the truth is
//> todo sample
        double begun;

        CHECK(cudaMemsetAsync(flush, 0, 2 * (size_t)l2_bytes, NULL));
        CHECK(cudaDeviceSynchronize());
        begun = wall_ms();
        CHECK(job->launch(job, NULL));
        CHECK(cudaDeviceSynchronize());
        ms[i] = wall_ms() - begun;
//< todo
