// SPDX-License-Identifier: MIT
/*
 * pictures.h: what draw can draw: two tables of pictures.
 *
 *   accesses_name, accesses_draw    what one warp's access touches
 *   scenes_name, scenes_draw        who owns what, and where it lies
 *
 * Pictures are numbered from 0; past the last, the name is NULL.
 */
#ifndef PICTURES_H
#define PICTURES_H

#include <stddef.h>

const char *accesses_name(size_t i);
void accesses_draw(size_t i);
const char *scenes_name(size_t i);
void scenes_draw(size_t i);

#endif
