// SPDX-License-Identifier: MIT
/*
 * draw.c: see draw.h.
 */
#include "sweep/draw.h"

#include <math.h>
#include <string.h>

enum { FRIENDLY = 32 }; /* what half of the extents are a multiple of */

/* splitmix64: a well mixed number for each counter. */
static uint64_t mix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double draw_uniform(uint64_t *state)
{
    return (double)(mix(state) >> 11) * 0x1p-53;
}

static int extent(uint64_t *state, int low, int high)
{
    double octaves = log2(high + 1.0) - log2(low);
    int value = (int)exp2(log2(low) + octaves * draw_uniform(state));

    if (draw_uniform(state) < 0.5 && value >= FRIENDLY)
        value = value / FRIENDLY * FRIENDLY;
    return value < low ? low : value > high ? high : value;
}

static bool is_new(const struct sweep_row *shapes, int n)
{
    for (int i = 0; i < n; i++)
        if (memcmp(shapes[i].dim, shapes[n].dim, sizeof shapes[n].dim) == 0)
            return false;
    return true;
}

void draw_shapes(const struct draw *draw, int held, int n,
                 struct sweep_row *shapes)
{
    uint64_t state = draw->seed;

    for (int i = 0; i < n;) {
        struct sweep_row *row = &shapes[i];
        double work = 1;

        memset(row, 0, sizeof *row);
        row->set = i < held ? SWEEP_held_out : SWEEP_train;
        for (int d = 0; d < draw->n_dims; d++) {
            row->dim[d] = extent(&state, draw->low[d], draw->high[d]);
            work *= row->dim[d];
        }
        i += work <= draw->most_work && is_new(shapes, i);
    }
}

void draw_grid(const struct draw *draw, int across, int down, int steps,
               struct sweep_row *shapes)
{
    for (int i = 0; i < steps * steps; i++) {
        struct sweep_row *row = &shapes[i];

        memset(row, 0, sizeof *row);
        row->set = SWEEP_map;
        for (int d = 0; d < draw->n_dims; d++) {
            double at = d == across ? i % steps : d == down ? i / steps
                                                            : steps - 1;
            double low = log2(draw->low[d]), high = log2(draw->high[d]);

            row->dim[d] = (int)lrint(exp2(low + (high - low) * at /
                                                    (steps - 1)));
        }
    }
}
