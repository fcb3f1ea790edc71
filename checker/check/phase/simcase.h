// SPDX-License-Identifier: MIT
/*
 * simcase.h: cases of one stage on one simulated GPU, one after the other.
 *
 *   sim_open, sim_close   a device and a runner; they end with the thread that
 *                         opened them
 *   sim_run_case          one case, with a result of its own
 *   sim_find_writer       who wrote a run's first wrong cell
 *   sim_look              one case under the traffic observer
 *   sim_part_free         a case's result
 *   sim_output            the file of what the stage prints
 */
#ifndef CHECK_SIMCASE_H
#define CHECK_SIMCASE_H

#include "simlaunch.h"

/* Numbers of sims that sim_open gives out. */
enum { SIMS = 4 };
/* n: below SIMS, a number that no other sim of this kernel has. False: part
 * says why. */
bool sim_open(struct sim *s, const struct phase *phase, int n,
              struct sim_part *part);
void sim_close(struct sim *s);
/* Where the n-th of twice SIMS keeps what the learner's code prints. */
void sim_output(char path[PATH_BYTES], const struct phase *phase, int n);
void sim_run_case(struct sim *s, const struct test_case *c,
                  struct sim_part *part);
/* The same launch once more, watched. A defect here would only cost the learner
 * this hint. */
void sim_find_writer(struct sim *s, struct run *run);
/* The device's report of the case's launch; the caller's. NULL: it did not get
 * so far, or the stage died. The device goes on looking. */
json_t *sim_look(struct sim *s, const struct test_case *c,
                 const struct device_look *look);
void sim_part_free(struct sim_part *part);

#endif
