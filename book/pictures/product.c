// SPDX-License-Identifier: MIT
/*
 * product.c: sketches of the chapters from the matrix product on.
 */
#include <stdio.h>

#include "pictures.h"
#include "sketch.h"

/* Chapters 10 to 14 -------------------------------------------------------- */

static void product_10(void)
{
    static const int x[] = {40, 150, 260};

    for (int i = 0; i < 3; i++)
        sk_box(SVG_GLOBAL, x[i], 34, 86, 86, "");
    svg_words("mid bold", 83, 140, "A");
    svg_words("mid bold", 193, 140, "B");
    svg_words("mid bold", 303, 140, "C");
    svg_mark(SVG_LANE, 40, 60, 86, 10);
    svg_mark(SVG_LANE, 178, 34, 10, 86);
    svg_mark(SVG_LANE, 288, 60, 10, 10);
    sk_end_at(36, 70, "row");
    sk_middle(83, 26, "k");
    sk_middle(183, 26, "col");
    sk_middle(293, 26, "col");
    sk_end_at(146, 82, "k");
    sk_line("thin", 260, 65, 288, 65);
    sk_line("thin", 293, 34, 293, 60);
}

static void tiles_12(void)
{
    static const char *const a[] = {"tile 0", "tile 1", "…"};

    sk_words(EDGE, 24, "A: along k, to the right");
    sk_boxes(SVG_GLOBAL, EDGE, 108, 62, 62, 3, 64, a);
    svg_mark(SVG_SHARED, EDGE, 108, 62, 62);
    sk_middle(270, 24, "B: along k, down");
    sk_box(SVG_GLOBAL, 240, 34, 62, 34, "tile 0");
    svg_mark(SVG_SHARED, 240, 34, 62, 34);
    sk_box(SVG_GLOBAL, 240, 70, 62, 34, "tile 1");
    sk_box(SVG_BLOCK, 240, 108, 62, 62, "C");
    svg_arrow(206, 139, 236, 139);
    sk_soft(EDGE, 60, "dashed: on chip now,");
    sk_soft(EDGE, 78, "32 x 32 floats each");
    sk_soft(EDGE, 192, "then both step on by one tile, until k ends");
}

static void outer(int x, int y, int rows, int cols)
{
    enum { C = 13 };

    for (int j = 0; j < cols; j++)
        svg_mark(SVG_SHARED, x + C + 4 + j * C, y, C - 3, C - 3);
    for (int i = 0; i < rows; i++) {
        svg_mark(SVG_SHARED, x, y + C + 4 + i * C, C - 3, C - 3);
        for (int j = 0; j < cols; j++)
            svg_mark(SVG_LANE, x + C + 4 + j * C, y + C + 4 + i * C, C - 3,
                     C - 3);
    }
}

static void outer_13(void)
{
    static const char *const head[] = {"1 element", "8 x 1", "8 x 8"};
    static const char *const load[] = {"2 loads", "9 loads", "16 loads"};
    static const char *const sums[] = {"1 multiply-add", "8", "64"};
    static const int x[] = {EDGE, 144, 228}, n[] = {1, 8, 8}, m[] = {1, 1, 8};

    for (int i = 0; i < 3; i++) {
        svg_words("bold", x[i], 22, head[i]);
        outer(x[i], 32, n[i], m[i]);
        sk_words(x[i], 176, load[i]);
        sk_words(x[i], 194, sums[i]);
    }
    sk_soft(EDGE, 218, "Dashed: a float from shared memory. Blue: a sum.");
}

static void pad_14(void)
{
    for (int k = 0; k < 3; k++) {
        char text[16];
        snprintf(text, sizeof text, "k = %d", k);
        sk_words(EDGE, 41 + k * 30, text);
        sk_box(SVG_SHARED, 60, 24 + k * 30, 238, 24,
               k == 0 ? "m = 0 … 127" : "");
        sk_box(SVG_UNUSED, 302, 24 + k * 30, 46, 24, "pad");
    }
    sk_words(60, 16, "a_tile[k][m]");
    sk_soft(EDGE, 132, "Rows of 132 floats: the next row begins");
    sk_soft(EDGE, 149, "4 banks further on, and not in the same one.");
}

/* Chapters 15 to 17 -------------------------------------------------------- */

static void numbered(enum svg_thing thing, int x, int y, int w, int n, int step,
                     int first)
{
    for (int i = 0; i < n; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", first + i);
        sk_box(thing, x + i * step, y, w, 22, text);
    }
}

