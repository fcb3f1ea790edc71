// SPDX-License-Identifier: MIT
/*
 * speed.h: how fast a stage is, and against the one before.
 *
 *   speed_measure    fills run->speed; blames SLOW or REFUSED
 *   gpu_runner       a runner on the GPU, or NULL
 */
#ifndef CHECK_SPEED_H
#define CHECK_SPEED_H

#include "phase.h"

/* memory: the GPU's bytes; a time_shape too large for it is shrunk. */
void speed_measure(const struct phase *phase, struct run *run, size_t memory);
/* kept: another process has its arrays (runner_client.h). */
struct runner *gpu_runner(const struct workbook *workbook, const char *output,
                          bool kept, struct runner_failure *failure);

#endif
