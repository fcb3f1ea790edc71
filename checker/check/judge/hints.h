// SPDX-License-Identifier: MIT
/*
 * hints.h: lines of a source that beginners often get wrong, where nothing
 * else tells what is.
 *
 *   hints_wrong    for a result that is just wrong
 *   hints_sizeof   for a host program that died: the size of a pointer
 */
#ifndef CHECK_HINTS_H
#define CHECK_HINTS_H

#include <stdbool.h>

#include "check/base/text.h"

/* Facts with their lines, and a question. False, and none, where the source
 * shows no such line. */
bool hints_wrong(struct text *advice, const char *path);
bool hints_sizeof(struct text *advice, const char *path);

#endif
