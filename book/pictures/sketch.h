// SPDX-License-Identifier: MIT
/*
 * sketch.h: pictures that are drawn by a function each, and what they share.
 *
 *   struct sketch   a row of a table of such pictures
 *   sketch_draw     one of them, as SVG
 *   box, boxes      a thing of the vocabulary with words in it; a row of them
 *   words, soft     text from x; the same in grey
 *   middle, end_at  text around x; text that ends at x
 *   line            a line in the class `arrow` or `thin`, without a tip
 *   span            a measure from x to x + w, with its words below
 *
 * A sketch is NARROW units wide, so that its letters can be read on a telephone.
 */
#ifndef SKETCH_H
#define SKETCH_H

#include <stddef.h>

#include "svg/svg.h"

enum {
    NARROW = 360,
    EDGE = 12, /* from the paper's edge to the first thing */
};

struct sketch {
    const char *name, *title, *text;
    int height;
    void (*draw)(void);
};

void sketch_draw(const struct sketch *s);
void box(enum svg_thing thing, int x, int y, int w, int h, const char *text);
void boxes(enum svg_thing thing, int x, int y, int w, int h, int n, int step,
           const char *const *texts);
void words(int x, int y, const char *text);
void soft(int x, int y, const char *text);
void middle(int x, int y, const char *text);
void end_at(int x, int y, const char *text);
void line(const char *class, int x, int y, int to_x, int to_y);
void span(int x, int y, int w, const char *text);

#endif
