// SPDX-License-Identifier: MIT
/*
 * phase.h: the ways of running one kernel over its cases.
 *
 *   sim_phase      a stage on the simulated GPU: all cases, findings, gates
 *   gpu_phase      a stage on a GPU: all cases, then time
 *   gpu_is_open, gpu_settle   what the last timed launch wrote is looked at
 *                  beside the next kernel's cases: the verdict is open until
 *                  gpu_settle, which waits for that
 *   gpu_ahead      the runners that it will need begin to look for the GPU,
 *                  beside other work
 *   gpu_prepare    makes the inputs that it will be timed on
 *   gpu_tidy       gives back the memory of those that were
 *   gpu_end        those that were not needed, or no longer are, end
 *   host_phase     a whole program (chapter 01), on either
 *   timer_phase    a timer (chapter 02), on either
 *   study_phase    a step of a study (chapter 23), which needs neither
 *   gpu_choose     which GPU, if any
 *
 * Each fills its struct run of the result and blames what it finds. None
 * returns success for work not done: a phase that cannot run says why.
 */
#ifndef CHECK_PHASE_H
#define CHECK_PHASE_H

#include "check/judge/judge.h"

void sim_phase(const struct phase *phase);
/* Before anything is timed, the kernel before is to be settled. */
struct before {
    void (*settle)(void *context);
    void (*prepare)(void *context); /* no array of an earlier one is held */
    void (*await)(void *context);   /* the inputs that were prepared */
    void *context;
};
void gpu_phase(const struct phase *phase, const struct before *before);
bool gpu_is_open(void);
void gpu_settle(void);
/* next: NULL, or the kernel whose turn comes then. */
void gpu_ahead(const struct phase *phase, const struct kernel_conf *next);
void gpu_quiet(void); /* nothing is warmed up any more */
void gpu_prepare(const struct phase *phase);
void gpu_tidy(void);
void gpu_end(void);
void host_phase(const struct phase *phase, bool simulated);
void timer_phase(const struct phase *phase, bool simulated);
void study_phase(const struct phase *phase);

/* Looks for a GPU as the options wish; ends check where one was asked for and
 * there is none. */
void gpu_choose(struct workbook *workbook);

/* Limit on the address space of a runner on the simulator, whose arrays lie
 * in another process. A runner on a GPU has none: the driver reserves more than
 * any limit. */
#define RUNNER_BYTES ((size_t)8 << 30)

#endif
