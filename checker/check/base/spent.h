// SPDX-License-Identifier: MIT
/*
 * spent.h: where the seconds of a check go, for who wants it shorter.
 *
 *   spent_on   a line on standard error, if WARPBOOK_TIMES is set: when
 *              something ended, how long it took, and what it was
 *
 * What took less than a few milliseconds gets no line.
 */
#ifndef CHECK_SPENT_H
#define CHECK_SPENT_H

/* begun: clock_seconds() at its beginning. */
void spent_on(double begun, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
