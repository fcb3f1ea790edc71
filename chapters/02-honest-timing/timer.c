// SPDX-License-Identifier: MIT
// Stage 02, honest timing: a timer.
// New: a launch returns at once, and what it takes depends on what was before.
// Since the stage before: no kernel; you measure other people's.
// Counter: none; what moves is how far your answer is from the truth.

#include "op/timer.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

// Leaves the timer, "not a number", where a CUDA call fails.
#define CHECK(call)                                                            \
    do {                                                                       \
        if ((call) != cudaSuccess)                                             \
            return NAN;                                                        \
    } while (0)

//> todo constants (about 5 lines)
enum { SAMPLES = 1 };
//< todo

// Milliseconds on the wall's clock, since some moment in the past.
static inline double wall_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * now.tv_sec + 1e-6 * now.tv_nsec;
}

//> todo helpers (about 25 lines)
// Whatever your timer needs: a comparison for qsort, a way to fill the input.
//< todo

double timer_ms(const struct timer_job *job)
{
    double ms[SAMPLES], answer;

    //> todo prepare (about 9 lines)
    // Before the first launch: two events, a buffer to flush L2 with, and an
    // input whose values differ. None of it is needed until a trap asks for it.
    //< todo

    //> todo warm-up (about 6 lines)
    // Launch the job, and wait for it, before you take the first sample.
    //< todo

    for (int i = 0; i < SAMPLES; i++) {
        //> todo sample (about 9 lines)
        double begun = wall_ms();

        CHECK(job->launch(job, NULL));
        ms[i] = wall_ms() - begun;
        //< todo
    }

    //> todo answer (about 2 lines)
    answer = 0;
    for (int i = 0; i < SAMPLES; i++)
        answer += ms[i] / SAMPLES;
    //< todo

    //> todo clean-up (about 3 lines)
    // Give back what you took.
    //< todo
    return answer;
}
