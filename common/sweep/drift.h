// SPDX-License-Identifier: MIT
/*
 * drift.h: whether an old sweep still says which kernel is the fastest.
 *
 *   drift_of   an old sweep beside a short new one
 *
 * Another card, driver or power limit changes all times, which by itself makes
 * no choice wrong. So what counts is not how far the times moved, but what the
 * old sweep's choices cost at the new times: their regret at some shapes. The
 * median of new over old says how far they moved.
 */
#ifndef SWEEP_DRIFT_H
#define SWEEP_DRIFT_H

#include "sweep/regret.h"

struct drift {
    int n;             /* shapes that both sweeps have */
    double times;      /* the median of new over old, of all kernels; NAN */
    struct regret old_choice; /* of the old sweep's fastest, by new times */
    int worst;         /* of the old table's kernels, the one that lost most;
                          -1: none lost a tenth beside the one that lost
                          least */
};

/* Kernels are matched by name; one that is new, or gone, is no drift. */
struct drift drift_of(const struct sweep_table *old,
                      const struct sweep_table *now);

#endif
