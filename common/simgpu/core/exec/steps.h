// SPDX-License-Identifier: MIT
/*
 * steps.h: follows a launch instruction by instruction.
 *
 *   steps_observer   in the run's place for who follows instructions
 *   steps_paused     has the warp that just ran paused?
 */
#ifndef SIMGPU_STEPS_H
#define SIMGPU_STEPS_H

#include "simgpu/core/state/observe.h"

struct steps {
    struct engine_step *to; /* what is executed goes here, */
    size_t n, done;         /* so many at most, so many by now */
    bool paused;
};

extern const struct observer steps_observer;

static inline bool steps_paused(const struct steps *s)
{
    return s->paused;
}

#endif
