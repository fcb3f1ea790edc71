// SPDX-License-Identifier: MIT
/*
 * measure.h: one stage at one shape on the GPU at hand.
 *
 *   measure_open, measure_close   the toolkit, the card, runners
 *   measure_stage   its time, and a copy's beside it; its result is compared
 *   measure_start, measure_load, measure_again, measure_result
 *                   the same in parts, and briefly
 *
 * Runners, timing and comparison are the checker's, so a time here means what
 * it means in a report. A runner starts when it is first needed and is kept
 * until it fails: a start costs a second.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "check/compile/toolkit.h"
#include "check/judge/data.h"
#include "check/time/timed.h"
#include "harness/probe.h"

enum measure_end {
    MEASURE_OK,
    MEASURE_LAUNCH,  /* the launcher, or its launch, returned an error */
    MEASURE_WRONG,   /* its result is wrong */
    MEASURE_HANGS,   /* it was killed at the limit of one call */
    MEASURE_CRASHES,
    MEASURE_REFUSED, /* a time that cannot be, or no use of it as a stage */
};

struct measure {
    struct toolkit toolkit;
    struct probe probe;
    int sm; /* of the card at hand */
    char program[PATH_BYTES], cuda_lib[PATH_BYTES], copies[PATH_BYTES];
    struct runner *runner[TIMING_SIDES];
    double seconds;    /* limit of one call into a runner */
    double copy_bytes; /* that the copy's runner is ready for */
    size_t workspace; /* bytes that the last stage at hand asked for */
    enum measure_end end; /* of the last measurement */
    char reason[640];     /* of the last failure */
};

void measure_open(struct measure *m, const char *build);
void measure_close(struct measure *m);
/* stage: the path of a .so; d: its inputs, made; beside: time a copy of as many
 * bytes as well, by turns. false: m->end and m->reason say why not. error: the
 * largest one, over the sum of the terms' magnitudes. */
bool measure_stage(struct measure *m, const char *stage, struct data *d,
                   bool beside, struct timing *timing, double *error);

/* Starts the runner if there is none: by the thread that will live as long. */
void measure_start(struct measure *m);
/* The runner gets the stage and its inputs. */
bool measure_load(struct measure *m, const char *stage, const struct data *d);
/* What it has is timed, for `seconds` or a few launches (timing.h: brief); any
 * number of times. *median: of one launch, in seconds. */
bool measure_again(struct measure *m, const struct data *d, double seconds,
                   double *median);
/* What the last launch left behind is compared. */
bool measure_result(struct measure *m, struct data *d);

#endif
