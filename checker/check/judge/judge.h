// SPDX-License-Identifier: MIT
/*
 * judge.h: what a device or a runner reports, turned into verdicts.
 *
 *   judge_report     findings, faults and refused launches of a device report
 *   measure_gates, blame_gates   the technique gates of one report
 *   blame_runner     how a runner ended, or a launch that was refused
 *   launch_budget    instructions that a launch may issue
 *   keep_output      what the learner's code printed
 */
#ifndef CHECK_JUDGE_H
#define CHECK_JUDGE_H

#include "check/conf/workbook.h"
#include "check/run/runner_client.h"
#include "result.h"
#include "target.h"

/* One kernel, run over its cases. */
struct phase {
    const struct workbook *workbook;
    const struct case_list *cases;
    uint64_t seed;
    struct kernel_result *result;
};

/* Many times what any honest kernel needs. */
uint64_t launch_budget(const struct op *op, const struct op_shape *shape);
/* Records verdicts and the run's counts. Returns the number of kernels that
 * ran. */
int judge_report(const struct phase *phase, struct run *run,
                 const json_t *report, const struct arrays *arrays,
                 const struct test_case *c);
/* From the counters of one report. */
void measure_gates(const struct phase *phase, struct run *run,
                   const json_t *report, const struct test_case *c);
void blame_gates(const struct phase *phase, const struct run *run);
extern const char segfault_advice[];
void blame_runner(const struct phase *phase, enum runner_status status,
                  const struct runner_failure *failure,
                  const struct test_case *c);
/* Keeps the head of what the learner's code printed. */
void keep_output(struct kernel_result *result, const char *path);

#endif
