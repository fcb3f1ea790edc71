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

static int common_divisor(int a, int b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* A step around n places that meets each of them once. */
static int mixing_step(int n)
{
    int step = (int)(0.618 * n) + 1;

    while (common_divisor(step, n) != 1)
        step++;
    return step;
}

static void causal_shape(int cells, int L, int K, int *dim)
{
    enum { CHANNELS = 64 };
    int rows = cells / L < 1 ? 1 : cells / L;

    dim[1] = rows < CHANNELS ? rows : CHANNELS;
    dim[0] = rows / dim[1];
    dim[2] = L;
    dim[3] = K;
}

int draw_causal(int cells, int most, struct sweep_row *shapes)
{
    static const double first = 4, last = 13; /* octaves of L */
    static const double step_L = 0.5, step_K = 0.8;
    int pair[1024][2], n = 0, step;

    for (double x = first; x <= last; x += step_L) {
        int L = (int)lrint(exp2(x)), K = 0;

        for (double y = 1; K < L && n < most && n < 1024; y += step_K) {
            K = (int)lrint(exp2(y));
            K = K < L ? K : L;
            pair[n][0] = L;
            pair[n++][1] = K;
        }
    }
    step = mixing_step(n);
    for (int i = 0; i < n; i++) {
        int from = (int)((long long)i * step % n);

        memset(&shapes[i], 0, sizeof shapes[i]);
        shapes[i].set = i % 2 ? SWEEP_held_out : SWEEP_train;
        causal_shape(cells, pair[from][0], pair[from][1], shapes[i].dim);
    }
    return n;
}
