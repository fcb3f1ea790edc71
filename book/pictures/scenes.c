// SPDX-License-Identifier: MIT
/*
 * scenes.c: sketches of who owns what, and where it lies: grids, tiles, warps,
 * and time.
 */
#include "pictures.h"
#include "sketch.h"

/* Chapter 01: a grid of blocks, a block of warps, a warp of lanes */
static void grid_01(void)
{
    static const char *const block[] = {"block 0", "block 1", "block 2"};

    sk_soft(EDGE, 22, "the grid: blocks, in any order");
    sk_boxes(SVG_BLOCK, EDGE, 32, 104, 28, 3, 116, block);
    svg_arrow(180, 63, 180, 92);
    sk_soft(EDGE, 86, "a block: warps");
    sk_box(SVG_BLOCK, EDGE, 95, 336, 38, "");
    sk_boxes(SVG_WARP, EDGE + 8, 102, 74, 24, 4, 82,
             (const char *const[]){"warp", "warp", "warp", "warp"});
    svg_arrow(58, 136, 58, 166);
    sk_soft(76, 158, "a warp: 32 lanes");
    sk_box(SVG_WARP, EDGE, 168, 8 * 22 + 8, 4 * 22 + 8, "");
    for (int lane = 0; lane < 32; lane++)
        svg_lane(lane, EDGE + 5 + lane % 8 * 22, 173 + lane / 8 * 22);
    sk_words(208, 188, "lane 0: threadIdx.x");
    sk_words(208, 206, "is a multiple of 32");
    sk_words(208, 234, "A load of a warp is");
    sk_words(208, 252, "one request.");
}

/* Chapter 06: a block's tile and its halo */
static void tile_06(void)
{
    sk_words(EDGE, 22, "x in global memory: four batches, one channel");
    for (int i = 0; i < 4; i++) {
        svg_mark(SVG_GLOBAL, EDGE, 32 + i * 22, 336, 17);
        svg_mark(SVG_SHARED, 84, 34 + i * 22, 200, 13);
    }
    svg_arrow(184, 120, 184, 146);
    sk_soft(196, 138, "once, by all threads");
    sk_box(SVG_BLOCK, EDGE, 148, 336, 272, "");
    sk_words(EDGE + 10, 170, "the tile, in shared memory");
    for (int i = 0; i < 4; i++) {
        sk_box(SVG_SHARED, EDGE + 10, 180 + i * 26, 76, 21, i ? "" : "halo");
        sk_box(SVG_SHARED, EDGE + 90, 180 + i * 26, 236, 21,
               i ? "" : "width time steps");
    }
    sk_words(EDGE + 10, 306, "and the weights");
    sk_box(SVG_SHARED, EDGE + 126, 292, 200, 21, "64 taps of channel h");
    svg_arrow(184, 318, 184, 350);
    sk_soft(196, 338, "K times per float");
    sk_box(SVG_WARP, EDGE + 10, 352, 316, 28, "");
    for (int lane = 0; lane < 14; lane++)
        svg_lane(lane, EDGE + 15 + lane * SVG_CELL, 356);
    sk_words(EDGE + 303, 371, "…");
    sk_soft(EDGE + 10, 400, "a lane per time step; lane 0 needs the halo");
}

/* Chapter 07: a warp owns 32 rows */
static void rows_07(void)
{
    static const int row[] = {0, 1, 2, 31};

    sk_words(EDGE, 22, "32 rows of x, in global memory");
    sk_box(SVG_GLOBAL, EDGE, 32, 336, 24, "6144 bytes, read by quads");
    svg_arrow(84, 59, 84, 88);
    sk_soft(96, 78, "by rows");
    sk_soft(EDGE, 106, "shared memory");
    sk_soft(196, 106, "each lane&apos;s registers");
    for (int i = 0; i < 4; i++) {
        int y = 116 + i * 30 + (i == 3 ? 16 : 0);
        sk_box(SVG_SHARED, EDGE, y, 130, 24, i == 3 ? "row 31" : "12 quads");
        svg_arrow(144, y + 12, 166, y + 12);
        svg_lane(row[i], 168, y + 2);
        sk_box(SVG_REGISTER, 194, y, 76, 24, "48 weights");
        sk_box(SVG_REGISTER, 274, y, 74, 24, "48 sums");
    }
    sk_middle(76, 219, "…");
    svg_mark(SVG_WARP, 164, 112, 28, 138);
    sk_soft(EDGE, 286, "A lane takes a row: eight lanes read down a");
    sk_soft(EDGE, 303, "column. A quad updates up to 4 x 48 sums, and");
    sk_soft(EDGE, 320, "no other lane reads it.");
}

/* Chapter 09: a warp's time, in turn and overlapped */
static void overlap_09(void)
{
    static const char *const tiles[] = {"tile", "tile", "tile", "tile"};

    sk_words(EDGE, 22, "Chapter 07: one thing after another");
    for (int i = 0; i < 2; i++) {
        sk_box(SVG_GLOBAL, EDGE + i * 168, 32, 78, 26, "load");
        sk_box(SVG_REGISTER, EDGE + 81 + i * 168, 32, 84, 26, "compute");
    }
    sk_words(EDGE, 94, "Chapter 09: the next tile is on its way");
    sk_boxes(SVG_GLOBAL, EDGE, 104, 78, 26, 4, 82, tiles);
    sk_boxes(SVG_REGISTER, EDGE + 82, 136, 78, 26, 3, 82,
             (const char *const[]){"compute", "compute", "compute"});
    svg_arrow(EDGE, 180, NARROW - EDGE, 180);
    svg_words("end soft", NARROW - EDGE, 198, "time");
    sk_soft(EDGE, 198, "orange: global memory");
    sk_soft(EDGE, 215, "dotted: registers");
}

static const struct sketch SCENES[] = {
    {"01-grid", "Who is who in a launch",
     "A grid has blocks, a block has warps, a warp has 32 lanes.", 276,
     grid_01},
    {"06-tile", "A block and its tiles",
     "Inputs and weights are fetched once and read many times.", 432, tile_06},
    {"07-rows", "A warp owns 32 rows",
     "Copied in by rows, read by columns, summed in registers.", 330, rows_07},
    {"09-overlap", "Loads behind the arithmetic",
     "The same work, in turn and overlapped.", 226, overlap_09},
};

const char *scenes_name(size_t i)
{
    return i < sizeof SCENES / sizeof *SCENES ? SCENES[i].name : NULL;
}

void scenes_draw(size_t i)
{
    sketch_draw(&SCENES[i]);
}
