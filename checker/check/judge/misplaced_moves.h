// SPDX-License-Identifier: MIT
/*
 * misplaced_moves.h: where a slip of indices leads.
 *
 *   moves_to       an output: whose value the slip stores in cell i; an input:
 *                  which element it reads for element i
 *   moves_astray   the same for rows that the slip takes to lie slip->n
 *                  elements apart: the element read for cell i, or whose value
 *                  is stored over it
 *   moves_chunk    elements of 16 bytes
 */
#ifndef CHECK_MISPLACED_MOVES_H
#define CHECK_MISPLACED_MOVES_H

#include "misplaced_sample.h"

enum { FRAGMENT_ROWS = 8 }; /* of a quarter, by which lanes hold a tile */
#define MOVES_NOWHERE ((size_t)-1) /* there is none */

size_t moves_to(const struct sample *s, int buffer, const struct slip *slip,
                size_t i);
size_t moves_chunk(const struct sample *s, int buffer);
/* False: there is none. */
bool moves_astray(const struct sample *s, int buffer, const struct slip *slip,
                  size_t i, size_t *there);

#endif
