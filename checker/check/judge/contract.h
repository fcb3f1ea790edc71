// SPDX-License-Identifier: MIT
/*
 * contract.h: what a launcher may do besides launching, which is little.
 *
 *   contract_check    REFUSED, from the device's report of one launch
 *   contract_before   REFUSED, from its report of what came before
 *   contract_exports  REFUSED, from the names that the built stage exports
 *
 * A launcher enqueues its kernels on the stream that it was given. It does
 * not allocate, does not wait, does not fetch data to the host. The simulated
 * device counts what its client asked for, so this holds whatever the stage
 * does to the process it is in.
 */
#ifndef CHECK_CONTRACT_H
#define CHECK_CONTRACT_H

#include "result.h"

/* report: of one runner_launch, cleared before it. False: the arrays are gone,
 * and nothing can be read from them. */
bool contract_check(struct kernel_result *result, const json_t *report,
                    const struct test_case *c);
/* report: of the time from the stage's start, or the launch before, to now: the
 * runner has allocated arrays and filled them. */
void contract_before(struct kernel_result *result, const json_t *report,
                     const struct test_case *c);
void contract_exports(struct kernel_result *result);

#endif
