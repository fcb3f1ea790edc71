// SPDX-License-Identifier: MIT
// step: waits for the kernel
// next: first launch
//> todo sample
        double begun = wall_ms();

        CHECK(job->launch(job, NULL));
        CHECK(cudaDeviceSynchronize());
        ms[i] = wall_ms() - begun;
//< todo
