// SPDX-License-Identifier: MIT
/*
 * quote.h: which files' text a report may show.
 *
 *   quote_may     the file is the hand-in's own, or the workbook's common/
 *   quote_below   the file is somewhere in that folder
 *
 * A hand-in names the files of its lines itself (#line 1 "/etc/shadow"), and
 * check may read more than a hand-in may: a place elsewhere is named without
 * its text. A solution is shown to no hand-in, even from a folder around it.
 */
#ifndef CHECK_QUOTE_H
#define CHECK_QUOTE_H

#include <stdbool.h>

/* source: the .cu that is checked. Both paths from the workbook's root. */
bool quote_may(const char *source, const char *path);
bool quote_below(const char *path, const char *folder);

#endif
