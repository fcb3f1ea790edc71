// SPDX-License-Identifier: MIT
/*
 * origins.h: the lines that an index is worked out in.
 *
 *   origins_say      shows those lines, under a heading
 *   origins_advise   a question about a loop among them that may go one too far
 */
#ifndef CHECK_ORIGINS_H
#define CHECK_ORIGINS_H

#include <stdbool.h>

#include "check/base/text.h"

/* array: what is indexed at that line; where the line does not name it, all
 * that stands in brackets there counts, or else in parentheses. Returns whether
 * there are other lines than that one. */
bool origins_say(struct text *text, const char *path, int line,
                 const char *array);
bool origins_advise(struct text *advice, const char *path, int line,
                    const char *array);

#endif
