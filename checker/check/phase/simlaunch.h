// SPDX-License-Identifier: MIT
/*
 * simlaunch.h: one launch of a stage on its simulated GPU, a step at a time.
 *
 * What goes wrong stands in s->part: where a step returns false, its verdict is
 * given, and the steps that follow are not taken.
 *
 *   sim_begin         a result for what follows
 *   sim_start         a device and a runner; needs what sim_open sets
 *   sim_load          the stage, with arrays of the case's shape
 *   sim_prepare       uploads, and marks what must be written as unwritten
 *   sim_launch        prepares, launches, and judges what the device reports
 *   sim_read_outputs  into d->got
 *   sim_defect        what the stage is not blamed for; ends the sim
 */
#ifndef CHECK_SIMLAUNCH_H
#define CHECK_SIMLAUNCH_H

#include "beyond.h"
#include "check/judge/judge.h"
#include "check/run/device.h"

/* What one case came to, to be merged into the kernel's result. */
struct sim_part {
    bool done;
    bool over;              /* the stage or its device is gone */
    double instructions;    /* of its launches */
    struct beyond_grids grids; /* and what they were launched as */
    struct kernel_result result;
};

struct sim {
    const struct workbook *workbook;
    const struct kernel_result *whole; /* conf, source, build: read only */
    struct device device;
    struct runner *runner;
    struct runner_layout layout;
    struct arrays arrays;
    char output[PATH_BYTES];  /* what the learner's code prints */
    const struct test_case *loaded; /* the runner holds its shape */
    struct data earlier;      /* of the case before */
    struct test_case earlier_case;
    bool twice;               /* each case is launched again, if it is right */
    bool over;                /* no further case can run */
    int number;               /* of the sim: see sim_open */
    int multiprocessors;      /* of its device; 0: all */
    struct sim *few;          /* one of few multiprocessors, once a case wants
                                 it */
    /* Of the case at hand. */
    struct phase phase;
    struct sim_part *part;
    struct run *run;
    int launched;             /* kernels, in the launch at hand */
};

void sim_begin(struct sim *s, struct sim_part *part);
bool sim_start(struct sim *s);
bool sim_load(struct sim *s, const struct test_case *c);
/* order: the seed of the order of blocks and warps; 0: as they come. */
bool sim_prepare(struct sim *s, const struct data *d, const struct test_case *c,
                 uint64_t order);
/* True: the outputs may be looked at. take_counters: for the gates. */
bool sim_launch(struct sim *s, const struct data *d, const struct test_case *c,
                uint64_t order, bool take_counters);
bool sim_read_outputs(struct sim *s, const struct data *d);
/* what: the message, one sentence. */
void sim_defect(struct sim *s, const char *what);

#endif
