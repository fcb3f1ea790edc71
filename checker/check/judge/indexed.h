// SPDX-License-Identifier: MIT
/*
 * indexed.h: where the learner's source indexes an array, if the compiler's
 * place for an access is another.
 *
 *   indexed_line     the only such line; 0: there are none, or several
 *   indexed_stores   the lines that store to it, where it has a name there
 */
#ifndef CHECK_INDEXED_H
#define CHECK_INDEXED_H

/* name: of the array, as the launcher's parameter calls it. */
int indexed_line(const char *source_path, const char *name);
/* Puts the first `most` of them into lines; returns how many. */
int indexed_stores(const char *source_path, const char *name, int *lines,
                   int most);

#endif
