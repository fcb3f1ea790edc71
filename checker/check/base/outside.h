// SPDX-License-Identifier: MIT
/*
 * outside.h: compilers' words that show the text of another's file.
 *
 *   outside_hide   takes them out
 *   outside_cut    cuts long lines
 *
 * A hand-in may include any file that check may read, and nvcc's errors quote
 * it. Files of the hand-in's folder, of common/, of /usr, of a folder "include"
 * anywhere and of check's own temporary folder may be quoted.
 */
#ifndef CHECK_OUTSIDE_H
#define CHECK_OUTSIDE_H

#include "text.h"

/* Leaves of words that name another file its name and what ptxas counted.
 * source: the .cu that is checked; scratch: check's own folder for it. Returns
 * whether there was one. */
bool outside_hide(struct text *words, const char *source, const char *scratch);
/* Adds the words, each line cut where it is longer than a message. */
void outside_cut(struct text *out, const char *words);

#endif
