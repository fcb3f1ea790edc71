// SPDX-License-Identifier: MIT
/*
 * code.h: a source as text, without its grammar.
 *
 *   code_is_name, code_is_plain   of a name; a name alone
 *   code_line         the number of the line that a place is in
 *   code_skip_space, code_closing   where to go on; the ) of a (
 *   code_names        the names between commas
 *   code_blank_hidden   spaces for comments, strings and characters
 *
 * Enough to choose a sentence by, which asks.
 */
#ifndef CHECK_CODE_H
#define CHECK_CODE_H

#include <stdbool.h>
#include <stddef.h>

enum { CODE_NAMES = 24, CODE_NAME_BYTES = 64 };

/* The last name of each part between commas: of "const float *a, int n" a and
 * n. A part that is no name alone, like n * 4, has none: "". */
struct code_names {
    char name[CODE_NAMES][CODE_NAME_BYTES];
    int n;
};

bool code_is_name(char c);
/* Names and blanks alone. */
bool code_is_plain(const char *from, const char *to);
int code_line(const char *source, const char *at);
const char *code_skip_space(const char *p);
/* The ) of the ( that p stands on; NULL: there is none. */
const char *code_closing(const char *p);
/* Of what stands between ( and ). alone: of arguments, not of parameters. */
struct code_names code_names(const char *open, const char *close, bool alone);
/* Lines stay where they are. */
void code_blank_hidden(char *source);

#endif
