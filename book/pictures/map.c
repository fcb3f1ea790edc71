// SPDX-License-Identifier: MIT
/*
 * map.c: maps of chapter 23, from its map.tsv.
 *
 *   map_name, map_draw
 *
 * A cell is a shape: the darker, the more of the roof the fastest kernel
 * reaches, which stands in it in per cent. A thick frame: a cliff, less than
 * half of what a neighbour reaches.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "pictures.h"
#include "sketch.h"
#include "sweep/sweep.h"

static const char path[] = "chapters/23-shape-map/map.tsv";

enum { CELL_W = 26, CELL_H = 22, LEFT = 46, TOP = 54 };

static struct map {
    struct sweep sweep;
    struct sweep_table table; /* the map's shapes alone, row by row */
    int down, across;
} map;

static void read_map(void)
{
    char error[512];
    int n = 0;

    if (!sweep_read(path, &map.sweep, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
    map.table = sweep_table(&map.sweep);
    for (int i = 0; i < map.table.n_shapes; i++)
        if (map.table.shapes[i].set == SWEEP_map)
            map.table.shapes[n++] = map.table.shapes[i];
    while (map.across < n && map.table.shapes[map.across].dim[0] ==
                                 map.table.shapes[0].dim[0])
        map.across++;
    map.down = map.across ? n / map.across : 0;
}

static double share(int row, int col)
{
    const struct sweep_shape *s = &map.table.shapes[row * map.across + col];
    double m = s->dim[0], n = s->dim[1], k = s->dim[2], best = INFINITY;
    double flops = 2 * m * n * k / atof(map.sweep.about.flops_per_second);
    double bytes = 4 * (m * k + k * n + m * n) /
                   atof(map.sweep.about.bytes_per_second);

    for (int i = 0; i < map.table.n_kernels; i++)
        if (s->ms[i] < best)
            best = s->ms[i];
    return 1e3 * fmax(flops, bytes) / best;
}

static bool is_cliff(int row, int col)
{
    static const int step[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    double best = 0;

    for (int i = 0; i < 4; i++) {
        int r = row + step[i][0], c = col + step[i][1];

        if (r >= 0 && r < map.down && c >= 0 && c < map.across)
            best = fmax(best, share(r, c));
    }
    return share(row, col) < 0.5 * best;
}

static void cell(int row, int col)
{
    int x = LEFT + col * CELL_W, y = TOP + row * CELL_H;
    char percent[16];

    printf("<rect class=\"lane\" style=\"fill-opacity: %.2f; stroke: none\" "
           "x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
           0.08 + 0.6 * fmin(1, share(row, col)), x, y, CELL_W - 2,
           CELL_H - 2);
    if (is_cliff(row, col))
        svg_mark(SVG_BLOCK, x + 1, y + 1, CELL_W - 4, CELL_H - 4);
    snprintf(percent, sizeof percent, "%.0f", 100 * share(row, col));
    sk_middle(x + CELL_W / 2 - 1, y + CELL_H / 2 + 4, percent);
}

static void draw(void)
{
    int below = TOP + map.down * CELL_H;
    char text[32];

    sk_words(LEFT, 20, "N, across; M, down; K = 512");
    for (int i = 0; i < map.across; i += 2) {
        snprintf(text, sizeof text, "%d", map.table.shapes[i].dim[1]);
        sk_middle(LEFT + i * CELL_W + CELL_W / 2, TOP - 8, text);
    }
    for (int row = 0; row < map.down; row++) {
        snprintf(text, sizeof text, "%d",
                 map.table.shapes[row * map.across].dim[0]);
        sk_end_at(LEFT - 6, TOP + row * CELL_H + CELL_H / 2 + 4, text);
        for (int col = 0; col < map.across; col++)
            cell(row, col);
    }
    sk_soft(LEFT, below + 20, "per cent of the roof; framed: a cliff");
    sk_soft(LEFT, below + 38, map.sweep.about.source);
}

const char *map_name(size_t i)
{
    return i == 0 ? "23-map" : NULL;
}

void map_draw(size_t i)
{
    struct sketch s = {
        .name = map_name(i),
        .title = "What share of the roof a product reaches",
        .text = "A grid of shapes: M down, N across, K fixed. The share of the "
                "roof grows towards large M and N, in steps.",
        .draw = draw};

    read_map();
    s.height = TOP + map.down * CELL_H + 50;
    sketch_draw(&s);
    free(map.table.shapes);
    sweep_free(&map.sweep);
}
