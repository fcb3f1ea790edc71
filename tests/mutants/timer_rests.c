// SPDX-License-Identifier: MIT
// mutant: sleeps between the warm-up and the samples
// chapter: 02 timer
// expect: WRONG
// say: clock ramp: 
// say: the truth is
//> todo warm-up
    struct timespec second = {1, 0};

    for (double begun = wall_ms(); wall_ms() - begun < WARM_MS;) {
        for (int i = 0; i < WARM_LAUNCHES; i++)
            CHECK(job->launch(job, NULL));
        CHECK(cudaDeviceSynchronize());
    }
    nanosleep(&second, NULL);
//< todo
