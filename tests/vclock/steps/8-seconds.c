// SPDX-License-Identifier: MIT
// step: busy until the clocks have settled
// next: PASS
//> todo warm-up
    for (double begun = wall_ms(); wall_ms() - begun < WARM_MS;) {
        for (int i = 0; i < WARM_LAUNCHES; i++)
            CHECK(job->launch(job, NULL));
        CHECK(cudaDeviceSynchronize());
    }
//< todo
//> todo constants
enum {
    SAMPLES = 101,       // odd: the median is one of them
    WARM_MS = 3000,      // of work, until the clocks have settled
    WARM_LAUNCHES = 20,  // between two looks at the wall clock
};
//< todo
