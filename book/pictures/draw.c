// SPDX-License-Identifier: MIT
/*
 * draw.c: the lessons' pictures of memory accesses, as SVG on stdout.
 *
 *   draw NAME    one of those that `draw` alone lists
 *
 * A picture is a table row: its words, and a function that gives each lane's
 * address. How many sectors or wavefronts that is, and where each lane lands,
 * comes from the simulator's access model (access.h), never from the table.
 * The vocabulary of colours and shapes is README.md's.
 */
#include <stdio.h>
#include <string.h>

#include "simgpu/core/access.h"

enum {
    LANES = 32,
    FLOAT = 4,   /* bytes */
    SECTOR = 32, /* bytes */
    BANKS = 32,
    L = 48,          /* the lessons' rows, in floats */
    CELL = 20,       /* pixels: a float */
    LINE = CELL + 8, /* from one wavefront to the next */
    LEFT = 20,
    WIDTH = 720,
    SECTORS_A_ROW = 4,
    SECTOR_PITCH = 8 * CELL + 8,
};

struct picture {
    const char *name, *title, *text;
    uint64_t (*address)(int lane);
    uint32_t bytes; /* a lane */
    bool shared;
};

/* The lessons' index expressions, in bytes -------------------------------- */

static uint64_t naive_x(int lane)
{
    return (uint64_t)lane * L * FLOAT; /* h = i % H, at time 0 */
}

static uint64_t coalesced_x(int lane)
{
    return (uint64_t)(64 - 5 + lane) * FLOAT; /* x[row + t - k] */
}

static uint64_t coalesced_y(int lane)
{
    return (uint64_t)lane * FLOAT;
}

static uint64_t shared_row(int lane)
{
    return (uint64_t)(64 - 5 + lane) * FLOAT; /* a row's pitch is L */
}

static uint64_t quad(int lane)
{
    return (uint64_t)lane * 4 * FLOAT;
}

static uint64_t plain_column(int row)
{
    return (uint64_t)row * L * FLOAT; /* quad 0 of each row */
}

static uint64_t permuted_column(int row)
{
    return (uint64_t)(row * L + row / 2 % 4 * 4) * FLOAT;
}

static const struct picture PICTURES[] = {
    {"04-load", "Chapter 04: a warp loads x, a channel a lane",
     "Neighbouring lanes are 48 floats apart", naive_x, 4, false},
    {"05-load", "Chapter 05: a warp loads x, a time step a lane",
     "Tap 5 of the third warp, t = 16 to 47", coalesced_x, 4, false},
    {"05-store", "Chapter 05: a warp stores y",
     "Neighbouring lanes write neighbouring floats", coalesced_y, 4, false},
    {"06-banks", "Chapter 06: a warp reads a row in shared memory",
     "Tap 5 of the third warp, t = 16 to 47", shared_row, 4, true},
    {"07-load", "Chapter 07: a warp loads x, four floats a lane",
     "Each lane reads a quad of 16 bytes", quad, 16, false},
    {"07-banks-plain", "Chapter 07: a column of plain rows in shared memory",
     "Quad 0 of rows 48 floats long, eight lanes a pass", plain_column, 16,
     true},
    {"07-banks", "Chapter 07: the same column with the quads permuted",
     "Quad 0 of rows 48 floats long, eight lanes a pass", permuted_column, 16,
     true},
};

/* Shapes ------------------------------------------------------------------- */

static void open_svg(const struct picture *p, int height, const char *found)
{
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
           "viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
           "aria-labelledby=\"t d\">\n"
           "<title id=\"t\">%s</title>\n<desc id=\"d\">%s: %s</desc>\n",
           WIDTH, height, WIDTH, height, p->title, p->text, found);
    puts("<style>\n"
         "text { font: 13px sans-serif; fill: #1c2733 }\n"
         ".head { font-weight: bold; font-size: 15px }\n"
         ".n { font-size: 10px; fill: #fff; text-anchor: middle }\n"
         ".paper { fill: #fff }\n"
         ".lane { fill: #1f5fa8; stroke: #123b6b }\n"
         ".unused { fill: none; stroke: #9aa5b1; stroke-dasharray: 2 2 }\n"
         ".global { fill: none; stroke: #b35900; stroke-width: 2 }\n"
         ".shared { fill: none; stroke: #1b7a3d; stroke-width: 2; "
         "stroke-dasharray: 7 3 }\n"
         "@media (prefers-color-scheme: dark) {\n"
         "text { fill: #e6edf3 }\n.n { fill: #0b1520 }\n"
         ".paper { fill: #12181f }\n"
         ".lane { fill: #79b8ff; stroke: #c3dfff }\n"
         ".unused { stroke: #5d6b7a }\n.global { stroke: #ffa657 }\n"
         ".shared { stroke: #5fd38a }\n}\n</style>");
    printf("<rect class=\"paper\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n",
           WIDTH, height);
    printf("<text class=\"head\" x=\"%d\" y=\"28\">%s</text>\n"
           "<text x=\"%d\" y=\"48\">%s: %s</text>\n",
           LEFT, p->title, LEFT, p->text, found);
}

static void box(const char *class, int x, int y, int w, int h)
{
    printf("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
           "rx=\"2\"/>\n",
           class, x, y, w, h);
}

