// SPDX-License-Identifier: MIT
/*
 * slips.h: slips that compile, and let a thread reach past an array's end.
 *
 *   slips_advise   the first one that stands in the source
 *   slips_in_order   each launch passes what has a parameter's name as that one
 */
#ifndef CHECK_SLIPS_H
#define CHECK_SLIPS_H

#include "check/base/text.h"

/* A sentence with its line; false, and none, where the source shows nothing. */
bool slips_advise(struct text *advice, const char *source);
/* False, too, where no argument has a parameter's name. */
bool slips_in_order(const char *source);

#endif
