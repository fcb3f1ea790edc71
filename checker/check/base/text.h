// SPDX-License-Identifier: MIT
/*
 * text.h: strings that grow, and the few file helpers check needs.
 *
 *   text_add, text_lines, text_free   append; printf rules
 *   file_read, file_write             whole files
 *   file_exists, file_is_special, dir_make   paths
 *   give_up                           check itself cannot go on: exit 1
 *   check_alloc                       zeroed memory, or the end of check
 *
 * A zeroed struct text is an empty one. When memory runs out, check ends: a
 * verdict from half a run would be worse than none.
 */
#ifndef CHECK_TEXT_H
#define CHECK_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A path inside the workbook, or of a hand-in; longer ones are an error. */
enum { PATH_BYTES = 1024 };

struct text {
    char *s; /* NULL when nothing was added */
    size_t n;
};

void text_add(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void text_free(struct text *text);
/* "" for an empty text. */
const char *text_get(const struct text *text);

/* Returns false, with errno, when the file cannot be read; it never waits for
 * the writer of a pipe. */
bool file_read(const char *path, struct text *out);
/* Written beside the target and renamed, so that a reader, or a full disk,
 * never leaves half a file. */
bool file_write(const char *path, const char *s, size_t n);
bool file_exists(const char *path);
/* It exists and is a pipe, a device or a folder: reading it may never end. */
bool file_is_special(const char *path);
/* mkdir -p of the folder that will hold path. */
bool dir_make_for(const char *path);

void *check_alloc(size_t count, size_t size);
/* snprintf into a path; fails loudly when it does not fit. */
void path_set(char path[PATH_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends check: exit code 1, "check: ..." on stderr. */
void give_up(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn));

#endif
