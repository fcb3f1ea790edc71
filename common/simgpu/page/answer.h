// SPDX-License-Identifier: MIT
/*
 * answer.h: the engine's structures as JSON, for page.c.
 *
 *   answer_step, answer_report   add to the text (text.h)
 */
#ifndef SIMGPU_PAGE_ANSWER_H
#define SIMGPU_PAGE_ANSWER_H

#include "simgpu/core/engine.h"

void answer_step(struct engine *engine, const struct engine_step *s);
void answer_report(const struct launch_report *report);

#endif
