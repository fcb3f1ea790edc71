// SPDX-License-Identifier: MIT
// Stage 23, shape map: step 3, a search that prunes.
// New: a model that is roughly right says what need not be measured.
// Before: step 2; every kernel was measured at every shape.
// Counter: measured_percent falls from 100 to about half of that.

#include "op/study.h"

// Roughly how long a kernel takes at least, by what it computes and moves.
static double model_ms(struct study_shape s, const struct study_kernel *k,
                       const struct study_gpu *gpu)
{
    //> todo model (about 20 lines)
    const double k_ms = 1.5e-5; // a step of k: one product waits for another
    double m = s.M, n = s.N;
    double tiles = ceil(m / k->tile_m) * ceil(n / k->tile_n);
    double room = (double)gpu->multiprocessors * k->blocks; // at a time
    double rounds = ceil(tiles / room), steps = s.K, launches = 1;

    // Split along k, few tiles become as many pieces as there is room.
    if (k->splits) {
        rounds = tiles / room;
        steps = fmax(1, s.K * fmin(1, rounds));
        launches = 2; // the pieces have to be added up
    }

    double flops = 2.0 * k->tile_m * k->tile_n * s.K * room;
    double bytes = 4.0 * (k->tile_m + k->tile_n) * s.K * room;
    double l2_bytes_per_ms = 2 * gpu->bytes_per_ms; // tiles are read again
    double busy = rounds * fmax(flops / gpu->flops_per_ms,
                                bytes / l2_bytes_per_ms);

    return launches * gpu->launch_ms +
           fmax(busy, fmax(1, rounds) * steps * k_ms);
    //< todo
}

// The candidate with the shortest model_ms of those that are not `tried`; -1.
static int most_hopeful(const struct study_tuner *t, const bool *tried)
{
    int best = -1;

    for (int i = 0; i < t->n; i++)
        if (!tried[i] &&
            (best < 0 || model_ms(t->shape, &t->kernels[i], t->gpu) <
                             model_ms(t->shape, &t->kernels[best], t->gpu)))
            best = i;
    return best;
}

int study_tune(struct study_tuner *t)
{
    bool tried[STUDY_KERNELS] = {false};
    int best = -1;

    //> todo search (about 15 lines)
    for (int i = 0; i < t->n; i++) // what an earlier run paid for
        if (t->log[i].end != STUDY_UNKNOWN) {
            tried[i] = true;
            if (t->log[i].end == STUDY_OK &&
                (best < 0 || t->log[i].ms < t->log[best].ms))
                best = i;
        }
    for (int i; (i = most_hopeful(t, tried)) >= 0;) {
        tried[i] = true;
        if (t->spent_ms >= t->budget_ms ||
            (best >= 0 && model_ms(t->shape, &t->kernels[i], t->gpu) >
                              t->log[best].ms))
            break; // none of the others can be faster
        t->measure(t, i);
        if (t->log[i].end == STUDY_OK &&
            (best < 0 || t->log[i].ms < t->log[best].ms))
            best = i;
    }
    //< todo
    return best;
}
