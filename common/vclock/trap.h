// SPDX-License-Identifier: MIT
/*
 * trap.h: a kernel whose true time is known, and what makes timers miss it.
 *
 *   trap_read        "kernel_us=800" into a struct trap
 *   trap_launch_us   how long launch number i takes, before what follows
 *   trap_ramp        how many times longer while the clocks still rise
 *
 * check draws a trap; the program stopwatch plays it to a timer, on a GPU with
 * kernels that spin that long, or on the virtual clock.
 */
#ifndef VCLOCK_TRAP_H
#define VCLOCK_TRAP_H

#include <stdbool.h>
#include <stdint.h>

#define TRAP_FIELDS(X)                                                        \
    X(kernel_us)     /* the truth */                                          \
    X(first_us)      /* more than that at the first launch */                 \
    X(spread)        /* launches differ by up to this share, both ways */     \
    X(outlier_every) /* one in so many launches is disturbed; 0: none */      \
    X(outlier_times) /* and takes that many times as long */                  \
    X(warm)          /* times as long with its input in L2; 1: no matter */   \
    X(alike)         /* times as long on an input of equal words */           \
    X(ramp)          /* times as long at first; 1: the clocks are settled */  \
    X(ramp_ms)       /* of work, until they are */                            \
    X(input_bytes)                                                            \
    X(seed)

struct trap {
#define X(name) double name;
    TRAP_FIELDS(X)
#undef X
};

/* false: no such field, or no number. */
bool trap_read(struct trap *trap, const char *text);
double trap_launch_us(const struct trap *trap, uint64_t launch);
double trap_ramp(const struct trap *trap, double busy_ms);

#endif
