// SPDX-License-Identifier: MIT
// mutant: warms up for ever
// chapter: 02 timer
// expect: TIMEOUT
// say: virtual time
//> todo warm-up
    for (;;)
        CHECK(job->launch(job, NULL));
//< todo
