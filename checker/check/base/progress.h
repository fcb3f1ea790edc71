// SPDX-License-Identifier: MIT
/*
 * progress.h: one line that says what check is at.
 *
 *   progress_begin   a new step
 *   progress_step    shown once a step has lasted a second, on a terminal
 *   progress_await   says what code of the learner's has not come back yet
 *   progress_clear   before anything else is printed
 *   progress_for_grade   without a terminal nothing is said: a slow machine's
 *                    grades read like a quick one's
 *   progress_mute    this thread, which works beside the one that shows, says
 *                    no steps
 */
#ifndef CHECK_PROGRESS_H
#define CHECK_PROGRESS_H

void progress_begin(const char *what);
void progress_step(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/* Call it once while waiting, after PROGRESS_PATIENCE of the limit's seconds.
 * Also printed without a terminal: nobody should wonder for a minute. */
#define PROGRESS_PATIENCE 5.0
void progress_await(const char *what, double limit);
void progress_clear(void);
void progress_mute(void);
void progress_for_grade(void);

#endif
