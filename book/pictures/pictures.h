// SPDX-License-Identifier: MIT
/*
 * pictures.h: what draw can draw: tables of pictures.
 *
 *   accesses_name, accesses_draw    what one warp's access touches
 *   scenes_name, scenes_draw        who owns what, and where it lies
 *   ladder_name, ladder_draw        sketches of chapters 01 to 09
 *   product_name, product_draw      sketches of the later chapters
 *   anatomy_name, anatomy_draw      the parts of a GPU; some move
 *   occupancy_name, occupancy_draw  warps that fit on a multiprocessor
 *   map_name, map_draw              a map of shapes, from a sweep
 *   depth_name, depth_draw          regret by the depth of a tree
 *   cover_name, cover_draw          the cover, and the first page's banner
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
const char *ladder_name(size_t i);
void ladder_draw(size_t i);
const char *product_name(size_t i);
void product_draw(size_t i);
const char *anatomy_name(size_t i);
void anatomy_draw(size_t i);
const char *occupancy_name(size_t i);
void occupancy_draw(size_t i);
const char *map_name(size_t i);
void map_draw(size_t i);
const char *depth_name(size_t i);
void depth_draw(size_t i);
const char *cover_name(size_t i);
void cover_draw(size_t i);

#endif
