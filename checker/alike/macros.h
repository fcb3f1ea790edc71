// SPDX-License-Identifier: MIT
/*
 * macros.h: what macros stand for.
 *
 *   macros_expand     puts a source's own macros in the place of their names,
 *                     and takes their definitions away
 *
 * Circle with tokens: this works on its list.
 */
#ifndef CHECKER_ALIKE_MACROS_H
#define CHECKER_ALIKE_MACROS_H

struct tokens;

void macros_expand(struct tokens *t);

#endif
