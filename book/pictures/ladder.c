// SPDX-License-Identifier: MIT
/*
 * ladder.c: sketches of the chapters up to the end of the convolution.
 */
#include "pictures.h"
#include "sketch.h"

/* Chapter 01 --------------------------------------------------------------- */

static void index_01(void)
{
    static const char *const first[] = {"0", "256", "512"};
    static const char *const last[] = {"255", "511", "767"};
    static const char *const block[] = {"block 0", "block 1", "block 2"};

    for (int i = 0; i < 3; i++) {
        int x = EDGE + i * 114;
        svg_words("mid bold", x + 53, 24, block[i]);
        svg_words("mid soft", x + 53, 44, "threadIdx.x");
        sk_box(SVG_BLOCK, x, 52, 106, 30, "");
        sk_words(x + 8, 72, "0");
        sk_middle(x + 53, 72, "…");
        sk_end_at(x + 98, 72, "255");
        svg_arrow(x + 53, 86, x + 53, 108);
        sk_box(SVG_GLOBAL, x, 110, 106, 28, "");
        sk_words(x + 8, 129, first[i]);
        sk_middle(x + 53, 129, "i");
        sk_end_at(x + 98, 129, last[i]);
    }
    int n = EDGE + 2 * 114 + 106 * (600 - 512) / 256;
    sk_line("arrow", n, 104, n, 154);
    svg_words("end", NARROW - EDGE, 170,
              "n = 600: threads from here on do nothing");
}

static void copies_01(void)
{
    static const char *const calls[] = {
        "cudaMalloc, three times", "cudaMemcpy of a and b",
        "add&lt;&lt;&lt;blocks, 256&gt;&gt;&gt;", "cudaMemcpy of c",
        "cudaFree, three times"};
    static const char *const effects[] = {"room for arrays", "both are filled",
                                          "adds, into gpu_c", "waits for add",
                                          "no room any more"};

    svg_words("bold", EDGE, 24, "CPU: a, b, c");
    svg_words("bold end", NARROW - EDGE, 24, "GPU: gpu_a, …");
    for (int i = 0; i < 5; i++) {
        int y = 36 + i * 38;
        sk_box(SVG_BLOCK, EDGE, y, 176, 28, calls[i]);
        sk_box(SVG_GLOBAL, 216, y, 132, 28, effects[i]);
        if (i == 3)
            svg_arrow(214, y + 14, 192, y + 14);
        else
            svg_arrow(192, y + 14, 214, y + 14);
    }
}

/* Chapters 02 and 03 ------------------------------------------------------- */

static void timing_02(void)
{
    sk_soft(EDGE, 58, "CPU");
    sk_line("arrow", 54, 38, 54, 66);
    sk_middle(54, 30, "look");
    sk_box(SVG_BLOCK, 60, 42, 56, 22, "launch");
    sk_line("arrow", 122, 38, 122, 66);
    sk_words(96, 30, "look: too early");
    sk_box(SVG_UNUSED, 146, 42, 170, 22, "synchronize: waits");
    sk_line("arrow", 322, 38, 322, 66);
    sk_middle(322, 30, "look");
    sk_line("thin", 104, 66, 122, 100);
    sk_soft(EDGE, 118, "GPU");
    sk_box(SVG_REGISTER, 122, 102, 176, 24, "the kernel");
    sk_line("thin", 298, 100, 316, 66);
    sk_span(122, 146, 176, "two events: the kernel");
    sk_span(54, 190, 268, "two looks: the way there and back, too");
}

static void roofline_03(void)
{
    svg_arrow(40, 196, 40, 22);
    svg_arrow(40, 196, 350, 196);
    sk_soft(50, 24, "operations per second (log)");
    svg_words("end soft", 350, 234, "operations per byte (log)");
    svg_path("global", "M60 180L200 60H340V196H60z");
    svg_path("arrow", "M60 180L200 60H340");
    sk_line("thin", 200, 60, 200, 196);
    sk_middle(270, 50, "peak of the cores");
    sk_words(210, 124, "a kernel stays");
    sk_words(210, 142, "below the lines");
    sk_soft(52, 92, "bandwidth");
    sk_soft(52, 108, "x intensity");
    sk_middle(200, 214, "ridge");
    svg_path("lane", "M84 159m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0");
    sk_words(94, 174, "copy");
    svg_path("lane", "M320 60m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0");
    sk_middle(320, 82, "fma");
}

