// SPDX-License-Identifier: MIT
/*
 * speed.h: how fast a stage is, and against the one before.
 *
 *   speed_measure    fills run->speed; blames SLOW or REFUSED
 *   speed_ahead      the runners that it will need begin, and find the GPU
 *                    beside other work: each creates a context of its own,
 *                    which takes a second or so
 *   speed_drop       they are not needed after all
 *   speed_end        no further kernel is timed
 *   gpu_begin        a runner on the GPU, to be greeted; or NULL
 */
#ifndef CHECK_SPEED_H
#define CHECK_SPEED_H

#include "phase.h"

void speed_ahead(const struct phase *phase);
void speed_drop(void);
void speed_end(void);
/* memory: the GPU's bytes; a time_shape too large for it is shrunk. */
void speed_measure(const struct phase *phase, struct run *run, size_t memory);
/* kept: another process has its arrays (runner_client.h). */
struct runner *gpu_begin(const struct workbook *workbook, const char *output,
                         bool kept, struct runner_failure *failure);

#endif
