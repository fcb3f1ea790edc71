// SPDX-License-Identifier: MIT
/*
 * stopwatch.h: the program that runs one timer on one trap.
 *
 *   stopwatch RESULT SPIN.so TIMER.so CALLS FIELD=VALUE...
 *   stopwatch RESULT SPIN.so - 1 FIELD=VALUE...
 *
 * It calls timer_ms CALLS times and writes one line per call to RESULT: the
 * timer's answer, the number of launches, and what the virtual clock remarks on
 * its calls (vclock_remark; "-": nothing, or a GPU). With - in place of the
 * timer it measures the true time itself, which only the cold-cache trap needs.
 * With the virtual clock, SPIN.so is not loaded.
 *
 * The learner's code runs in this process; check, which knows the true time,
 * is another.
 */
#ifndef STOPWATCH_STOPWATCH_H
#define STOPWATCH_STOPWATCH_H

enum stopwatch_end {
    STOPWATCH_OK = 0,
    STOPWATCH_TIMEOUT = 3,  /* too much virtual time was used */
    STOPWATCH_NO_LOAD = 4,  /* RESULT holds the dynamic linker's message */
    STOPWATCH_NO_TIMER = 5, /* the library exports no timer_ms */
    STOPWATCH_DEVICE = 6,   /* the GPU cannot be used; RESULT says why */
};

struct timer_job;
/* A reference timer; returns ms, or NAN if a call fails. */
double stopwatch_truth(const struct timer_job *job);

#endif
