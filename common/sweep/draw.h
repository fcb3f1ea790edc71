// SPDX-License-Identifier: MIT
/*
 * draw.h: which shapes a sweep measures.
 *
 *   draw_shapes   at random, from a seed: for training, and held out
 *   draw_grid     a map: every pair of two extents on a log grid
 *   draw_causal   depthwise convolutions: a log grid of lengths and taps
 *
 * Sizes are drawn so that each octave is equally likely: a workload has as many
 * matrices of 30 rows as of 3000. Half of the extents stay as drawn, mostly
 * odd; the other half become multiples of 32, as widths of layers are.
 */
#ifndef SWEEP_DRAW_H
#define SWEEP_DRAW_H

#include <stdint.h>

#include "sweep/sweep.h"

struct draw {
    int n_dims;
    int low[SWEEP_DIMS], high[SWEEP_DIMS]; /* of each extent */
    double most_work; /* the product of all extents; larger ones are redrawn */
    uint64_t seed;
};

/* n shapes, no two alike; the first `held` of them are held out. They depend
 * on `draw` and not on n: a larger sweep has the same held-out shapes. Sets
 * set and dim of each. */
void draw_shapes(const struct draw *draw, int held, int n,
                 struct sweep_row *shapes);
/* steps x steps shapes: extents `across` and `down` go from low to high by
 * equal factors, rounded; the others are draw->high. */
void draw_grid(const struct draw *draw, int across, int down, int steps,
               struct sweep_row *shapes);

/* Shapes (B, H, L, K) of a causal depthwise convolution, at most `most`;
 * returns how many. L goes from 16 to 8192 by half octaves, and for each L, K
 * from 2 to L by steps of 0.8 octaves, and K = L. B and H follow from `cells`,
 * about B H L. Long and short ones come in mixed order, every other one held
 * out. */
int draw_causal(int cells, int most, struct sweep_row *shapes);

#endif
