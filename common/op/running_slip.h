// SPDX-License-Identifier: MIT
/*
 * running_slip.h: a running sum of exponentials that is not shrunk when a larger
 * value comes.
 *
 *   running_slip_sum   what a row's sum comes to then, beside its largest value
 *   RUNNING_SLIPS      op_mistakes of that kind, the first with number FIRST
 *
 * A thread goes through its columns, of which it knows the largest and a sum of
 * exp(x - largest); then the lanes of a warp join what they know, and then the
 * warps of a block. Each of the three has a sum to shrink, by exp(old - new).
 */
#ifndef OP_RUNNING_SLIP_H
#define OP_RUNNING_SLIP_H

#include <math.h>
#include <stddef.h>

enum { RUNNING_KEEPS = 6, RUNNING_SIZES = 3,
       RUNNING_SLIP_N = RUNNING_KEEPS * RUNNING_SIZES };

#define RUNNING_SLIP                                                           \
    {"a sum of exponentials were not shrunk when a larger value came",         \
     "Where the largest value grows from m to M, the sum so far has to be "    \
     "multiplied by exp(m - M): in a thread's loop, between lanes, and "       \
     "between warps. Which of the three leaves it as it is?"}
#define RUNNING_SIX(first)                                                     \
    [(first)] = RUNNING_SLIP, [(first) + 1] = RUNNING_SLIP,                    \
    [(first) + 2] = RUNNING_SLIP, [(first) + 3] = RUNNING_SLIP,                \
    [(first) + 4] = RUNNING_SLIP, [(first) + 5] = RUNNING_SLIP
#define RUNNING_SLIPS(first)                                                   \
    RUNNING_SIX((first) - 1), RUNNING_SIX((first) - 1 + RUNNING_KEEPS),        \
    RUNNING_SIX((first) - 1 + 2 * RUNNING_KEEPS)

/* Which sums are left as they are: a thread's own in its loop; between lanes,
 * and between warps, the one that is joined (own) and the one that comes. */
struct running_keeps {
    int loop, lane_own, lane_other, warp_own, warp_other;
};

struct running {
    double max, sum;
};

static inline double running_shrunk(struct running p, double max, int keep)
{
    return keep || p.max == max ? p.sum : p.sum * exp(p.max - max);
}

static inline struct running running_join(struct running p, struct running q,
                                          int keep_own, int keep_other)
{
    double max = fmax(p.max, q.max);

    return (struct running){max, running_shrunk(p, max, keep_own) +
                                     running_shrunk(q, max, keep_other)};
}

/* x: n values in double. slip: mistake - FIRST. The sum is one of exp(x - the
 * largest of all). */
static inline double running_slip_sum(int slip, const double *x, size_t n)
{
    enum { LANES = 32 };
    static const struct running_keeps all_keeps[RUNNING_KEEPS] = {
        {1, 0, 0, 0, 0}, {1, 1, 0, 1, 0}, {0, 1, 1, 1, 1},
        {1, 1, 1, 1, 1}, {0, 1, 1, 0, 0}, {0, 0, 0, 1, 1}};
    static const size_t sizes[RUNNING_SIZES] = {256, 128, 512};
    const struct running_keeps *keeps = &all_keeps[slip % RUNNING_KEEPS];
    size_t threads = sizes[slip / RUNNING_KEEPS % RUNNING_SIZES];
    struct running all = {-INFINITY, 0};

    for (size_t warp = 0; warp < threads; warp += LANES) {
        struct running p[LANES], q[LANES];

        for (size_t lane = 0; lane < LANES; lane++) {
            p[lane] = (struct running){-INFINITY, 0};
            for (size_t i = warp + lane; i < n; i += threads)
                p[lane] = running_join(p[lane], (struct running){x[i], 1},
                                       keeps->loop, 0);
        }
        for (size_t step = LANES / 2; step > 0; step /= 2) {
            for (size_t lane = 0; lane < LANES; lane++)
                q[lane] = running_join(p[lane], p[lane ^ step], keeps->lane_own,
                                       keeps->lane_other);
            for (size_t lane = 0; lane < LANES; lane++)
                p[lane] = q[lane];
        }
        all = warp == 0 ? p[0]
                        : running_join(all, p[0], keeps->warp_own,
                                       keeps->warp_other);
    }
    return all.sum;
}

#endif
