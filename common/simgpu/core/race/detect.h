// SPDX-License-Identifier: MIT
/* detect.h: the race detector as a launch and what executes it see it. */
#ifndef SIMGPU_DETECT_H
#define SIMGPU_DETECT_H

#include "simgpu/core/state/state.h"

/* race.c: a launch, a worker; race_words.c: an access */
/* false: they are not asked for. */
bool race_open(struct run *r);
void race_close(struct run *r);
void race_engine_close(struct engine *engine);
/* Between launches: records of global memory from address to end go. */
void race_forget(void *engine, uint64_t address, uint64_t end);
/* A launch goes on, and there may be more memory. */
void race_resume(struct run *r);
void race_report(struct worker *workers, int n);

extern const struct observer race_observer;

#endif
