// SPDX-License-Identifier: MIT
/*
 * together.h: several stages at one shape on the GPU at hand.
 *
 *   together_open, together_close
 *   together_begin   a new shape: nothing is loaded
 *   together_turn    times some of the stages, one after the other
 *
 * To load a stage and its inputs, and to compare its outputs, takes the host
 * milliseconds, several times as long as a brief measurement takes the GPU. So
 * each stage has a runner of its own, which keeps it, and all runners load at
 * once, and are compared at once. Nothing else runs while one is timed.
 */
#ifndef BENCH_TOGETHER_H
#define BENCH_TOGETHER_H

#include "bench/measure.h"
#include "sweep/sweep.h"

struct together {
    struct measure measure[SWEEP_KERNELS];
    bool loaded[SWEEP_KERNELS];
};

struct together_turn {
    int n;                            /* stages */
    const char *stage[SWEEP_KERNELS]; /* NULL: not in this turn */
    double seconds[SWEEP_KERNELS];    /* of a launch; NAN: it failed */
    enum measure_end end[SWEEP_KERNELS];
};

void together_open(struct together *t, const char *build);
void together_close(struct together *t);
void together_begin(struct together *t);
/* A stage's first turn at a shape compares its result, too. Fills `seconds` and
 * `end` of those with a stage; reasons are in t->measure. */
void together_turn(struct together *t, const struct data *d,
                   struct together_turn *turn);

#endif
