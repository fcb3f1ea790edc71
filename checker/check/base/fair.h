// SPDX-License-Identifier: MIT
/*
 * fair.h: whether what was ended had its chance on this machine.
 *
 *   fair_begin         when a wait for other processes begins
 *   fair_gap           after each short sleep of that wait: seconds that the
 *                      machine stood still, which count for nobody
 *   fair_more          whether to wait as long again, when the time is over
 *   fair_was           whether they had a processor, when the time is over
 *   fair_worked        seconds of processors, of a process and all it started
 *   fair_memory_begin  once, before anything is started
 *   fair_memory_was    false: the system has ended processes for lack of memory
 *
 * A time limit by the clock is fair to a process that worked for a quarter of
 * the time, and to one that slept of its own will. It is not fair to one
 * that stood in the queue for a processor.
 */
#ifndef CHECK_FAIR_H
#define CHECK_FAIR_H

#include <stdbool.h>
#include <sys/types.h>

enum { FAIR_SLICE_MS = 100 }; /* between two calls of fair_gap, at most */

struct fair {
    double worked, queued; /* seconds, of all that this process started */
    double last;           /* when fair_gap was called */
    int more;              /* times that fair_more said yes */
};

void fair_begin(struct fair *f);
double fair_gap(struct fair *f);
/* seconds: the limit, however much longer one waited. */
bool fair_more(struct fair *f, double seconds);
bool fair_was(const struct fair *f, double seconds);
/* Of those that ended without being waited for nobody knows. */
double fair_worked(pid_t pid);
void fair_memory_begin(void);
bool fair_memory_was(void);

#endif
