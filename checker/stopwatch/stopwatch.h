// SPDX-License-Identifier: MIT
/*
 * stopwatch.h: the program that plays one trap to one timer.
 *
 *   stopwatch RESULT SPIN.so TIMER.so CALLS FIELD=VALUE...
 *   stopwatch RESULT SPIN.so - 1 FIELD=VALUE...
 *
 * It calls timer_ms CALLS times and writes a line for each into RESULT: what
 * the timer said, and how many launches it made. With - in the timer's place
 * it measures the truth itself, which only the trap of the cold cache needs.
 * On the virtual clock SPIN.so is not loaded.
 *
 * The learner's code runs in this process: check, which knows the truth, is
 * another.
 */
#ifndef STOPWATCH_STOPWATCH_H
#define STOPWATCH_STOPWATCH_H

enum stopwatch_end {
    STOPWATCH_WELL = 0,
    STOPWATCH_IMPATIENT = 3, /* the virtual clock's patience is at its end */
    STOPWATCH_NO_LOAD = 4,   /* RESULT holds the linker's words */
    STOPWATCH_NO_TIMER = 5,  /* it exports no timer_ms */
    STOPWATCH_DEVICE = 6,    /* the GPU cannot be used; RESULT says why */
};

struct timer_job;
/* The harness's own timer, for the truth on this GPU. */
double stopwatch_truth(const struct timer_job *job);

#endif
