// SPDX-License-Identifier: MIT
/*
 * draw.c: see draw.h.
 */
#include "sweep/draw.h"

#include <math.h>
#include <string.h>

#include "sweep/uniform.h"

enum { FRIENDLY = 32 }; /* what half of the extents are a multiple of */

static int extent(uint64_t *state, int low, int high)
{
    double octaves = log2(high + 1.0) - log2(low);
    int value = (int)exp2(log2(low) + octaves * uniform_next(state));

    if (uniform_next(state) < 0.5 && value >= FRIENDLY)
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
