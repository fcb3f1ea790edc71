// SPDX-License-Identifier: MIT
// step: one launch before the first sample
// next: one launch
//> todo warm-up
    CHECK(job->launch(job, NULL));
    CHECK(cudaDeviceSynchronize());
//< todo
