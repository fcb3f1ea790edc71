// SPDX-License-Identifier: MIT
/*
 * sketch.c: see sketch.h.
 */
#include <stdio.h>

#include "sketch.h"

void sketch_draw(const struct sketch *s)
{
    svg_begin(NARROW, 0, s->height, s->title, s->text);
    s->draw();
    svg_close();
}

void sk_box(enum svg_thing thing, int x, int y, int w, int h, const char *text)
{
    svg_mark(thing, x, y, w, h);
    if (*text)
        svg_words("mid", x + w / 2, y + h / 2 + 5, text);
}

void sk_boxes(enum svg_thing thing, int x, int y, int w, int h, int n, int step,
              const char *const *texts)
{
    for (int i = 0; i < n; i++)
        sk_box(thing, x + i * step, y, w, h, texts ? texts[i] : "");
}

void sk_words(int x, int y, const char *text)
{
    svg_text(x, y, text);
}

void sk_soft(int x, int y, const char *text)
{
    svg_words("soft", x, y, text);
}

void sk_middle(int x, int y, const char *text)
{
    svg_words("mid", x, y, text);
}

void sk_end_at(int x, int y, const char *text)
{
    svg_words("end", x, y, text);
}

void sk_line(const char *class, int x, int y, int to_x, int to_y)
{
    char d[64];

    snprintf(d, sizeof d, "M%d %dL%d %d", x, y, to_x, to_y);
    svg_path(class, d);
}

void sk_span(int x, int y, int w, const char *text)
{
    sk_line("arrow", x, y - 4, x, y + 4);
    sk_line("arrow", x + w, y - 4, x + w, y + 4);
    sk_line("arrow", x, y, x + w, y);
    svg_words("mid soft", x + w / 2, y + 18, text);
}
