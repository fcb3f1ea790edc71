// SPDX-License-Identifier: MIT
/*
 * meter.h: takes the times of two or three stages in turns.
 *
 *   meter_size    how many launches of a side fill a batch
 *   meter_batch   times some launches of a side, and keeps their seconds
 *   meter_round   times a batch
 *   meter_each    does a step for all sides that there are, in turn
 *   meter_say     a doubt: of two the heavier is told, of two alike the first
 *
 * A step's failure is the runner's, and `out->failed` names the side.
 */
#ifndef CHECK_METER_H
#define CHECK_METER_H

#include "timed.h"

enum {
    METER_LEAST = 4,    /* launches of a batch */
    METER_MOST = 200,
    METER_ALL = 4000,   /* samples of a side, and a batch more */
    METER_PILOT = 3,    /* launches that size a batch; a brief one's least */
};

static const double meter_batch_seconds = 0.05; /* short against a drift of
                                                   clocks */
static const double meter_long_seconds = 5e-3;  /* a launch's, as follows */
static const double meter_slow_seconds = 0.25;
static const double meter_tight = 0.01;  /* half an interval over its median */
static const double meter_confidence = 0.95;

struct side {
    struct runner *runner;
    double *seconds; /* METER_ALL + METER_MOST */
    int n, batch;
};

struct meter {
    const struct timing_config *config;
    struct timing *out;
    struct runner_failure *failure;
    struct side side[TIMING_SIDES];
    struct clocks *clocks; /* NULL: the driver tells none */
    double began;
};

typedef enum runner_status meter_step(struct meter *m, enum timing_side which);

void meter_say(struct timing *out, bool *flag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool meter_has_sets(const struct meter *m); /* another process has the arrays */
enum runner_status meter_batch(struct meter *m, enum timing_side which, int n);
enum runner_status meter_size(struct meter *m, enum timing_side which);
enum runner_status meter_round(struct meter *m, enum timing_side which);
enum runner_status meter_each(struct meter *m, meter_step *step);

#endif
