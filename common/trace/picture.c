// SPDX-License-Identifier: MIT
/*
 * picture.c: one access of a warp as SVG; see trace.h. Colours and shapes are
 * those of book/pictures/README.md.
 *
 * Global memory: each row is a cache line of 128 bytes, each frame in it a
 * sector that the request fetches. Shared memory: each row is a wavefront over
 * the 32 banks. Each square is 4 bytes, with the number of the lowest lane that
 * uses them.
 */
#include "trace.h"

#include <stdio.h>
#include <string.h>

#include "svg/svg.h"
#include "simgpu/core/memory/cost.h"

enum {
    LEFT = 24,
    ROW = SVG_CELL + 8,
    TOP = 26,
    WORDS_PER_LINE = CACHE_LINE / WORD,
    WORDS_PER_SECTOR = SECTOR / WORD,
    WIDTH = 820,
    MAX_ROWS = 4 * LANES,
};

/* Lanes per pass through shared memory, by the rule of cost.c. */
static uint32_t lanes_per_pass(const struct access *a)
{
    uint32_t words = a->bytes < WORD ? 1 : a->bytes / WORD;
    uint32_t lanes = LANES / words;
    struct wavefronts w = access_wavefronts(a->address, a->mask, a->bytes,
                                            !a->write);
    bool merged = lanes < LANES && a->mask == UINT32_MAX &&
                  w.wavefronts - w.conflicts < LANES / lanes;
    return merged ? 2 * lanes : lanes;
}

/* The lowest lane that accesses the word; -1: none. */
static int owner(const struct access *a, uint64_t word)
{
    for (int l = 0; l < LANES; l++)
        if (a->mask >> l & 1 && word * WORD + WORD > a->address[l] &&
            word * WORD < a->address[l] + a->bytes)
            return l;
    return -1;
}

/* Global ------------------------------------------------------------------- */

static int find_lines(const struct access *a, uint64_t *line)
{
    int n = 0;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        uint64_t at = a->address[__builtin_ctz(rest)] / CACHE_LINE;
        int k = n;
        while (k > 0 && line[k - 1] > at)
            k--;
        if (k > 0 && line[k - 1] == at)
            continue;
        memmove(line + k + 1, line + k, (size_t)(n++ - k) * sizeof *line);
        line[k] = at;
    }
    return n;
}

static void draw_line(const struct access *a, uint64_t line, int y)
{
    char text[64];
    for (int w = 0; w < WORDS_PER_LINE; w++) {
        uint64_t word = line * WORDS_PER_LINE + (uint64_t)w;
        svg_lane(owner(a, word), LEFT + w * SVG_CELL, y);
    }
    for (int s = 0; s < WORDS_PER_LINE / WORDS_PER_SECTOR; s++) {
        bool touched = false;
        for (int w = 0; w < WORDS_PER_SECTOR; w++)
            touched |= owner(a, line * WORDS_PER_LINE +
                                    (uint64_t)(s * WORDS_PER_SECTOR + w)) >= 0;
        if (touched)
            svg_mark(SVG_GLOBAL, LEFT + s * WORDS_PER_SECTOR * SVG_CELL - 1,
                     y - 2, WORDS_PER_SECTOR * SVG_CELL + 1, SVG_CELL + 4);
    }
    snprintf(text, sizeof text, "%s + %llu", a->array ? a->array : "",
             (unsigned long long)(line * CACHE_LINE));
    svg_text(LEFT + WORDS_PER_LINE * SVG_CELL + 8, y + 15, text);
}

static void draw_global(const struct access *a)
{
    uint64_t line[LANES + 1];
    int n = find_lines(a, line);
    for (int k = 0; k < n; k++)
        draw_line(a, line[k], TOP + k * ROW);
    svg_text(LEFT, 16, "byte of the line: 0");
    svg_text(LEFT + WORDS_PER_LINE / 2 * SVG_CELL, 16, "64");
}

/* Shared ------------------------------------------------------------------- */

