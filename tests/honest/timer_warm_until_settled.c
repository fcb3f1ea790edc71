// SPDX-License-Identifier: MIT
// honest: warms up until a hundred launches take no longer than before
// chapter: 02 timer
// expect: PASS
// say: 8 of 8
//> todo warm-up
    double last = 0, now = INFINITY;

    for (int calm = 0; calm < 3; calm += now > 0.995 * last && last > 0) {
        double begun = wall_ms();

        last = now < INFINITY ? now : 0;
        for (int i = 0; i < 320; i++)
            CHECK(job->launch(job, NULL));
        CHECK(cudaDeviceSynchronize());
        now = wall_ms() - begun;
    }
//< todo
