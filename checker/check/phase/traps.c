// SPDX-License-Identifier: MIT
/*
 * traps.c: the table of traps; see traps.h.
 *
 * Each row holds one effect that is large, and the others none: so a timer
 * that is mended in the order of the table passes one trap more at each step.
 * Tolerances lie between what an honest timer misses (an event's time stamps
 * cost a microsecond) and the least that the trap does to a naive one.
 */
#include "traps.h"

#include "check/conf/cases.h"

/* What a row leaves out does nothing. */
#define CALM .warm = 1, .alike = 1, .ramp = 1, .input_bytes = 1 << 20

static const struct trap_row table[] = {
    {"async", "a launch returns before its kernel has run",
     "Wait for the kernel before you read the clock: "
     "cudaDeviceSynchronize().",
     {.kernel_us = 3000, CALM}, 0.05, 1, false},
    {"first launch", "the first launch also loads the kernel's code",
     "Launch it once, and wait, before you begin to measure.",
     {.kernel_us = 2000, .first_us = 40000, CALM}, 0.05, 1, true},
    {"one launch", "no two launches take the same time",
     "Take many samples: compare what 1, 10 and 100 of them say.",
     {.kernel_us = 1000, .spread = 0.3, CALM}, 0.08, 5, true},
    {"outliers", "a few launches are disturbed, and take far longer",
     "Sort the samples and take the middle one: the median.",
     {.kernel_us = 1000, .outlier_every = 32, .outlier_times = 30, CALM},
     0.05, 1, true},
    {"short kernel", "the way to the GPU and back takes time as well",
     "Let the GPU read the clock: cudaEventRecord before and after the "
     "launch.",
     {.kernel_us = 40, CALM}, 0.1, 1, false},
    {"warm cache", "the launch before has left the input in L2",
     "Before each sample, move more bytes than L2 holds: cudaMemsetAsync on "
     "a buffer of your own.",
     {.kernel_us = 2000, .warm = 0.4, .alike = 1, .ramp = 1,
      .input_bytes = 8 << 20}, 0.1, 1, false},
    {"all alike", "an input of equal words is easier than a real one",
     "Fill job->input with values that differ, before the first launch.",
     {.kernel_us = 1000, .warm = 1, .alike = 0.85, .ramp = 1,
      .input_bytes = 1 << 20}, 0.06, 1, true},
    {"clock ramp", "a GPU that has rested takes seconds to reach its speed",
     "Keep the GPU busy for some seconds before the first sample, and do not "
     "let it rest in between.",
     {.kernel_us = 1000, .warm = 1, .alike = 1, .ramp = 1.5,
      .ramp_ms = 2000, .input_bytes = 1 << 20}, 0.05, 1, true},
};

int trap_count(void)
{
    return sizeof table / sizeof *table;
}

const struct trap_row *trap_at(int i)
{
    return &table[i];
}

/* Nobody can know the time beforehand. */
struct trap trap_draw(const struct trap_row *row, uint64_t seed)
{
    static const double up_to = 0.6; /* more than the least */
    struct trap trap = row->trap;
    double share = (double)(seed_mix(seed, 0) >> 11) * 0x1p-53;

    trap.kernel_us *= 1 + up_to * share;
    trap.seed = (double)(seed_mix(seed, 1) >> 32);
    return trap;
}
