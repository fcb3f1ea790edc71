// SPDX-License-Identifier: MIT
/*
 * scenes.c: pictures of who owns what, and where it lies: grids, tiles, warps,
 * and time.
 *
 * A picture is a list of rows: a thing of the vocabulary, where it stands, what
 * is written in it, and how often it is repeated.
 */
#include <stdio.h>

#include "pictures.h"
#include "svg/svg.h"

enum kind {
    MARK,  /* a frame of `thing`, its words in the middle */
    WORDS, /* words that begin at x, y */
    ARROW, /* from x, y by w, h: along one axis */
    LANES, /* lanes numbered from `first` */
};

struct row {
    enum kind kind;
    enum svg_thing thing;
    int x, y, w, h;
    const char *words;
    int times, dx, dy; /* 0 times is once */
    int first;
};

struct scene {
    const char *name, *title, *text;
    int height;
    const struct row *rows;
    size_t n;
};

#define M(thing_, x_, y_, w_, h_, words_)                                      \
    {.kind = MARK, .thing = SVG_##thing_, .x = x_, .y = y_, .w = w_, .h = h_,  \
     .words = words_}
#define M_TIMES(thing_, x_, y_, w_, h_, words_, times_, dx_, dy_)              \
    {.kind = MARK, .thing = SVG_##thing_, .x = x_, .y = y_, .w = w_, .h = h_,  \
     .words = words_, .times = times_, .dx = dx_, .dy = dy_}
#define W(x_, y_, words_) {.kind = WORDS, .x = x_, .y = y_, .words = words_}
#define A(x_, y_, w_, h_)                                                      \
    {.kind = ARROW, .x = x_, .y = y_, .w = w_, .h = h_}
#define L(first_, x_, y_, times_, dx_, dy_)                                    \
    {.kind = LANES, .x = x_, .y = y_, .times = times_, .dx = dx_, .dy = dy_,   \
     .first = first_}

/* Chapter 01: a grid of blocks, a block of warps, a warp of lanes */
static const struct row GRID[] = {
    W(20, 82, "the grid"),
    M(BLOCK, 120, 64, 130, 26, "block 0"),
    M(BLOCK, 270, 64, 130, 26, "block 1"),
    M(BLOCK, 420, 64, 130, 26, "block 2"),
    W(570, 82, "in any order"),
    A(335, 92, 0, 26),
    W(20, 142, "a block"),
    M(BLOCK, 120, 120, 580, 36, ""),
    M_TIMES(WARP, 128, 127, 64, 22, "warp", 8, 71, 0),
    A(160, 150, 0, 34),
    W(20, 206, "a warp"),
    M(WARP, 116, 186, 8 * 26 + 6, 4 * 26 + 6, ""),
    L(0, 122, 191, 8, 26, 0),
    L(8, 122, 217, 8, 26, 0),
    L(16, 122, 243, 8, 26, 0),
    L(24, 122, 269, 8, 26, 0),
    W(350, 206, "32 lanes; lane 0 is the thread whose"),
    W(350, 226, "threadIdx.x is a multiple of 32"),
    W(350, 256, "One load of a warp is one request for"),
    W(350, 276, "the addresses of all its lanes."),
};

/* Chapter 06: a block's tile and its halo */
static const struct row TILE_06[] = {
    W(20, 82, "x[b, h, ...] in global memory, four batches of one channel"),
    M_TIMES(GLOBAL, 20, 92, 680, 18, "", 4, 0, 24),
    M_TIMES(SHARED, 160, 95, 390, 12, "", 4, 0, 24),
    A(355, 190, 0, 36),
    W(370, 214, "this block's tile and its halo, once, by all its threads"),
    M(BLOCK, 20, 230, 680, 234, ""),
    W(34, 252, "x_tile, in shared memory"),
    M_TIMES(SHARED, 34, 262, 104, 22, "halo", 4, 0, 28),
    M_TIMES(SHARED, 142, 262, 290, 22, "width time steps", 4, 0, 28),
    W(460, 252, "w_tile, in shared memory"),
    M(SHARED, 460, 262, 222, 22, "64 taps of channel h"),
    W(460, 306, "taps that reach further back"),
    W(460, 326, "come in the next portion"),
    A(220, 376, 0, 30),
    A(560, 340, 0, 66),
    W(235, 396, "K times a float, one lane per time step"),
    M(WARP, 34, 410, 32 * 20 + 8, 26, ""),
    L(0, 38, 413, 32, 20, 0),
    W(34, 454, "Lane 0 needs the halo: the inputs before its own time."),
};

