// SPDX-License-Identifier: MIT
/*
 * inspect.h: what each access of a stage touches, and what each line costs,
 * as JSON for `make trace` and `make lines`.
 *
 *   inspect_kernel   of one kernel, built; NULL: it did not end well
 */
#ifndef CHECK_INSPECT_H
#define CHECK_INSPECT_H

#include <jansson.h>

#include "phase.h"

/* name, source, shape, arrays (name, address, bytes), launches (the device's
 * report), predicted (at the timed shape, or null). phase->cases holds one
 * case: the one that is run. */
json_t *inspect_kernel(const struct phase *phase);

#endif
