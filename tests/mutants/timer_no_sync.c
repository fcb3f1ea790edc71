// SPDX-License-Identifier: MIT
// mutant: the host's clock around a launch, without waiting for it
// chapter: 02 timer
// expect: WRONG
// say: async: 
// say: the truth is
//> todo sample
        double begun = wall_ms();

        CHECK(job->launch(job, NULL));
        ms[i] = wall_ms() - begun;
//< todo