/* Chapter 07: a warp owns 32 rows */
static const struct row WARP_07[] = {
    W(20, 82, "32 rows of x, one after another in global memory"),
    M(GLOBAL, 20, 92, 680, 22, "6144 bytes, read by quads: a request is 512"),
    A(150, 116, 0, 34),
    W(165, 138, "by rows"),
    W(20, 170, "the warp's tile, in shared memory"),
    M_TIMES(SHARED, 20, 180, 264, 20, "row: 12 quads", 3, 0, 26),
    W(140, 274, "..."),
    M(SHARED, 20, 284, 264, 20, "row 31"),
    A(288, 190, 60, 0),
    A(288, 216, 60, 0),
    A(288, 242, 60, 0),
    A(288, 294, 60, 0),
    W(24, 326, "a lane takes a row: eight lanes read down a column"),
    M(WARP, 352, 172, 348, 142, ""),
    L(0, 360, 180, 3, 0, 26),
    L(31, 360, 284, 1, 0, 0),
    M_TIMES(REGISTER, 390, 180, 148, 20, "48 weights", 3, 0, 26),
    M(REGISTER, 390, 284, 148, 20, "48 weights"),
    M_TIMES(REGISTER, 546, 180, 148, 20, "48 sums", 3, 0, 26),
    M(REGISTER, 546, 284, 148, 20, "48 sums"),
    W(366, 274, "..."),
    W(390, 166, "registers of each lane"),
    W(20, 352, "A quad that lane r reads from its row updates up to 4 x 48 "
               "sums, and no other lane reads it."),
};

/* Chapter 09: a warp's time, in turn and overlapped */
static const struct row OVERLAP_09[] = {
    W(20, 82, "Chapter 07: a warp does one thing after another"),
    M_TIMES(GLOBAL, 20, 94, 100, 26, "load", 3, 220, 0),
    M_TIMES(REGISTER, 124, 94, 112, 26, "compute", 3, 220, 0),
    W(20, 158, "Chapter 09: the next tile is on its way while this one is used"),
    W(20, 190, "global"),
    M_TIMES(GLOBAL, 90, 172, 112, 26, "tile", 4, 116, 0),
    W(20, 226, "registers"),
    M_TIMES(REGISTER, 206, 208, 112, 26, "compute", 4, 116, 0),
    A(90, 262, 592, 0),
    W(20, 266, "time"),
    W(20, 296, "What is left is the longer of the two rows, and one piece of "
               "the other at each end."),
};

#define SCENE(name, title, text, height, rows)                                 \
    {name, title, text, height, rows, sizeof rows / sizeof *rows}

static const struct scene SCENES[] = {
    SCENE("01-grid", "Chapter 01: who is who in a launch",
          "A grid has blocks, a block has warps, a warp has 32 lanes.", 312,
          GRID),
    SCENE("06-tile", "Chapter 06: a block and its tiles",
          "Inputs and weights are fetched once and read many times.", 480,
          TILE_06),
    SCENE("07-rows", "Chapter 07: a warp owns 32 rows",
          "Copied in by rows, read by columns, summed in registers.", 370,
          WARP_07),
    SCENE("09-overlap", "Chapter 09: loads behind the arithmetic",
          "The same work, in turn and overlapped.", 312, OVERLAP_09),
};

static void draw_once(const struct row *r, int i)
{
    int x = r->x + i * r->dx, y = r->y + i * r->dy;

    switch (r->kind) {
    case MARK:
        svg_mark(r->thing, x, y, r->w, r->h);
        if (*r->words)
            svg_text_middle(x + r->w / 2, y + r->h / 2 + 5, r->words);
        break;
    case WORDS: svg_text(x, y, r->words); break;
    case ARROW: svg_arrow(x, y, x + r->w, y + r->h); break;
    case LANES: svg_lane(r->first + i, x, y); break;
    }
}

const char *scenes_name(size_t i)
{
    return i < sizeof SCENES / sizeof *SCENES ? SCENES[i].name : NULL;
}

void scenes_draw(size_t i)
{
    const struct scene *s = &SCENES[i];

    svg_open(s->height, s->title, s->text, "");
    for (const struct row *r = s->rows; r < s->rows + s->n; r++)
        for (int k = 0; k < (r->times ? r->times : 1); k++)
            draw_once(r, k);
    svg_close();
}