static void ring_15(void)
{
    static const char *const slot[] = {"use", "come", "come", "free"};

    sk_words(EDGE, 20, "Chapter 14: in turn");
    for (int i = 0; i < 3; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        sk_box(SVG_GLOBAL, EDGE + i * 112, 28, 52, 22, text);
        sk_box(SVG_REGISTER, EDGE + 56 + i * 112, 28, 52, 22, text);
    }
    sk_words(EDGE, 80, "A ring of four: copies are three tiles ahead");
    numbered(SVG_GLOBAL, EDGE, 88, 44, 7, 48, 0);
    numbered(SVG_REGISTER, EDGE + 144, 116, 44, 4, 48, 0);
    svg_arrow(EDGE, 152, NARROW - EDGE, 152);
    sk_soft(EDGE, 170, "orange: a copy; dotted: multiply");
    svg_words("end soft", NARROW - EDGE, 170, "time");
    sk_words(EDGE, 200, "The slots, while tile 0 is used:");
    sk_boxes(SVG_SHARED, EDGE, 208, 78, 26, 4, 86, slot);
}

static void swizzle_16(void)
{
    enum { W = 26, H = 20 };

    for (int row = 0; row < 8; row++) {
        char text[16];
        snprintf(text, sizeof text, "row %d", row);
        sk_words(EDGE, 28 + row * H, text);
        for (int place = 0; place < 8; place++) {
            int chunk = place ^ row;
            snprintf(text, sizeof text, "%d", chunk);
            svg_mark(chunk ? SVG_UNUSED : SVG_LANE, 62 + place * W,
                     14 + row * H, W - 3, H - 3);
            svg_words(chunk ? "mid" : "n", 62 + place * W + 11, 27 + row * H,
                      text);
        }
    }
    sk_words(280, 28, "place of");
    sk_words(280, 46, "chunk 0:");
    sk_words(280, 64, "a column");
    sk_words(280, 82, "per row");
    sk_soft(EDGE, 196, "Eight columns, so all 32 banks, once.");
}

static void ring_17(void)
{
    static const char *const slot[] = {"use", "full", "full", "coming"};

    sk_box(SVG_GLOBAL, EDGE, 12, 150, 44, "");
    sk_middle(87, 31, "copy engine");
    svg_words("mid soft", 87, 48, "one thread asks");
    sk_box(SVG_REGISTER, 198, 12, 150, 44, "");
    sk_middle(273, 31, "tensor cores");
    svg_words("mid soft", 273, 48, "two warpgroups");
    svg_arrow(164, 26, 196, 26);
    svg_arrow(196, 44, 164, 44);
    sk_words(EDGE, 78, "full[slot]: 49152 bytes are there");
    svg_words("end", NARROW - EDGE, 96,
              "empty[slot]: all 8 warps have read it");
    sk_words(EDGE, 126, "A ring of four pairs of tiles:");
    sk_boxes(SVG_SHARED, EDGE, 134, 78, 26, 4, 86, slot);
    sk_words(EDGE, 190, "A block goes from tile to tile:");
    sk_soft(EDGE, 214, "loads");
    sk_boxes(SVG_GLOBAL, 76, 200, 86, 20, 3, 90,
             (const char *const[]){"tile 0", "tile 1", "tile 2"});
    sk_soft(EDGE, 240, "multiply");
    sk_boxes(SVG_REGISTER, 94, 226, 80, 20, 2, 92,
             (const char *const[]){"0", "1"});
    sk_box(SVG_REGISTER, 278, 226, 68, 20, "2");
    sk_soft(EDGE, 266, "store");
    sk_box(SVG_BLOCK, 186, 252, 40, 20, "0");
    sk_box(SVG_BLOCK, 278, 252, 40, 20, "1");
    sk_soft(EDGE, 294, "The gap: sums leave the registers.");
}

/* Chapters 18 to 22 -------------------------------------------------------- */

static void map_18(void)
{
    sk_words(EDGE, 29, "x");
    sk_words(EDGE, 111, "y");
    for (int i = 0; i < 8; i++) {
        sk_box(SVG_GLOBAL, 32 + i * 40, 12, 36, 26, "");
        sk_line("arrow", 50 + i * 40, 40, 50 + i * 40, 52);
        svg_arrow(50 + i * 40, 78, 50 + i * 40, 93);
        sk_box(SVG_GLOBAL, 32 + i * 40, 94, 36, 26, "");
        sk_box(SVG_REGISTER, 38 + i * 40, 54, 24, 22, "f");
    }
    sk_words(EDGE, 150, "memory");
    sk_box(SVG_GLOBAL, 80, 138, 264, 18, "");
    sk_middle(212, 152, "8 bytes per element");
    sk_words(EDGE, 178, "ALU");
    sk_box(SVG_REGISTER, 80, 166, 12, 18, "");
    sk_soft(100, 180, "1 to 10 instructions");
}

static void chain(int y, const char *in, const char *f, const char *out)
{
    sk_end_at(96, y + 18, in);
    svg_arrow(100, y + 13, 118, y + 13);
    sk_box(SVG_REGISTER, 120, y, 74, 26, f);
    svg_arrow(196, y + 13, 214, y + 13);
    sk_words(218, y + 18, out);
}

