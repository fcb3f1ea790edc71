// SPDX-License-Identifier: MIT
/*
 * roofs.h: the ceilings of the GPU at hand.
 *
 *   roofs_get           from the cache, else measured (a few seconds) and
 *                       cached
 *   roofs_unsupported   whether it failed because the pipe is not there
 *
 * A pipe that the GPU, or the build's toolkit, has no instruction for is taken
 * from the datasheet, and marked so.
 */
#ifndef CHECK_ROOFS_H
#define CHECK_ROOFS_H

#include "check/run/runner_client.h"
#include "harness/roofline.h"
#include "op/pipe.h"

struct roofs_config {
    struct runner *runner; /* of a GPU; its case is replaced */
    const char *stages;    /* folder of roofs.so and tensor_roofs.so, which are
                              stages like any other */
    const char *cache;     /* folder build/roofs; made if missing */
};

enum runner_status roofs_get(const struct roofs_config *config,
                             enum pipe pipe, struct roofs *roofs,
                             struct runner_failure *failure);
bool roofs_unsupported(enum runner_status status,
                       const struct runner_failure *failure);

#endif
