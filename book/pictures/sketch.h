// SPDX-License-Identifier: MIT
/*
 * sketch.h: pictures that are drawn by a function each, and what they share.
 *
 *   struct sketch          a row of a table of such pictures
 *   sketch_draw            one of them, as SVG
 *   sk_box, sk_boxes       a thing with words in it; a row of them
 *   sk_words, sk_soft      text from x; the same in grey
 *   sk_middle, sk_end_at   text around x; text that ends at x
 *   sk_line                a line of the class `arrow` or `thin`, without a tip
 *   sk_span                a measure from x to x + w, with its words below
 *
 * A sketch is NARROW units wide, so that it can be read on a telephone.
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
void sk_box(enum svg_thing thing, int x, int y, int w, int h, const char *text);
void sk_boxes(enum svg_thing thing, int x, int y, int w, int h, int n, int step,
           const char *const *texts);
void sk_words(int x, int y, const char *text);
void sk_soft(int x, int y, const char *text);
void sk_middle(int x, int y, const char *text);
void sk_end_at(int x, int y, const char *text);
void sk_line(const char *class, int x, int y, int to_x, int to_y);
void sk_span(int x, int y, int w, const char *text);

#endif
