// SPDX-License-Identifier: MIT
/*
 * items.h: the declarations of a text, and which of them are wanted.
 */
#ifndef LEAN_ITEMS_H
#define LEAN_ITEMS_H

#include <stdbool.h>

/* A stretch of tokens that is kept whole or left out whole: a declaration, a
 * line of the preprocessor's, or what opens or closes a namespace. */
struct item {
    int first, end;
    bool kept;
};

extern struct item *items_list;
extern int items_n;

/* Divides the tokens, and keeps what the source, these names (NULL ends them)
 * and what is kept already ask for. */
void items_choose(const char *const *wanted);

#endif
