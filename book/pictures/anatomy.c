// SPDX-License-Identifier: MIT
/*
 * anatomy.c: sketches of the appendices: the parts of a GPU, a launch, a tile's
 * way, asynchronous copies.
 *
 * The hard idea: some move, and must stand still for who asks for that. So a
 * picture moves only while it is the target of its own address (NAME.svg#play);
 * the page's script decides, and everywhere else it is a still picture that
 * says the same.
 */
#include <stdio.h>

#include "pictures.h"
#include "sketch.h"

/* `name` is the animation's; `how` its length and steps; `frames` its
 * keyframes. */
static void animation(const char *name, const char *how, const char *frames)
{
    printf("<style>svg:target .%s { animation: %s %s infinite; "
           "visibility: visible }\n@keyframes %s { %s }</style>\n",
           name, name, how, name, frames);
}

/* The parts ---------------------------------------------------------------- */

static void multiprocessor(int x, const char *name)
{
    sk_box(SVG_BLOCK, x, 38, 118, 128, "");
    svg_words("mid", x + 59, 56, name);
    for (int i = 0; i < 4; i++)
        sk_box(SVG_WARP, x + 8 + i * 26, 64, 24, 22, "");
    svg_words("mid soft", x + 59, 100, "4 schedulers");
    sk_box(SVG_REGISTER, x + 8, 106, 102, 24, "65,536 regs");
    sk_box(SVG_SHARED, x + 8, 136, 102, 24, "L1 + shared");
}

static void gpu(void)
{
    svg_words("bold", EDGE, 26, "GPU");
    multiprocessor(EDGE, "multiproc. 0");
    multiprocessor(EDGE + 126, "multiproc. 1");
    sk_words(268, 104, "…");
    sk_box(SVG_BLOCK, 286, 38, 62, 128, "");
    svg_words("mid", 317, 104, "131");
    for (int i = 0; i < 3; i++) {
        static const int x[] = {71, 197, 317};
        svg_arrow(x[i], 190, x[i], 168);
        svg_arrow(x[i], 168, x[i], 190);
    }
    sk_box(SVG_GLOBAL, EDGE, 192, 336, 28, "L2, one for all");
    svg_arrow(180, 222, 180, 246);
    svg_arrow(180, 246, 180, 222);
    sk_box(SVG_GLOBAL, EDGE, 248, 336, 28, "global memory, on the card");
    svg_arrow(180, 278, 180, 302);
    svg_arrow(180, 302, 180, 278);
    sk_box(SVG_BLOCK, EDGE, 304, 336, 28, "the host, across a bus");
}

/* A launch ----------------------------------------------------------------- */

static void wave(int x, int w, const char *const *names, int n)
{
    for (int i = 0; i < n; i++)
        sk_box(SVG_BLOCK, x, 124 + i * 30, w, 24, names[i]);
}

static void launch(void)
{
    static const char *const first[] = {"block 0", "block 1", "block 2"};
    static const char *const second[] = {"block 3", "block 4"};

    animation("playhead", "6s linear",
              "from { transform: translateX(0) } "
              "to { transform: translateX(276px) }");
    sk_soft(EDGE, 42, "CPU");
    sk_box(SVG_BLOCK, 64, 26, 60, 24, "launch");
    sk_box(SVG_UNUSED, 128, 26, 212, 24, "synchronize: waits");
    sk_soft(EDGE, 84, "queue");
    sk_box(SVG_GLOBAL, 100, 68, 40, 24, "way");
    svg_arrow(112, 52, 112, 66);
    for (int i = 0; i < 3; i++) {
        char text[16];
        snprintf(text, sizeof text, "SM %d", i);
        sk_soft(EDGE, 141 + i * 30, text);
    }
    sk_line("arrow", 140, 94, 146, 122);
    wave(146, 82, first, 3);
    wave(232, 74, second, 2);
    sk_box(SVG_UNUSED, 232, 184, 74, 24, "idle");
    sk_line("arrow", 308, 122, 340, 52);
    svg_arrow(EDGE + 52, 230, 344, 230);
    svg_words("end soft", 344, 248, "time");
    printf("<path class=\"playhead arrow\" visibility=\"hidden\" "
           "d=\"M66 18V226\"/>\n");
    sk_soft(EDGE, 276, "A multiprocessor takes its next block when");
    sk_soft(EDGE, 293, "one ends. The CPU learns of the end last.");
}

/* A tile's way ------------------------------------------------------------- */

static void tile_way(void)
{
    static const char *const place[] = {"global memory", "L2", "shared memory",
                                        "registers"};
    static const enum svg_thing thing[] = {SVG_GLOBAL, SVG_GLOBAL, SVG_SHARED,
                                           SVG_REGISTER};
    static const char *const step[] = {"sectors of 32 bytes, by requests",
                                       "lines that other blocks use too",
                                       "wavefronts over 32 banks"};

    animation("travels", "5s ease-in-out",
              "0%, 8% { transform: translateY(0) } "
              "28%, 40% { transform: translateY(80px) } "
              "60%, 72% { transform: translateY(160px) } "
              "92%, 100% { transform: translateY(240px) }");
    for (int i = 0; i < 4; i++) {
        int y = 12 + i * 80;
        sk_box(thing[i], EDGE, y, 336, 40, "");
        sk_words(EDGE + 12, y + 25, place[i]);
        for (int k = 0; k < 4; k++)
            svg_mark(i ? SVG_UNUSED : SVG_LANE, 244 + k * 24, y + 10, 20, 20);
        if (i < 3) {
            svg_arrow(290, y + 43, 290, y + 77);
            svg_words("end soft", 276, y + 64, step[i]);
        }
    }
    printf("<g class=\"travels\" visibility=\"hidden\">\n");
    for (int k = 0; k < 4; k++)
        svg_mark(SVG_LANE, 244 + k * 24, 22, 20, 20);
    printf("</g>\n");
    sk_soft(EDGE, 316, "In registers a float is used many times.");
}

