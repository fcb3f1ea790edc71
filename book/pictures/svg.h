// SPDX-License-Identifier: MIT
/*
 * svg.h: the vocabulary of the lessons' pictures (README.md), as SVG on stdout.
 *
 *   svg_open    the picture, its title, its description, the colours
 *   svg_mark    a thing of the vocabulary: its shape and colour
 *   svg_text    words
 *   svg_lane    a lane's square with its number; -1: nobody's
 *   svg_arrow   data that goes from here to there
 *   svg_close
 *   svg_style   the colours alone, for a page that holds many pictures
 *
 * Lengths are pixels of a picture SVG_WIDTH wide.
 */
#ifndef SVG_H
#define SVG_H

enum {
    SVG_WIDTH = 720,
    SVG_CELL = 20, /* a float; a lane */
};

enum svg_thing {
    SVG_LANE,
    SVG_UNUSED,
    SVG_WARP,
    SVG_BLOCK,
    SVG_GLOBAL,
    SVG_SHARED,
    SVG_REGISTER,
};

/* found: what the picture shows, after its text; may be empty. */
void svg_open(int height, const char *title, const char *text,
              const char *found);
void svg_close(void);
void svg_style(void);
void svg_mark(enum svg_thing thing, int x, int y, int w, int h);
void svg_text(int x, int y, const char *text);
void svg_text_middle(int x, int y, const char *text);
void svg_lane(int lane, int x, int y);
void svg_arrow(int x, int y, int to_x, int to_y);

#endif
