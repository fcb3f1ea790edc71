// SPDX-License-Identifier: MIT
/*
 * svg.h: pictures of lanes, blocks and memory as SVG on stdout, for the lessons
 * and for trace. book/pictures/README.md lists the colours and shapes.
 *
 *   svg_begin   begins a picture: its title, description and style
 *   svg_mark    a frame in the shape and colour of its kind
 *   svg_text
 *   svg_words   text of a class: mid, end, bold, soft, mono
 *   svg_path    a line of a class: arrow, thin, or a thing's
 *   svg_lane    a lane's square with its number; -1: unused
 *   svg_arrow   data moves from here to there
 *   svg_close
 *   svg_style   only the style, for a page with several pictures
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

/* Units above y = top are not shown. A picture narrower than SVG_WIDTH is shown
   a third larger where there is room. `text` is the description. */
void svg_begin(int width, int top, int height, const char *title,
               const char *text);
void svg_close(void);
void svg_style(void);
void svg_mark(enum svg_thing thing, int x, int y, int w, int h);
void svg_text(int x, int y, const char *text);
void svg_words(const char *class, int x, int y, const char *text);
void svg_path(const char *class, const char *d);
void svg_lane(int lane, int x, int y);
void svg_arrow(int x, int y, int to_x, int to_y);

#endif