/* Asynchronous copies ------------------------------------------------------ */

static void copies(void)
{
    animation("playhead", "8s linear",
              "from { transform: translateX(0) } "
              "to { transform: translateX(288px) }");
    sk_words(EDGE, 22, "copies, three tiles ahead");
    sk_words(EDGE, 171, "multiply");
    for (int i = 0; i < 6; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        // A slot takes every fourth tile: a row per slot.
        sk_box(SVG_GLOBAL, EDGE + i * 48, 30 + i % 4 * 24, 94, 22, text);
        if (i < 4)
            sk_box(SVG_REGISTER, EDGE + 144 + i * 48, 154, 46, 24, text);
    }
    svg_arrow(EDGE, 194, NARROW - EDGE, 194);
    svg_words("end soft", NARROW - EDGE, 212, "time");
    printf("<path class=\"playhead arrow\" visibility=\"hidden\" "
           "d=\"M16 26V190\"/>\n");
    sk_soft(EDGE, 236, "A row above is a slot. Tile 4 may enter slot 0");
    sk_soft(EDGE, 253, "when every warp has used tile 0.");
}

/* Memory ------------------------------------------------------------------- */

static void hierarchy(void)
{
    static const struct {
        const char *name, *whose;
        enum svg_thing thing;
    } at[] = {
        {"registers", "a thread", SVG_REGISTER},
        {"shared memory", "a block", SVG_SHARED},
        {"L1", "a multiprocessor's blocks", SVG_GLOBAL},
        {"L2", "the GPU", SVG_GLOBAL},
        {"global memory", "the GPU; cudaMalloc", SVG_GLOBAL},
        {"host memory", "the CPU; across a bus", SVG_BLOCK},
    };

    for (int i = 0; i < 6; i++) {
        int w = 140 + i * 39, y = 10 + i * 54;
        sk_box(at[i].thing, (NARROW - w) / 2, y, w, 42, "");
        sk_middle(NARROW / 2, y + 18, at[i].name);
        svg_words("mid soft", NARROW / 2, y + 35, at[i].whose);
        if (i)
            sk_line("arrow", NARROW / 2, y - 11, NARROW / 2, y - 1);
    }
    sk_soft(EDGE, 30, "near, fast");
    sk_end_at(NARROW - EDGE, 30, "few threads");
}

static void sectors(void)
{
    sk_words(EDGE, 22, "4 bytes apart: 4 sectors, every byte used");
    sk_boxes(SVG_GLOBAL, EDGE, 32, 80, 26, 4, 85,
             (const char *const[]){"0 … 7", "8 … 15", "16 … 23", "24 … 31"});
    sk_words(EDGE, 90, "48 floats apart: 32 sectors, 4 of 32 bytes");
    for (int i = 0; i < 4; i++) {
        if (i == 2)
            continue;
        sk_box(SVG_GLOBAL, EDGE + i * 85, 100, 80, 26, "");
        svg_lane(i < 3 ? i : 31, EDGE + 3 + i * 85, 103);
    }
    sk_middle(EDGE + 210, 117, "…");
    sk_words(EDGE, 158, "All the same: 1 sector, one float for all");
    sk_box(SVG_GLOBAL, EDGE, 168, 80, 26, "0 … 31");
    sk_soft(EDGE, 218, "Frame: a sector. Numbers: lanes.");
}

static void banks(void)
{
    sk_words(EDGE, 29, "bank");
    sk_words(EDGE, 67, "floats");
    for (int i = 0; i < 6; i++) {
        static const int bank[] = {0, 1, 2, 3, -1, 31};
        int x = 66 + i * 47;
        char text[16];
        if (bank[i] < 0) {
            sk_middle(x + 21, 29, "…");
            continue;
        }
        snprintf(text, sizeof text, "%d", bank[i]);
        svg_words("bold mid", x + 21, 29, text);
        sk_box(SVG_SHARED, x, 42, 42, 106, "");
        for (int row = 0; row < 3; row++) {
            snprintf(text, sizeof text, "%d", bank[i] + 32 * row);
            sk_middle(x + 21, 67 + row * 32, text);
        }
    }
    sk_soft(EDGE, 172, "In one wavefront a bank hands out one float.");
}

static const struct sketch ANATOMY[] = {
    {"gpu", "The parts of a GPU",
     "132 multiprocessors, each with schedulers, registers, L1 and shared "
     "memory; "
     "L2; memory; the host.",
     344, gpu},
    {"launch", "A launch in time",
     "From the CPU through a queue to the multiprocessors, and back.", 304,
     launch},
    {"tile-way", "A tile's way", "Memory, L2, shared memory, registers.", 328,
     tile_way},
    {"copies", "Asynchronous copies",
     "Copies into four slots, three tiles ahead of the arithmetic.", 266,
     copies},
    {"hierarchy", "Six places of a float",
     "Registers, shared memory, L1, L2, global memory, host memory.", 332,
     hierarchy},
    {"sectors", "A warp and its sectors", "4, 32 or 1 for 32 lanes.", 228,
     sectors},
    {"banks", "Banks", "Float n lies in bank n % 32.", 184, banks},
};

const char *anatomy_name(size_t i)
{
    return i < sizeof ANATOMY / sizeof *ANATOMY ? ANATOMY[i].name : NULL;
}

void anatomy_draw(size_t i)
{
    sketch_draw(&ANATOMY[i]);
}
