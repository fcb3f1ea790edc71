// SPDX-License-Identifier: MIT
/*
 * dims.h: a launch whose dimensions are not those that its kernel counts.
 *
 *   dims_advise   grid and block exchanged; or an index along y or z, of which
 *                 the launch has but one
 */
#ifndef CHECK_DIMS_H
#define CHECK_DIMS_H

#include "check/base/text.h"
#include "target.h"

/* Whether a sentence was added that explains it all; one that asks about an
 * index may have been, too. launch: NULL if unknown. source: the stage's. */
bool dims_advise(struct text *advice, const json_t *launch,
                 const char *source);

#endif
