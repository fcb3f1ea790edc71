// SPDX-License-Identifier: MIT
/*
 * running_slip.h: a running sum of exponentials that is not shrunk when a
 * larger value comes.
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
       RUNNING_SLIP_N = (RUNNING_SIZES + 1) * RUNNING_KEEPS };

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
    RUNNING_SIX((first) - 1 + 2 * RUNNING_KEEPS),                              \
    RUNNING_SIX((first) - 1 + 3 * RUNNING_KEEPS)

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

/* Whose threads go through a row, and how: `width` neighbours at a time, the
 * first `before` of which belong to the row before. */
struct running_threads {
    size_t n, width, before;
};

static inline struct running running_loop(const struct running_threads *t,
                                          const double *x, size_t n,
                                          size_t thread, int keep)
{
    struct running p = {-INFINITY, 0};

    for (size_t unit = thread; unit * t->width < t->before + n; unit += t->n) {
        struct running new = {p.max, 0};

        for (size_t e = 0; e < t->width; e++) {
            size_t i = unit * t->width + e - t->before; /* or huge, before it */

            if (i < n)
                new.max = fmax(new.max, x[i]);
        }
        for (size_t e = 0; e < t->width; e++) {
            size_t i = unit * t->width + e - t->before;

            if (i < n)
                new.sum += x[i] == new.max ? 1 : exp(x[i] - new.max);
        }
        new.sum += running_shrunk(p, new.max, keep);
        p = new;
    }
    return p;
}

static inline double running_sum_of(const struct running_threads *t,
                                    const struct running_keeps *keeps,
                                    const double *x, size_t n)
{
    enum { LANES = 32 };
    size_t lanes = t->n < LANES ? t->n : LANES;
    struct running all = {-INFINITY, 0};

    for (size_t warp = 0; warp < t->n; warp += LANES) {
        struct running p[LANES], q[LANES];

        for (size_t lane = 0; lane < lanes; lane++)
            p[lane] = running_loop(t, x, n, warp + lane, keeps->loop);
        for (size_t step = lanes / 2; step > 0; step /= 2) {
            for (size_t lane = 0; lane < lanes; lane++)
                q[lane] = running_join(p[lane], p[lane ^ step], keeps->lane_own,
                                       keeps->lane_other);
            for (size_t lane = 0; lane < lanes; lane++)
                p[lane] = q[lane];
        }
        all = warp == 0 ? p[0]
                        : running_join(all, p[0], keeps->warp_own,
                                       keeps->warp_other);
    }
    return all.sum;
}

/* As op/row_chip.cuh shares a row out, by 16 bytes. */
static inline struct running_threads running_by_vectors(size_t n, size_t bytes,
                                                        size_t begin)
{
    enum { VECTOR = 16, SHORT = 2048, FEW = 4, MANY = 8, LANES = 32 };
    size_t width = VECTOR / bytes, shift = n % width ? width - 1 : 0;
    size_t units = n * bytes <= SHORT ? FEW : MANY;
    size_t threads = ((n + shift - 1) / width) / units + 1, lanes = 1;

    while (lanes < threads)
        lanes *= 2;
    return (struct running_threads){
        threads <= LANES ? lanes : (threads + LANES - 1) / LANES * LANES, width,
        begin % width};
}

/* x: a row's n values in double, which begin at element `begin` of an array of
 * so many bytes each. slip: mistake - FIRST. The sum is one of exp(x - the
 * largest of all). */
static inline double running_slip_sum(int slip, const double *x, size_t n,
                                      size_t bytes, size_t begin)
{
    static const struct running_keeps all_keeps[RUNNING_KEEPS] = {
        {1, 0, 0, 0, 0}, {1, 1, 0, 1, 0}, {0, 1, 1, 1, 1},
        {1, 1, 1, 1, 1}, {0, 1, 1, 0, 0}, {0, 0, 0, 1, 1}};
    static const size_t sizes[RUNNING_SIZES] = {256, 128, 512};
    int size = slip / RUNNING_KEEPS;
    struct running_threads t = running_by_vectors(n, bytes, begin);

    if (size < RUNNING_SIZES)
        t = (struct running_threads){sizes[size], 1, 0};
    return running_sum_of(&t, &all_keeps[slip % RUNNING_KEEPS], x, n);
}

#endif
