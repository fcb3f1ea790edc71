// SPDX-License-Identifier: MIT
// honest: batches on the wall clock, minus the same batches of flushes alone
// chapter: 02 timer
// expect: PASS
// say: 8 of 8
//> todo constants
enum { SAMPLES = 31, BATCH = 10, WARM_MS = 3000, WARM_LAUNCHES = 20 };
//< todo
//> todo sample
        double begun, flushes, both;

        CHECK(cudaDeviceSynchronize());
        begun = wall_ms();
        for (int j = 0; j < BATCH; j++)
            CHECK(cudaMemsetAsync(flush, 0, 2 * (size_t)l2_bytes, NULL));
        CHECK(cudaDeviceSynchronize());
        flushes = wall_ms() - begun;
        begun = wall_ms();
        for (int j = 0; j < BATCH; j++) {
            CHECK(cudaMemsetAsync(flush, 0, 2 * (size_t)l2_bytes, NULL));
            CHECK(job->launch(job, NULL));
        }
        CHECK(cudaDeviceSynchronize());
        both = wall_ms() - begun;
        ms[i] = (both - flushes) / BATCH;
//< todo