static void fused_19(void)
{
    svg_words("bold", EDGE, 20, "Four passes: reads 6, writes 4");
    chain(30, "x, bias", "+ bias", "y");
    chain(62, "y", "sigmoid", "s");
    chain(94, "y, s", "times", "y");
    chain(126, "y, residual", "+", "y");
    svg_words("bold", EDGE, 184, "One pass: reads 2, writes 1");
    chain(194, "x, residual", "all of it", "y");
    sk_soft(EDGE, 240, "The bias is too small to count.");
}

static void fused_20(void)
{
    svg_words("bold", EDGE, 20,
              "Three kernels: X, W, bias, z, z&apos;, Y at once");
    chain(30, "X, W", "product", "z");
    chain(62, "z, bias", "+", "z&apos;");
    chain(94, "z&apos;", "swish", "Y");
    svg_words("bold", EDGE, 152, "One kernel: X, W, bias, Y");
    sk_end_at(96, 184, "X, W");
    svg_arrow(100, 179, 118, 179);
    sk_box(SVG_REGISTER, 120, 166, 74, 26, "product");
    svg_arrow(196, 179, 208, 179);
    sk_box(SVG_REGISTER, 210, 166, 108, 26, "+ bias, swish");
    svg_arrow(320, 179, 334, 179);
    sk_words(338, 184, "Y");
    svg_words("soft", 120, 212, "sums stay in registers");
}

static void rows_21(void)
{
    static const char *const head[] = {"three_passes", "two_passes",
                                       "registers"};
    static const int n[] = {3, 2, 1};
    static const char *const what[3][3] = {{"largest", "sum", "results"},
                                           {"largest, sum", "results", ""},
                                           {"on chip", "", ""}};
    static const char *const all[] = {"4 traversals", "3 traversals",
                                      "2 traversals"};

    for (int i = 0; i < 3; i++) {
        int x = EDGE + i * 116;
        svg_words("bold", x, 22, head[i]);
        for (int k = 0; k < n[i]; k++) {
            sk_box(SVG_GLOBAL, x, 34 + k * 50, 104, 18, "row");
            svg_arrow(x + 16, 54 + k * 50, x + 16, 72 + k * 50);
            sk_words(x + 24, 71 + k * 50, what[i][k]);
        }
        if (i == 2) {
            sk_box(SVG_REGISTER, x, 76, 104, 40, "");
            sk_middle(x + 52, 93, "largest, sum,");
            sk_middle(x + 52, 109, "results");
        }
        sk_soft(x, 202, all[i]);
    }
}

static void passes_22(void)
{
    static const struct {
        const char *name, *passes[4], *all;
    } row[] = {
        {"kernels.cu", {"x x: p", "x x: q", "x: d", "x d: y"}, "9"},
        {"statistics.cu", {"x: moments", "", "x: d", "x d: y"}, "6"},
        {"fused.cu", {"x: moments", "", "", "x: y"}, "3"},
        {"evonorm_b0.cu", {"x: on chip", "", "", "y"}, "2"},
    };

    for (int i = 0; i < 4; i++) {
        int y = 16 + i * 54;
        svg_words("bold", EDGE, y + 4, row[i].name);
        for (int k = 0; k < 4; k++)
            if (*row[i].passes[k])
                sk_box(i == 3 ? SVG_SHARED : SVG_GLOBAL, EDGE + k * 72, y + 10,
                       k == 0 && i ? 138 : 66, 24, row[i].passes[k]);
        svg_words("end", NARROW - EDGE, y + 27, row[i].all);
    }
    svg_words("end soft", NARROW - EDGE, 236, "traversals of x, d or y");
}

static const struct sketch PRODUCT[] = {
    {"10-product", "One element of C", "A row of A times a column of B.", 156,
     product_10},
    {"12-tiles", "Tiles along k",
     "A block walks along k, a tile of each at a time.", 202, tiles_12},
    {"13-outer", "Sums per thread", "2 loads for 1 sum, 9 for 8, 16 for 64.",
     228, outer_13},
    {"14-pad", "A transposed tile with padding",
     "Rows of 128 floats and 4 more.", 158, pad_14},
    {"15-ring", "A ring of four slots", "Copies run three tiles ahead.", 244,
     ring_15},
    {"16-swizzle", "The swizzle", "Chunk c of row m stands at place c ^ m % 8.",
     206, swizzle_16},
    {"17-ring", "Two barriers per slot",
     "The copy engine fills slots, tensor cores empty them.", 304, ring_17},
    {"18-map", "A map", "Each element is read once, changed, written once.",
     196, map_18},
    {"19-fused", "Four passes and one", "10 arrays move, or 3.", 250, fused_19},
    {"20-fused", "Three kernels and one", "z and z' never reach memory.", 224,
     fused_20},
    {"21-rows", "How often a row is traversed", "4, 3 and 2 times.", 212,
     rows_21},
    {"22-passes", "Traversals of four ways", "9, 6, 3 and 2.", 246, passes_22},
};

const char *product_name(size_t i)
{
    return i < sizeof PRODUCT / sizeof *PRODUCT ? PRODUCT[i].name : NULL;
}

void product_draw(size_t i)
{
    sketch_draw(&PRODUCT[i]);
}
