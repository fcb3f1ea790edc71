// SPDX-License-Identifier: MIT
/*
 * wrongs.h: what all wrong cases of a stage say together.
 *
 *   wrongs_sum_up   whether what one case claims holds in others, and what the
 *                   right ones have in common
 */
#ifndef CHECK_WRONGS_H
#define CHECK_WRONGS_H

#include "simcase.h"

struct wrongs {
    const struct op *op;
    const struct test_case *cases; /* n, as run */
    const struct sim_part *parts;  /* of each */
    int n;
};

/* Sets first_wrong and its case, exact_alone, apart and apart_by_gaps. */
void wrongs_sum_up(const struct wrongs *wrongs, struct run *run);

#endif
