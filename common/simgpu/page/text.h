// SPDX-License-Identifier: MIT
/*
 * text.h: writes JSON, one answer at a time. Nobody else writes a brace, a
 * comma or a quote of it.
 *
 *   text_begin, text_end                 empties it; what it holds
 *   text_object, text_object_end         { and }
 *   text_array, text_array_end           [ and ]
 *   text_key                             before a value in an object
 *   text_string, text_number, text_truth, text_null   values
 *
 * It has no jansson to build on: a page loads every byte of it.
 */
#ifndef SIMGPU_PAGE_TEXT_H
#define SIMGPU_PAGE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

void text_begin(void);
const char *text_end(void);
void text_object(void);
void text_object_end(void);
void text_array(void);
void text_array_end(void);
void text_key(const char *key);
void text_string(const char *s); /* NULL: null */
void text_number(int64_t n);
void text_truth(bool b);
void text_null(void);

#endif
