// SPDX-License-Identifier: MIT
/*
 * accesses.c: pictures of one warp's memory access.
 *
 * A picture is a table row: its words, and a function that gives each lane's
 * address. How many sectors or wavefronts that is, and where each lane lands,
 * comes from the simulator's access model (access.h), never from the table.
 */
#include <stdio.h>
#include <string.h>

#include "pictures.h"
#include "simgpu/core/memory/cost.h"
#include "svg/svg.h"

enum {
    LANES = 32,
    FLOAT = 4,   /* bytes */
    SECTOR = 32, /* bytes */
    BANKS = 32,
    L = 48,          /* the lessons' rows, in floats */
    CELL = SVG_CELL,
    LEFT = 20,
    SECTOR_PITCH = 8 * CELL + 8,
    TOP = 34, /* above it there is nothing to see */
};

/* Every picture is drawn twice: for a telephone in half the width. */
struct view {
    const char *suffix;
    int width, sectors_per_row, banks_per_row;
};

static const struct view VIEWS[] = {
    {"", SVG_WIDTH, 4, BANKS},
    {"-narrow", SVG_WIDTH / 2 + 4, 2, BANKS / 2},
};
enum { N_VIEWS = sizeof VIEWS / sizeof *VIEWS };

struct access {
    const char *name, *title, *text;
    uint64_t (*address)(int lane);
    uint32_t bytes; /* a lane */
    bool shared;
};

/* The lessons' index expressions, in bytes --------------------------------- */

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

static const struct access ACCESSES[] = {
    {"04-load", "Chapter 04: a warp loads x, a channel per lane",
     "Neighbouring lanes are 48 floats apart", naive_x, 4, false},
    {"05-load", "Chapter 05: a warp loads x, a time step per lane",
     "Tap 5 of the third warp, t = 16 to 47", coalesced_x, 4, false},
    {"05-store", "Chapter 05: a warp stores y",
     "Neighbouring lanes write neighbouring floats", coalesced_y, 4, false},
    {"06-banks", "Chapter 06: a warp reads a row in shared memory",
     "Tap 5 of the third warp, t = 16 to 47", shared_row, 4, true},
    {"07-load", "Chapter 07: a warp loads x, four floats per lane",
     "Each lane reads a quad of 16 bytes", quad, 16, false},
    {"07-banks-plain", "Chapter 07: a column of plain rows in shared memory",
     "Quad 0 of rows 48 floats long, eight lanes per pass", plain_column, 16,
     true},
    {"07-banks", "Chapter 07: the same column with the quads permuted",
     "Quad 0 of rows 48 floats long, eight lanes per pass", permuted_column, 16,
     true},
};

/* The lane, of the first n, that touches the float at `word`; -1: none. */
static int owner(const uint64_t addr[LANES], int n, uint32_t bytes,
                 uint64_t word)
{
    for (int lane = 0; lane < n; lane++)
        if (word >= addr[lane] && word < addr[lane] + bytes)
            return lane;
    return -1;
}

/* Global: the sectors that the request touches, four per row --------------- */

static void draw_sectors(const struct access *p, const struct view *v)
{
    uint64_t addr[LANES], at = UINT64_MAX;
    uint32_t last = 0;
    for (int lane = 0; lane < LANES; lane++)
        addr[lane] = p->address(lane);
    uint32_t sectors = access_sectors(addr, UINT32_MAX);
    int n = v->sectors_per_row, rows = ((int)sectors + n - 1) / n;
    char found[96];
    snprintf(found, sizeof found, "%u sectors, %u of their %u bytes used",
             sectors, LANES * p->bytes, sectors * SECTOR);
    svg_begin(v->width, TOP, 98 + rows * (CELL + 12) - TOP, p->title, p->text);
    svg_words("bold", LEFT, 52, found);
    for (int lane = 0; lane < LANES; lane++)
        for (uint64_t s = addr[lane] / SECTOR;
             s <= (addr[lane] + p->bytes - 1) / SECTOR; s++) {
            if (s == at)
                continue;
            at = s;
            int x = LEFT + (int)last % n * SECTOR_PITCH;
            int y = 66 + (int)last / n * (CELL + 12);
            last++;
            svg_mark(SVG_GLOBAL, x - 3, y - 3, 8 * CELL + 6 - 2, CELL + 6);
            for (int w = 0; w < SECTOR / FLOAT; w++)
                svg_lane(owner(addr, LANES, p->bytes,
                           s * SECTOR + (uint64_t)w * FLOAT),
                     x + w * CELL - 1, y);
        }
    svg_text(LEFT, 66 + rows * (CELL + 12) + 14,
          "Frame: a sector. Number: the lane.");
    svg_close();
}

/* Shared: banks across, wavefronts down; the first pass of the request ----- */

static void draw_banks(const struct access *p, const struct view *v)
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
    snprintf(found, sizeof found, "%u wavefront%s, %u in conflict",
             n.wavefronts, n.wavefronts == 1 ? "" : "s", n.conflicts);
    int folds = BANKS / v->banks_per_row, line = folds * (CELL + 2) + 6;
    svg_begin(v->width, TOP, 122 + (int)n.wavefronts * line - TOP, p->title,
              p->text);
    svg_words("bold", LEFT, 52, found);
    for (int bank = 0; bank < v->banks_per_row; bank += 4) {
        char text[32];
        if (folds == 1)
            snprintf(text, sizeof text, "%d", bank);
        else
            snprintf(text, sizeof text, "%d, %d", bank, bank + BANKS / 2);
        svg_text(LEFT + 4 + bank * CELL, 76, text);
    }
    if (folds == 1)
        svg_text(LEFT + BANKS * CELL + 6, 76, "bank");
    for (uint32_t w = 0; w < n.wavefronts; w++) {
        int y = 84 + (int)w * line;
        svg_mark(SVG_SHARED, LEFT - 3, y - 1, v->banks_per_row * CELL + 6,
                 folds * (CELL + 2));
        for (int bank = 0; bank < BANKS; bank++)
            svg_lane(grid[w][bank], LEFT + bank % v->banks_per_row * CELL,
                     y + bank / v->banks_per_row * (CELL + 1));
    }
    svg_text(LEFT, 110 + (int)n.wavefronts * line,
             "Frame: a wavefront, 32 banks. Number: the lane.");
    svg_close();
}

const char *accesses_name(size_t i)
{
    static char name[64];

    if (i >= N_VIEWS * (sizeof ACCESSES / sizeof *ACCESSES))
        return NULL;
    snprintf(name, sizeof name, "%s%s", ACCESSES[i / N_VIEWS].name,
             VIEWS[i % N_VIEWS].suffix);
    return name;
}

void accesses_draw(size_t i)
{
    const struct access *p = &ACCESSES[i / N_VIEWS];

    (p->shared ? draw_banks : draw_sectors)(p, &VIEWS[i % N_VIEWS]);
}
