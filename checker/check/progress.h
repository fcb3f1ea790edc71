// SPDX-License-Identifier: MIT
/*
 * progress.h: one line that says what check is at, on a terminal only.
 *
 *   progress_begin   a new step
 *   progress_step    shown once a step has lasted a second
 *   progress_clear   before anything else is printed
 */
#ifndef CHECK_PROGRESS_H
#define CHECK_PROGRESS_H

void progress_begin(const char *what);
void progress_step(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
void progress_clear(void);

#endif
