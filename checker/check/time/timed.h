// SPDX-License-Identifier: MIT
/*
 * timed.h: what is timed, and what is found; timing.h says how.
 */
#ifndef CHECK_TIMED_H
#define CHECK_TIMED_H

#include "check/run/runner_client.h"
#include "harness/stats.h"

enum timing_verdict {
    TIMING_FASTER,    /* the whole interval of the speedup lies above 1 */
    TIMING_SAME,      /* within 2 % of 1 */
    TIMING_SLOWER,
    TIMING_AMBIGUOUS, /* too wide to tell: the machine's fault */
};

enum timing_side {
    TIMING_CURRENT,
    TIMING_PREVIOUS,
    TIMING_COPY,      /* float4 copy of the operator's bytes: the floor */
    TIMING_SIDES,
};

struct timing_config {
    struct runner *runner[TIMING_SIDES]; /* NULL: not measured */
    const struct op *op;                 /* of the current one */
    struct op_shape shape;
    double seconds;      /* bound on measuring; 0: 20, and 2 if to_decide and
                            there is no previous stage */
    double warm_up;      /* before it; 0: 3 the first time, less what was
                            warmed before, and 0.06 later */
    bool to_decide;      /* the previous stage's interval may be wider than 1 %
                            where the speedup is clearly on one side of 1 and
                            of `least` */
    double least;        /* speedup that is asked for; 0: none */
    bool brief;          /* a pilot and one batch of `seconds`, and no doubts
                            but the floor's: for stages that are ours, at
                            thousands of shapes */
};

struct timing {
    struct interval seconds[TIMING_SIDES]; /* a launch, 95 % */
    int samples[TIMING_SIDES];
    struct interval speedup;  /* previous over current; NAN without one */
    enum timing_verdict verdict; /* TIMING_AMBIGUOUS without a previous */
    bool converged;           /* all intervals are as tight as asked */
    bool throttled;           /* clocks fell while measuring */
    bool refused;             /* a time that cannot be: see message */
    bool busy;                /* another process uses the GPU: whether work was
                                 hidden cannot be told */
    char message[256];        /* why throttled, refused or busy, in words */
    double floor_seconds;     /* bytes over the datasheet's bandwidth; 0: the
                                 GPU is not known */
    enum timing_side failed;  /* which runner, when the status is not OK */
};

const char *timing_verdict_name(enum timing_verdict verdict);

#endif
