// SPDX-License-Identifier: MIT
/*
 * roofs.h: the measured ceilings of the GPU at hand.
 *
 *   roofs_get     from the cache, else measured (a few seconds) and cached
 *   roofs_copy    a runner that copies as many bytes as an operator must move
 *
 * Both kernels are in harness/roofs.so, a stage like any other.
 */
#ifndef CHECK_ROOFS_H
#define CHECK_ROOFS_H

#include "harness/roofline.h"
#include "runner_client.h"

struct roofs_config {
    struct runner_config runner; /* of a GPU */
    const char *stage;           /* build/harness/roofs.so */
    const char *cache;           /* build/roofs; made if missing */
};

enum runner_status roofs_get(const struct roofs_config *config,
                             struct roofs *roofs,
                             struct runner_failure *failure);
/* Loaded and with inputs uploaded, ready for timing_compare; NULL and failure
 * when it cannot be. */
struct runner *roofs_copy(const struct roofs_config *config, double bytes,
                          struct runner_failure *failure);

#endif
