// SPDX-License-Identifier: MIT
/*
 * indexed.h: where the learner's source indexes an array, if the compiler's
 * place for an access is another.
 *
 *   indexed_line   the only such line; 0: there are none, or several
 */
#ifndef CHECK_INDEXED_H
#define CHECK_INDEXED_H

/* name: of the array, as the launcher's parameter calls it. */
int indexed_line(const char *source_path, const char *name);

#endif
