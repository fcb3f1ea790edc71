// SPDX-License-Identifier: MIT
/*
 * ceiling.h: the memory that the user's shell allows a process.
 *
 *   ceiling_say   what it allows, and how to lift it; false: it sets no limit
 */
#ifndef CHECK_CEILING_H
#define CHECK_CEILING_H

#include <stdbool.h>

#include "text.h"

bool ceiling_say(struct text *t);

#endif
