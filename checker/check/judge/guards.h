// SPDX-License-Identifier: MIT
/*
 * guards.h: a test of a thread's index that says something else than is meant.
 *
 *   guards_advise   the first one in a source
 *
 * Comments and strings are blank in it.
 */
#ifndef CHECK_GUARDS_H
#define CHECK_GUARDS_H

#include "check/base/text.h"

/* A question with its line; false, and none, where the source shows nothing. */
bool guards_advise(struct text *advice, const char *source);

#endif
