// SPDX-License-Identifier: MIT
/*
 * roofs.h: the measured ceilings of the GPU at hand.
 *
 *   roofs_get     from the cache, else measured (a few seconds) and cached
 */
#ifndef CHECK_ROOFS_H
#define CHECK_ROOFS_H

#include "check/run/runner_client.h"
#include "harness/roofline.h"

struct roofs_config {
    struct runner *runner; /* of a GPU; its case is replaced */
    const char *stage;     /* build/harness/roofs.so: a stage like any other */
    const char *cache;     /* folder build/roofs; made if missing */
};

enum runner_status roofs_get(const struct roofs_config *config,
                             struct roofs *roofs,
                             struct runner_failure *failure);

#endif
