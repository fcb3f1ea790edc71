// SPDX-License-Identifier: MIT
// Stage 23, shape map: step 1, the map and its cliffs.
// New: performance is a function of the shape, and it has cliffs.
// Before: one shape per kernel, a friendly one.
// Counter: none; what must be right is each cell's share, and which are cliffs.

#include "op/study.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

// What one kernel took at a point: n repeats, NAN where it did not run.
static double typical_ms(const double *ms, int n)
{
    //> todo median (about 6 lines)
    double sorted[STUDY_REPEATS];

    for (int i = 0; i < n; i++)
        sorted[i] = ms[i];
    qsort(sorted, n, sizeof *sorted, ascending);
    return n % 2 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
    //< todo
}

// How long the product would take under the nearer of its two roofs.
static double roof_ms(struct study_shape s, const struct study_gpu *gpu)
{
    //> todo roof (about 6 lines)
    double m = s.M, n = s.N, k = s.K; // as double: their products are large
    double flops = 2 * m * n * k / gpu->flops_per_ms;
    double bytes = 4 * (m * k + k * n + m * n) / gpu->bytes_per_ms;

    return fmax(flops, bytes);
    //< todo
}

static double share_of_roof(const struct study_point *p,
                            const struct study_gpu *gpu)
{
    double best = INFINITY;

    for (int k = 0; k < p->n_kernels; k++) {
        double ms = typical_ms(p->ms[k], p->n_repeats);

        if (ms < best) // false for NAN
            best = ms;
    }
    return roof_ms(p->shape, gpu) / best;
}

// Whether a cell falls to less than half of one of its neighbours.
static bool is_cliff(const struct study_cell *cells, int down, int across,
                     int row, int col)
{
    //> todo cliff (about 10 lines)
    static const int step[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    double best = 0;

    for (int i = 0; i < 4; i++) {
        int r = row + step[i][0], c = col + step[i][1];

        if (r >= 0 && r < down && c >= 0 && c < across)
            best = fmax(best, cells[r * across + c].share);
    }
    return cells[row * across + col].share < 0.5 * best;
    //< todo
}

void study_map(const struct study_point *points, int down, int across,
               const struct study_gpu *gpu, struct study_cell *cells)
{
    for (int i = 0; i < down * across; i++)
        cells[i].share = share_of_roof(&points[i], gpu);
    for (int row = 0; row < down; row++)
        for (int col = 0; col < across; col++)
            cells[row * across + col].cliff =
                is_cliff(cells, down, across, row, col);
}