static void cell(int lane, int x, int y)
{
    if (lane < 0) {
        box("unused", x + 1, y + 1, CELL - 2, CELL - 2);
        return;
    }
    box("lane", x + 1, y + 1, CELL - 2, CELL - 2);
    printf("<text class=\"n\" x=\"%d\" y=\"%d\">%d</text>\n", x + CELL / 2,
           y + CELL / 2 + 4, lane);
}

static void label(int x, int y, const char *text)
{
    printf("<text x=\"%d\" y=\"%d\">%s</text>\n", x, y, text);
}

/* The lane, of the first n, that touches the float at `word`; -1: none. */
static int owner(const uint64_t addr[LANES], int n, uint32_t bytes,
                 uint64_t word)
{
    for (int lane = 0; lane < n; lane++)
        if (word >= addr[lane] && word < addr[lane] + bytes)
            return lane;
    return -1;
}

/* Global: the sectors that the request touches, four a row ----------------- */

static void draw_sectors(const struct picture *p)
{
    uint64_t addr[LANES], at = UINT64_MAX;
    uint32_t last = 0;
    for (int lane = 0; lane < LANES; lane++)
        addr[lane] = p->address(lane);
    uint32_t sectors = access_sectors(addr, UINT32_MAX);
    int rows = (int)(sectors + SECTORS_A_ROW - 1) / SECTORS_A_ROW;
    char found[96];
    snprintf(found, sizeof found, "%u sectors, %u of their %u bytes used.",
             sectors, LANES * p->bytes, sectors * SECTOR);
    open_svg(p, 98 + rows * (CELL + 12), found);
    for (int lane = 0; lane < LANES; lane++)
        for (uint64_t s = addr[lane] / SECTOR;
             s <= (addr[lane] + p->bytes - 1) / SECTOR; s++) {
            if (s == at)
                continue;
            at = s;
            int x = LEFT + (int)(last % SECTORS_A_ROW) * SECTOR_PITCH;
            int y = 66 + (int)(last / SECTORS_A_ROW) * (CELL + 12);
            last++;
            box("global", x - 3, y - 3, 8 * CELL + 6 - 2, CELL + 6);
            for (int w = 0; w < SECTOR / FLOAT; w++)
                cell(owner(addr, LANES, p->bytes,
                           s * SECTOR + (uint64_t)w * FLOAT),
                     x + w * CELL - 1, y);
        }
    label(LEFT, 66 + rows * (CELL + 12) + 14,
          "Frame: a sector of global memory, 32 bytes. Number: the lane that "
          "uses the float. Dashed: unused.");
    puts("</svg>");
}

/* Shared: banks across, wavefronts down; the first pass of the request ----- */

static void draw_banks(const struct picture *p)
{
    uint64_t addr[LANES];
    int lanes = LANES * FLOAT / (int)p->bytes, words = (int)p->bytes / FLOAT;
    for (int lane = 0; lane < LANES; lane++)
        addr[lane] = p->address(lane);
    struct wavefronts n = access_wavefronts(
        addr, lanes == LANES ? UINT32_MAX : (1u << lanes) - 1, p->bytes, true);
    int bank_of[BANKS] = {0}, grid[LANES][BANKS];
    memset(grid, 0xff, sizeof grid);
    for (int lane = 0; lane < lanes; lane++)
        for (int w = 0; w < words; w++) {
            int bank = (int)(addr[lane] / FLOAT + (uint64_t)w) % BANKS;
            grid[bank_of[bank]++][bank] = lane;
        }
    char found[96];
    snprintf(found, sizeof found, "%u wavefront%s, %u in conflict.",
             n.wavefronts, n.wavefronts == 1 ? "" : "s", n.conflicts);
    open_svg(p, 118 + (int)n.wavefronts * LINE, found);
    for (int bank = 0; bank < BANKS; bank += 4) {
        char text[16];
        snprintf(text, sizeof text, "%d", bank);
        label(LEFT + 4 + bank * CELL, 76, text);
    }
    label(LEFT + BANKS * CELL + 6, 76, "bank");
    for (uint32_t y = 0; y < n.wavefronts; y++) {
        box("shared", LEFT - 3, 83 + (int)y * LINE, BANKS * CELL + 6, CELL + 2);
        for (int bank = 0; bank < BANKS; bank++)
            cell(grid[y][bank], LEFT + bank * CELL, 84 + (int)y * LINE);
    }
    label(LEFT, 104 + (int)n.wavefronts * LINE,
          "Dashed frame: a wavefront over the 32 banks. Number: the lane that "
          "uses the bank.");
    puts("</svg>");
}

int main(int argc, char **argv)
{
    size_t n = sizeof PICTURES / sizeof *PICTURES;
    for (size_t i = 0; i < n; i++) {
        const struct picture *p = &PICTURES[i];
        if (argc < 2)
            puts(p->name);
        else if (!strcmp(argv[1], p->name)) {
            (p->shared ? draw_banks : draw_sectors)(p);
            return 0;
        }
    }
    if (argc >= 2)
        fprintf(stderr, "draw: no picture %s\n", argv[1]);
    return argc >= 2;
}
