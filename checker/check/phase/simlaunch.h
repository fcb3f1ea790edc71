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
 *   sim_end           no further case can run
 */
#ifndef CHECK_SIMLAUNCH_H
#define CHECK_SIMLAUNCH_H

#include "simcase.h"

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
void sim_end(struct sim *s);

#endif
