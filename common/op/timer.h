// SPDX-License-Identifier: MIT
/*
 * timer.h: what a timer is given, and what it must say.
 *
 *   timer_ms   the time of one launch, in milliseconds
 *
 * That time is what one launch takes on the GPU when the GPU's clocks have
 * settled, its L2 cache holds nothing of the input, the input is not all
 * alike, and nothing else is at work: the typical launch, not the luckiest.
 */
#ifndef WB_TIMER_H
#define WB_TIMER_H

#include "stage.h"

/* Something to time. A timer launches it as often as it likes. */
struct timer_job {
    /* Enqueues the kernel once on the stream, and returns its launch's error:
     * job->launch(job, stream). */
    cudaError_t (*launch)(const struct timer_job *job, cudaStream_t stream);
    void *input;        /* device memory that the kernel reads: yours to fill */
    size_t input_bytes; /* a multiple of 4 */
};

STAGE_BEGIN

STAGE_EXPORT double timer_ms(const struct timer_job *job);

STAGE_END

#endif