static void float4_03(void)
{
    static const char *const lanes[] = {"32 lanes", "32 lanes", "32 lanes",
                                        "32 lanes"};
    static const char *const quads[] = {"0: x y z w", "1: x y z w", "…",
                                        "31: x y z w"};

    sk_words(EDGE, 24, "One float per thread: four requests");
    sk_boxes(SVG_GLOBAL, EDGE, 34, 82, 28, 4, 84, lanes);
    sk_words(EDGE, 94, "float4 per thread: one, for the same 512 bytes");
    sk_box(SVG_GLOBAL, EDGE, 104, 84 * 4 - 2, 30, "");
    for (int i = 0; i < 4; i++) {
        if (i != 2)
            sk_box(SVG_LANE, EDGE + 5 + i * 84, 109, 72, 20, "");
        svg_words(i == 2 ? "mid" : "n", EDGE + 41 + i * 84, 123, quads[i]);
    }
    sk_soft(EDGE, 156, "Frame: a request. Blue: a lane.");
}

static void chains_03(void)
{
    sk_words(EDGE, 24, "One chain: each step waits for the one before");
    for (int i = 0; i < 4; i++)
        sk_box(SVG_REGISTER, EDGE + i * 88, 34, 24, 24, "v0");
    for (int i = 0; i < 3; i++)
        svg_arrow(EDGE + 26 + i * 88, 46, EDGE + 86 + i * 88, 46);
    sk_words(EDGE, 88, "Four chains: the wait is filled");
    static const char *const v[] = {"v0", "v1", "v2", "v3", "v0", "v1",
                                    "v2", "v3", "v0", "v1", "v2", "v3"};
    sk_boxes(SVG_REGISTER, EDGE, 98, 24, 24, 12, 28, v);
    svg_arrow(EDGE, 140, NARROW - EDGE, 140);
    svg_words("end soft", NARROW - EDGE, 158, "time");
}

/* Chapters 04 to 06 -------------------------------------------------------- */

static void taps_04(void)
{
    static const char *const x[] = {"x0", "x1", "x2", "x3",
                                    "x4", "x5", "x6", "x7"};
    static const char *const w[] = {"w2", "w1", "w0"};

    sk_boxes(SVG_GLOBAL, EDGE, 12, 40, 26, 8, 42, x);
    for (int i = 0; i < 3; i++)
        svg_arrow(EDGE + 126 + 20 + i * 42, 64, EDGE + 126 + 20 + i * 42, 41);
    sk_boxes(SVG_REGISTER, EDGE + 126, 66, 40, 26, 3, 42, w);
    svg_arrow(EDGE + 230, 96, EDGE + 230, 118);
    sk_box(SVG_LANE, EDGE + 210, 120, 40, 26, "");
    svg_words("n", EDGE + 230, 137, "y5");
    sk_soft(EDGE, 137, "y5 = w0 x5 + w1 x4 + w2 x3");
}

static void strip_04(void)
{
    static const char *const rows[] = {"x[0,0,…]", "x[0,1,…]", "x[0,2,…]"};

    sk_boxes(SVG_GLOBAL, EDGE, 46, 110, 28, 3, 113, rows);
    for (int i = 0; i < 3; i++) {
        svg_lane(i, EDGE + i * 113, 4);
        svg_arrow(EDGE + 10 + i * 113, 26, EDGE + 10 + i * 113, 44);
    }
    sk_words(EDGE + 26, 20, "lane");
    sk_span(EDGE, 88, 110, "L floats, a channel");
    svg_words("end soft", NARROW - EDGE, 106, "addresses grow to the right");
}

