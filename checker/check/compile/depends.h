// SPDX-License-Identifier: MIT
/*
 * depends.h: which files a build depends on.
 *
 *   depends_list     the source and every header beside it, before nvcc runs
 *   depends_special  the first of them that is no file of text
 *   depends_read     what else nvcc read, by its own list of dependencies
 *   depends_same     whether files are what they were
 *
 * Files are written down as `sha256sum` prints them: digest, two blanks, path.
 */
#ifndef CHECK_DEPENDS_H
#define CHECK_DEPENDS_H

#include <time.h>

#include "toolkit.h"

/* False: one cannot be read, and the last line of sums says why. */
bool depends_list(const char *source, struct text *sums);
/* False: all are files. */
bool depends_special(const char *source, char path[PATH_BYTES]);
/* Adds what is in the make rule of the file `rule` but not in sums, without
 * the files of the toolkit. False: one cannot be read, or it changed since
 * `begun`, so that nobody knows what nvcc read. */
bool depends_read(const char *rule, const struct toolkit *toolkit,
                  const struct timespec *begun, struct text *sums);
bool depends_same(const char *sums);

#endif
