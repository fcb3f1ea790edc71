// SPDX-License-Identifier: MIT
/*
 * layout.h: text on a terminal: colour, and lines of its width; 80 columns
 * where there is none.
 *
 *   layout_columns   how many characters a line may have
 *   layout_colour    turns a style on, or all off
 *   layout_wrap      a paragraph behind a label, wrapped
 *   layout_lines     lines as they are, indented; long ones wrapped
 *   layout_raw       the same, unwrapped: a compiler's carets must stay put
 */
#ifndef CHECK_LAYOUT_H
#define CHECK_LAYOUT_H

#include <stddef.h>

enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_GOOD, STYLE_BAD,
             STYLE_ALMOST };

enum { LABEL_COLUMNS = 12, LAYOUT_WIDEST = 80 };

int layout_columns(void);
void layout_colour(enum style style);
/* "    why       A warp's load touches ..." */
void layout_wrap(const char *label, const char *paragraph);
void layout_lines(const char *indent, const char *lines, size_t most_lines);
void layout_raw(const char *indent, const char *lines, size_t most_lines);

#endif
