// SPDX-License-Identifier: MIT
// mutant: warms up with ten launches, while the clocks still rise
// chapter: 02 timer
// expect: WRONG
// say: clock ramp: 
// say: the truth is
//> todo warm-up
    for (int i = 0; i < 10; i++)
        CHECK(job->launch(job, NULL));
    CHECK(cudaDeviceSynchronize());
//< todo
