// SPDX-License-Identifier: MIT
/*
 * remedy.h: what a learner can do about a gate that is missed.
 *
 *   remedy_of    what helps against a counter that is too high, or too low
 *   remedy_idea  the idea of a step, as the head of its file says it
 */
#ifndef CHECK_REMEDY_H
#define CHECK_REMEDY_H

#include <stdbool.h>

#include "check/base/text.h"

/* A static sentence; NULL: none is known. */
const char *remedy_of(const char *counter, bool too_low);
/* Adds what stands behind "// New: " at the head of that file, as one line.
 * False: it has no such head. */
bool remedy_idea(struct text *t, const char *path);

#endif
