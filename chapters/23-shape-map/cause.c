// SPDX-License-Identifier: MIT
// Stage 23, shape map: step 2, why a neighbour falls.
// New: for each cause, the factor by which it makes a run longer.
// Before: step 1; it says where a cliff is, not why.
// Counter: none; the cause of each pair must be right.

#include "op/study.h"

static double up(double a, double b) // a over b, to the next whole number
{
    return ceil(a / b);
}

// By which factor a cause makes a run longer than it had to be; 1: not at all.
static double factor(enum study_cause cause, const struct study_run *r,
                     const struct study_gpu *gpu)
{
    const struct study_kernel *kernel = r->kernel;
    double m = r->shape.M, n = r->shape.N, k = r->shape.K;
    double tiles = up(m, kernel->tile_m) * up(n, kernel->tile_n);
    double at_a_time = (double)gpu->multiprocessors * kernel->blocks;

    switch (cause) {
    //> todo factors (about 15 lines)
    case STUDY_TILE:
        (void)k, (void)at_a_time;
        return tiles * kernel->tile_m * kernel->tile_n / (m * n);
    //< todo
    default:
        return 1;
    }
}

enum study_cause study_cause(const struct study_run *good,
                             const struct study_run *bad,
                             const struct study_gpu *gpu)
{
    //> todo largest (about 13 lines)
    double grew = factor(STUDY_TILE, bad, gpu) / factor(STUDY_TILE, good, gpu);

    return grew > 1.2 ? STUDY_TILE : STUDY_NO_CAUSE;
    //< todo
}
