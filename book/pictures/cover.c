// SPDX-License-Identifier: MIT
/*
 * cover.c: the cover, and the banner of the first page: 32 lanes that begin far
 * apart and end side by side, in four sectors, which is what the book teaches
 * first. Its colours are its own, alike by day and by night.
 */
#include <stdio.h>

#include "pictures.h"

enum { LANES = 32, SECTORS = 4, PER_SECTOR = LANES / SECTORS };

static void style(void)
{
    puts("<style>\n"
         ".ground { fill: #08312c }\n"
         ".thread { fill: none; stroke-width: 2; stroke-linecap: round }\n"
         ".dot { fill: #ffd9a0 }\n"
         ".cell { fill: #6fcdb9 }\n"
         ".sector { fill: none; stroke: #ffb45e; stroke-width: 2 }\n"
         "text { fill: #fdfcf9; font-family: \"DejaVu Sans\", sans-serif }\n"
         ".name { font-weight: bold; letter-spacing: -1px }\n"
         ".soft { fill: #a9cfc6 }\n"
         "</style>");
}

/* A lane's colour, from orange to green along the warp. */
static void colour(int lane, char out[8])
{
    static const int from[] = {255, 176, 92}, to[] = {96, 214, 186};
    int c[3];

    for (int i = 0; i < 3; i++)
        c[i] = from[i] + (to[i] - from[i]) * lane / (LANES - 1);
    snprintf(out, 8, "#%02x%02x%02x", c[0], c[1], c[2]);
}

/* Lanes from all over the width at `top` to neighbours around `middle`. */
static void lanes(int left, int width, int middle, int top, int foot, int cell)
{
    int gap = cell / 2, total = LANES * cell + (SECTORS - 1) * gap;

    for (int lane = 0; lane < LANES; lane++) {
        // Apart in no order that the eye would find: 11 is prime to 32.
        int from =
            left + (lane * 11 + 5) % LANES * width / LANES + width / LANES / 2;
        int to = middle - total / 2 + lane * cell + lane / PER_SECTOR * gap;
        char c[8];
        colour(lane, c);
        printf("<path class=\"thread\" stroke=\"%s\" d=\"M%d %dC%d %d %d %d %d "
               "%d\"/>\n",
               c, from, top, from, (top * 2 + foot * 3) / 5, to + cell / 2,
               (top * 3 + foot * 2) / 5, to + cell / 2, foot);
        printf("<circle class=\"dot\" cx=\"%d\" cy=\"%d\" r=\"3.5\"/>\n", from,
               top);
        printf("<rect class=\"cell\" x=\"%d\" y=\"%d\" width=\"%d\" "
               "height=\"%d\" rx=\"2\" style=\"fill: %s\"/>\n",
               to + 1, foot, cell - 2, cell - 2, c);
        if (lane % PER_SECTOR == 0)
            printf("<rect class=\"sector\" x=\"%d\" y=\"%d\" width=\"%d\" "
                   "height=\"%d\" rx=\"3\"/>\n",
                   to - 3, foot - 4, PER_SECTOR * cell + 6, cell + 6);
    }
}

static void open(int width, int height, const char *title)
{
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
           "viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
           "aria-labelledby=\"t d\">\n<title id=\"t\">%s</title>\n"
           "<desc id=\"d\">Thirty-two lanes, far apart above, side by side in "
           "four sectors below.</desc>\n",
           width, height, width, height, title);
    style();
    printf("<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n", width,
           height);
}

static void cover(void)
{
    open(595, 842, "Warpbook, the cover");
    lanes(40, 515, 298, 70, 430, 13);
    puts(
        "<text class=\"name\" x=\"40\" y=\"590\" font-size=\"76\">Warpbook"
        "</text>\n"
        "<text x=\"42\" y=\"640\" font-size=\"23\">Fast CUDA kernels, one step "
        "at a time</text>\n"
        "<text class=\"soft\" x=\"42\" y=\"680\" font-size=\"14\">Measured on "
        "a "
        "GPU, checked on any machine</text>\n"
        "<text class=\"soft\" x=\"42\" y=\"790\" font-size=\"14\">The Warpbook "
        "authors</text>\n</svg>");
}

static void banner(void)
{
    open(960, 260, "Lanes that meet");
    lanes(24, 912, 480, 26, 212, 18);
    puts("</svg>");
}

static const struct {
    const char *name;
    void (*draw)(void);
} COVERS[] = {{"cover", cover}, {"banner", banner}};

const char *cover_name(size_t i)
{
    return i < sizeof COVERS / sizeof *COVERS ? COVERS[i].name : NULL;
}

void cover_draw(size_t i)
{
    COVERS[i].draw();
}
