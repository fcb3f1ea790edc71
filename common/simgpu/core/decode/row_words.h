// SPDX-License-Identifier: MIT
/*
 * row_words.h: the spellings of the table of opcode forms, for the tests that
 * hold it to the conformance rows and the page made of it.
 *
 *   row_count       how many rows there are
 *   row_words       the spelling of the k-th; is_pattern: of the whole opcode,
 *                   else without modifiers (rows.h)
 *   row_needs       modifiers that it needs: enum mod
 *   row_was_taken   whether an instruction was decoded by it
 *   row_matches     whether a text is of a pattern
 */
#ifndef SIMGPU_ROW_WORDS_H
#define SIMGPU_ROW_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

size_t row_count(void);
const char *row_words(size_t k, bool *is_pattern);
uint32_t row_needs(size_t k);
bool row_was_taken(size_t k);

/* took, where it is not NULL, is told each alternative that the text takes, by
 * its place in the pattern, and the pattern itself. */
typedef void row_took(const char *alternative);
bool row_matches(const char *pattern, const char *text, row_took *took);

#endif