static void lanes_05(void)
{
    sk_words(EDGE, 24, "Chapter 04: a lane per channel, 32 sectors");
    for (int i = 0; i < 4; i++) {
        sk_box(SVG_GLOBAL, EDGE + i * 86, 34, 78, 28, "");
        svg_lane(i, EDGE + 3 + i * 86, 38);
    }
    sk_words(EDGE, 92, "Chapter 05: a lane per time step, 4 or 5 sectors");
    sk_box(SVG_GLOBAL, EDGE, 102, 166, 28, "");
    sk_box(SVG_GLOBAL, EDGE + 170, 102, 166, 28, "");
    for (int i = 0; i < 16; i++)
        svg_lane(i, EDGE + 3 + i * SVG_CELL + (i > 7 ? 10 : 0), 106);
    sk_soft(EDGE, 152, "Frame: a sector of x. For w, all lanes of a row");
    sk_soft(EDGE, 168, "want the same float: one sector.");
}

static void halo(int before)
{
    int inputs = before ? EDGE : EDGE + 20,
        tile = before ? EDGE + 110 : EDGE + 20;

    sk_words(EDGE, 20, "tile of outputs");
    sk_box(SVG_LANE, tile, 28, 200, 26, "");
    svg_words("n", tile + 100, 46, "t0 … t0 + width - 1");
    sk_words(EDGE, 82, "inputs on chip");
    sk_box(SVG_SHARED, before ? inputs : tile + 204, 90, 106, 26,
           "halo: n - 1");
    sk_box(SVG_SHARED, tile, 90, 200, 26, "width");
    sk_line("thin", tile, 56, tile, 88);
    sk_line("thin", tile + 200, 56, tile + 200, 88);
}

static void halo_06(void)
{
    halo(1);
}

static void halo_grad_06(void)
{
    halo(0);
}

/* Chapter 08 --------------------------------------------------------------- */

static void halves_08(void)
{
    static const char *const have[] = {"128 sums of a tap", "64", "32", "…",
                                       "1"};
    static const int width[] = {336, 168, 84, 42, 21};

    for (int i = 0; i < 5; i++) {
        int y = 8 + i * 40;
        sk_box(SVG_SHARED, EDGE, y, width[i], 24, i < 3 ? have[i] : "");
        if (i >= 3)
            sk_words(EDGE + width[i] + 8, y + 17, have[i]);
        if (i < 3)
            sk_line("thin", EDGE + width[i] / 2, y, EDGE + width[i] / 2, y + 5);
        if (i < 4)
            svg_arrow(EDGE + width[i] * 3 / 4, y + 26, EDGE + width[i] / 4 + 3,
                      y + 26);
    }
    sk_soft(200, 92, "each step adds the");
    sk_soft(200, 109, "right half to the left;");
    sk_soft(200, 126, "a barrier before each");
}

static const struct sketch LADDER[] = {
    {"01-index", "Who takes which element",
     "Three blocks of 256 threads: i is 0 to 255, 256 to 511, 512 to 767.", 182,
     index_01},
    {"01-copies", "What a host program does",
     "Each call on the CPU, and what becomes of it on the GPU.", 228,
     copies_01},
    {"02-timing", "A launch in time",
     "The CPU's two looks see more than the kernel; two events do not.", 220,
     timing_02},
    {"03-roofline", "Two ceilings",
     "A slope up to the ridge, then a flat line.", 244, roofline_03},
    {"03-float4", "One float or four per thread",
     "Four requests, or one, for the same bytes.", 168, float4_03},
    {"03-chains", "One chain and four",
     "Four independent values fill the wait between a value's steps.", 166,
     chains_03},
    {"04-taps", "Three taps", "y5 is w0 x5 + w1 x4 + w2 x3.", 158, taps_04},
    {"04-strip", "Neighbouring lanes, L floats apart",
     "Lanes 0, 1 and 2 begin rows of x that are L floats long.", 118, strip_04},
    {"05-lanes", "Which lane touches what",
     "Lanes far apart in 32 sectors; lanes side by side in 4 or 5.", 180,
     lanes_05},
    {"06-halo", "A tile and its halo", "The halo lies before the tile.", 126,
     halo_06},
    {"06-halo-grad", "A tile of the gradient and its halo",
     "The halo lies behind the tile.", 126, halo_grad_06},
    {"08-halves", "A sum by halves", "128 sums become 64, 32 and at last 1.",
     204, halves_08},
};

const char *ladder_name(size_t i)
{
    return i < sizeof LADDER / sizeof *LADDER ? LADDER[i].name : NULL;
}

void ladder_draw(size_t i)
{
    sketch_draw(&LADDER[i]);
}
