// SPDX-License-Identifier: MIT
/*
 * text.h: JSON that grows, for page.c.
 *
 *   text_begin, text_end   empties it; what it holds
 *   text_add               as printf
 *   text_string            a string in quotes, or null
 */
#ifndef SIMGPU_PAGE_TEXT_H
#define SIMGPU_PAGE_TEXT_H

void text_begin(void);
const char *text_end(void);
void text_add(const char *format, ...) __attribute__((format(printf, 1, 2)));
void text_string(const char *s);

#endif
