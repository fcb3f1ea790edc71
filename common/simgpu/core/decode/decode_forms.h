// SPDX-License-Identifier: MIT
/*
 * decode_forms.h: spellings of the instructions outside decode_table.c's rows.
 *
 *   decode_forms   the patterns: "shf.{l,r}.{clamp,wrap}.b32"
 *   form_matches   whether a text is of one; took (or NULL) hears of each
 *                  alternative that it took, by its place in the pattern
 *   form_known     the same for all of them; took hears of the pattern, too
 */
#ifndef SIMGPU_DECODE_FORMS_H
#define SIMGPU_DECODE_FORMS_H

#include <stdbool.h>
#include <stddef.h>

typedef void form_taken(const char *alternative);

size_t decode_forms(const char *const **list);
bool form_matches(const char *form, const char *text, form_taken *took);
bool form_known(const char *text, form_taken *took);

#endif
