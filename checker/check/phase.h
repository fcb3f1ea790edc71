// SPDX-License-Identifier: MIT
/*
 * phase.h: the ways of running one kernel over its cases.
 *
 *   sim_phase      a stage on the simulated GPU: all cases, findings, gates
 *   gpu_phase      a stage on a GPU: all cases, then time
 *   host_phase     a whole program (chapter 01), on either
 *   timer_phase    a timer (chapter 02), on either
 *   gpu_choose       which GPU, if any
 *
 * Each fills its struct run of the result and blames what it finds. None
 * returns success for work not done: a phase that cannot run says why.
 */
#ifndef CHECK_PHASE_H
#define CHECK_PHASE_H

#include "result.h"
#include "runner_client.h"
#include "workbook.h"

struct phase {
    const struct workbook *workbook;
    const struct case_list *cases;
    uint64_t seed;
    struct kernel_result *result;
};

void sim_phase(const struct phase *phase);
void gpu_phase(const struct phase *phase);
void host_phase(const struct phase *phase, bool simulated);
void timer_phase(const struct phase *phase, bool simulated);

/* Looks for a GPU as the options wish; ends check where one was asked for and
 * there is none. */
void gpu_choose(struct workbook *workbook);

/* Shared by the phases. */

/* Address space of a runner on the simulator, whose arrays lie in another
 * process. None on a GPU: the driver reserves more than any limit. */
#define RUNNER_BYTES ((size_t)8 << 30)

/* Instructions a launch may issue: many times what any honest kernel needs. */
uint64_t launch_budget(const struct op *op, const struct op_shape *shape);
/* Findings, faults and refused launches of one device report, into verdicts
 * and the run's counts. Returns the number of kernels that ran. */
struct arrays;
int judge_report(const struct phase *phase, struct run *run,
                 const json_t *report, const struct arrays *arrays,
                 const struct test_case *c);
/* Gates, from the counters of one report. */
void measure_gates(const struct phase *phase, struct run *run,
                   const json_t *report, const struct test_case *c);
void blame_gates(const struct phase *phase, const struct run *run);
extern const char segfault_advice[];
/* A runner's end, or a refused launch, as a verdict. */
void blame_runner(const struct phase *phase, enum runner_status status,
                  const struct runner_failure *failure,
                  const struct test_case *c);
/* Keeps the head of what the learner's code printed. */
void keep_output(struct kernel_result *result, const char *path);

#endif
