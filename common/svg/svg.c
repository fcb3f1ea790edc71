// SPDX-License-Identifier: MIT
/*
 * svg.c: see svg.h.
 *
 * Everything has a colour for light and for dark themes, and a dash pattern or
 * line width of its own for readers who cannot see the colours.
 */
#include <stdio.h>

#include "svg.h"

static const char STYLE[] =
    "<style>\n"
    "text { font: 13px sans-serif; fill: #1c2733 }\n"
    ".head { font-weight: bold; font-size: 15px }\n"
    ".n { font-size: 10px; fill: #fff; text-anchor: middle }\n"
    ".mid { text-anchor: middle }\n"
    ".paper { fill: #fdfcf9 }\n"
    ".lane { fill: #1f5fa8; stroke: #123b6b }\n"
    ".unused { fill: none; stroke: #9aa5b1; stroke-dasharray: 2 2 }\n"
    ".warp { fill: none; stroke: #1f5fa8; stroke-width: 2 }\n"
    ".block { fill: none; stroke: #1c2733; stroke-width: 3 }\n"
    ".global { fill: #b3590014; stroke: #b35900; stroke-width: 2 }\n"
    ".shared { fill: #1b7a3d14; stroke: #1b7a3d; stroke-width: 2; "
    "stroke-dasharray: 7 3 }\n"
    ".register { fill: #8a2a8414; stroke: #8a2a84; stroke-width: 2; "
    "stroke-dasharray: 2 3 }\n"
    ".arrow { fill: none; stroke: #1c2733; stroke-width: 1.5 }\n"
    ".thin { fill: none; stroke: #9aa5b1; stroke-width: 1 }\n"
    ".tip { fill: #1c2733 }\n"
    ".soft { fill: #566270 }\n"
    ".bold { font-weight: bold }\n"
    ".end { text-anchor: end }\n"
    ".mono { font-family: monospace }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "text { fill: #e6edf3 }\n.n { fill: #0b1520 }\n"
    ".paper { fill: #16191c }\n"
    ".lane { fill: #79b8ff; stroke: #c3dfff }\n"
    ".unused { stroke: #5d6b7a }\n"
    ".warp { stroke: #79b8ff }\n.block { stroke: #e6edf3 }\n"
    ".global { fill: #ffa65720; stroke: #ffa657 }\n"
    ".shared { fill: #5fd38a20; stroke: #5fd38a }\n"
    ".register { fill: #e58ade20; stroke: #e58ade }\n"
    ".arrow { stroke: #e6edf3 }\n.tip { fill: #e6edf3 }\n"
    ".thin { stroke: #5d6b7a }\n.soft { fill: #a3afbb }\n}\n</style>";

static const struct {
    const char *class;
    int radius; /* of its corners */
} LOOKS[] = {
    [SVG_LANE] = {"lane", 2},     [SVG_UNUSED] = {"unused", 2},
    [SVG_WARP] = {"warp", 8},     [SVG_BLOCK] = {"block", 8},
    [SVG_GLOBAL] = {"global", 2}, [SVG_SHARED] = {"shared", 2},
    [SVG_REGISTER] = {"register", 2},
};

void svg_begin(int width, int top, int height, const char *title,
               const char *text)
{
    int shown = width < SVG_WIDTH ? width * 4 / 3 : width;

    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"play\" role=\"img\" "
           "viewBox=\"0 %d %d %d\" width=\"%d\" height=\"%d\" "
           "aria-labelledby=\"t d\">\n"
           "<title id=\"t\">%s</title>\n<desc id=\"d\">%s</desc>\n",
           top, width, height, shown, height * shown / width, title, text);
    puts(STYLE);
    printf("<rect class=\"paper\" y=\"%d\" width=\"%d\" height=\"%d\" "
           "rx=\"8\"/>\n", top, width, height);
}

void svg_style(void)
{
    puts(STYLE);
}

void svg_close(void)
{
    puts("</svg>");
}

void svg_mark(enum svg_thing thing, int x, int y, int w, int h)
{
    printf("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
           "rx=\"%d\"/>\n",
           LOOKS[thing].class, x, y, w, h, LOOKS[thing].radius);
}

void svg_text(int x, int y, const char *text)
{
    printf("<text x=\"%d\" y=\"%d\">%s</text>\n", x, y, text);
}

void svg_words(const char *class, int x, int y, const char *text)
{
    printf("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n", class, x, y,
           text);
}

void svg_path(const char *class, const char *d)
{
    printf("<path class=\"%s\" d=\"%s\"/>\n", class, d);
}

void svg_lane(int lane, int x, int y)
{
    enum svg_thing thing = lane < 0 ? SVG_UNUSED : SVG_LANE;

    svg_mark(thing, x + 1, y + 1, SVG_CELL - 2, SVG_CELL - 2);
    if (lane >= 0)
        printf("<text class=\"n\" x=\"%d\" y=\"%d\">%d</text>\n",
               x + SVG_CELL / 2, y + SVG_CELL / 2 + 4, lane);
}

void svg_arrow(int x, int y, int to_x, int to_y)
{
    enum { TIP = 6 }; /* half a tip's width, and its length */
    int dx = (to_x > x) - (to_x < x), dy = (to_y > y) - (to_y < y);

    printf("<path class=\"arrow\" d=\"M%d %dL%d %d\"/>\n", x, y,
           to_x - dx * TIP, to_y - dy * TIP);
    // Arrows go along an axis: the tip's base lies across it.
    printf("<path class=\"tip\" d=\"M%d %dL%d %dL%d %dz\"/>\n", to_x, to_y,
           to_x - dx * TIP - dy * TIP, to_y - dy * TIP - dx * TIP,
           to_x - dx * TIP + dy * TIP, to_y - dy * TIP + dx * TIP);
}