struct banks { /* one row per wavefront */
    int lane[MAX_ROWS][BANKS];
    uint64_t word[MAX_ROWS][BANKS];
    int rows;
};

/* Puts a lane's word into the first wavefront of the pass, from row first on,
 * whose bank is free or already has that word. */
static void put_word(struct banks *b, int first, uint64_t word, int lane)
{
    int bank = (int)(word % BANKS), row = first;
    while (row < b->rows && b->lane[row][bank] >= 0 &&
           b->word[row][bank] != word)
        row++;
    if (row == MAX_ROWS)
        return;
    if (row == b->rows)
        memset(b->lane[b->rows++], 0xff, sizeof b->lane[0]);
    if (b->lane[row][bank] >= 0)
        return;
    b->lane[row][bank] = lane;
    b->word[row][bank] = word;
}

static void fill_banks(const struct access *a, struct banks *b)
{
    int lanes = (int)lanes_per_pass(a);
    uint32_t words = a->bytes < WORD ? 1 : a->bytes / WORD;
    b->rows = 0;
    for (int pass = 0; pass < LANES / lanes; pass++) {
        int first = b->rows;
        for (int l = pass * lanes; l < (pass + 1) * lanes; l++)
            for (uint32_t w = 0; a->mask >> l & 1 && w < words; w++)
                put_word(b, first, a->address[l] / WORD + w, l);
    }
}

static void draw_shared(const struct access *a)
{
    static struct banks b;
    char text[32];
    fill_banks(a, &b);
    for (int bank = 0; bank < BANKS; bank += 8) {
        snprintf(text, sizeof text, bank ? "%d" : "bank %d", bank);
        svg_text(LEFT + bank * SVG_CELL, 16, text);
    }
    for (int row = 0; row < b.rows; row++) {
        int y = TOP + row * ROW;
        for (int bank = 0; bank < BANKS; bank++)
            svg_lane(b.lane[row][bank], LEFT + bank * SVG_CELL, y);
        svg_mark(SVG_SHARED, LEFT - 2, y - 2, BANKS * SVG_CELL + 4,
                 SVG_CELL + 4);
        snprintf(text, sizeof text, "wavefront %d", row + 1);
        svg_text(LEFT + BANKS * SVG_CELL + 8, y + 15, text);
    }
}

/* Both --------------------------------------------------------------------- */

int picture_height(const struct access *a)
{
    static struct banks b;
    uint64_t line[LANES + 1];
    if (!a->shared)
        return TOP + find_lines(a, line) * ROW + 2;
    fill_banks(a, &b);
    return TOP + b.rows * ROW + 2;
}

void picture_words(const struct access *a, char *text, size_t size)
{
    if (a->shared) {
        struct wavefronts w = access_wavefronts(a->address, a->mask, a->bytes,
                                                !a->write);
        snprintf(text, size, "%u wavefront%s, %u in conflict", w.wavefronts,
                 w.wavefronts == 1 ? "" : "s", w.conflicts);
        return;
    }
    uint32_t sectors = access_sectors(a->address, a->mask), used = 0;
    uint64_t line[LANES + 1];
    int n = find_lines(a, line);
    for (int k = 0; k < n; k++)
        for (int w = 0; w < WORDS_PER_LINE; w++)
            used += WORD * (owner(a, line[k] * WORDS_PER_LINE +
                                         (uint64_t)w) >= 0);
    snprintf(text, size, "%u sector%s of %d bytes, %u of their %u bytes used",
             sectors, sectors == 1 ? "" : "s", SECTOR, used, sectors * SECTOR);
}

void picture_draw(const struct access *a, int id)
{
    char words[96];
    int height = picture_height(a);
    picture_words(a, words, sizeof words);
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
           "viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
           "aria-labelledby=\"t%d\">\n<title id=\"t%d\">%s</title>\n",
           WIDTH, height, WIDTH, height, id, id, words);
    a->shared ? draw_shared(a) : draw_global(a);
    puts("</svg>");
}
