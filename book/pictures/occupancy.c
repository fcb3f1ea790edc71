// SPDX-License-Identifier: MIT
/*
 * occupancy.c: how many blocks of chapter 07's kernel three cards hold: what
 * stands where the page's calculator would be without scripts. What a block
 * takes is in book/occupancy.tsv; what fits, gpu_blocks says.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"
#include "simgpu/blocks.h"
#include "sketch.h"

enum { CELL = 21, COLUMNS = 16 };

struct taken {
    int threads, registers, shared;
};

static struct taken taken_by(const char *kernel)
{
    const char *path = "book/occupancy.tsv";
    struct taken t;
    char line[128], name[32];
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "%31s %d %d %d", name, &t.threads, &t.registers,
                   &t.shared) == 4 && !strcmp(name, kernel)) {
            fclose(f);
            return t;
        }
    fprintf(stderr, "draw: no %s in %s\n", kernel, path);
    exit(1);
}

static const char *limit(const struct gpu_blocks *n)
{
    return n->blocks == n->registers ? "registers are the limit"
         : n->blocks == n->shared    ? "shared memory is the limit"
         : n->blocks == n->threads   ? "threads are the limit"
                                     : "block slots are the limit";
}

/* A box per warp; those of a block have its number. Returns the height. */
static int one_card(const char *key, int y, const struct taken *t)
{
    enum { LANES = 32, HEAD = 20 };
    const struct gpu_model *gpu = gpu_find(key);
    struct gpu_blocks n = gpu_blocks(gpu, t->threads, t->registers,
                                     (size_t)t->shared);
    int warps = t->threads / LANES, most = gpu->max_threads_sm / LANES;
    char words[96], number[12];
    snprintf(words, sizeof words, "%s: %d blocks, %d of %d warps", gpu->name,
             n.blocks, n.blocks * warps, most);
    sk_words(EDGE, y, words);
    sk_soft(EDGE, y + 17, limit(&n));
    for (int w = 0; w < most; w++) {
        bool full = w / warps < n.blocks;
        snprintf(number, sizeof number, "%d", w / warps);
        sk_box(full ? SVG_WARP : SVG_UNUSED, EDGE + w % COLUMNS * CELL,
               y + HEAD + 6 + w / COLUMNS * CELL, CELL - 3, CELL - 3,
               full ? number : "");
    }
    return HEAD + most / COLUMNS * CELL + 34;
}

static void occupancy(void)
{
    static const char *const cards[] = {"h200", "a100", "t4"};
    struct taken t = taken_by("07/forward");
    for (int k = 0, y = 24; k < 3; k++)
        y += one_card(cards[k], y, &t);
}

static const struct sketch OCCUPANCY[] = {
    {"occupancy", "Chapter 07's kernel on three cards",
     "A box per warp that a multiprocessor can hold, with the number of the "
     "block whose warp it is.", 376, occupancy},
};

const char *occupancy_name(size_t i)
{
    return i < sizeof OCCUPANCY / sizeof *OCCUPANCY ? OCCUPANCY[i].name : NULL;
}

void occupancy_draw(size_t i)
{
    sketch_draw(&OCCUPANCY[i]);
}
