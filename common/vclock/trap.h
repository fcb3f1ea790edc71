// SPDX-License-Identifier: MIT
/*
 * trap.h: a kernel whose true time is known, and an effect that misleads
 * timers.
 *
 *   trap_read        reads "kernel_us=800" into a struct trap
 *   trap_launch_us   the time of launch number i, before clocks and cache
 *   trap_ramp        the factor by which rising clocks lengthen it
 *
 * check chooses a trap from the seed; the program stopwatch runs a timer on it,
 * either on a GPU, with kernels that spin for that time, or on the virtual
 * clock.
 */
#ifndef VCLOCK_TRAP_H
#define VCLOCK_TRAP_H

#include <stdbool.h>
#include <stdint.h>

#define TRAP_FIELDS(X)                                                        \
    X(kernel_us)     /* the true time */                                      \
    X(first_us)      /* added to the first launch */                          \
    X(spread)        /* launches deviate by up to this fraction */            \
    X(outlier_every) /* one of so many launches is an outlier; 0: none */     \
    X(outlier_times) /* factor of an outlier's time */                        \
    X(warm)          /* factor with the input in L2; 1: no effect */          \
    X(alike)         /* factor on an input of equal words */                  \
    X(ramp)          /* factor at first, while clocks rise; 1: no effect */   \
    X(ramp_ms)       /* ms of work until the clocks have risen */             \
    X(input_bytes)                                                            \
    X(seed)

/* What the virtual clock remarks on a timer whose events enclose a copy or a
 * set besides the kernel. */
#define TRAP_MOVES_BETWEEN "moves-between"

struct trap {
#define X(name) double name;
    TRAP_FIELDS(X)
#undef X
};

/* false: there is no such field, or its value is not a number. */
bool trap_read(struct trap *trap, const char *text);
double trap_launch_us(const struct trap *trap, uint64_t launch);
double trap_ramp(const struct trap *trap, double busy_ms);

#endif
