// SPDX-License-Identifier: MIT
/*
 * drawn.c: sizes that nobody chose; see drawn.h.
 *
 * An operator says which shapes are its own, and not why. So shapes are drawn
 * until one is.
 */
#include "drawn.h"

#include <math.h>
#include <stdlib.h>

#include "check/base/text.h"

enum {
    TRIES = 100000,
    SHORT = 600,    /* extents are below this, */
    LONG = 16384,   /* or one in four below this */
    ALIGNED = 8,    /* elements: 16 bytes of the narrowest type */
    MOST_APART = 9, /* elements between two rows, or as many times ALIGNED */
    FEW = 4,        /* extents beside one that is longer than listed */
    LONGER_TRIES = 100,
};

/* Operations and array elements of what is drawn, at most. */
static const double most_flops = 4e6, most_cells = 3e5;

/* Array elements beside one long extent: a second or so, which is rare. */
static const double most_longer = 4e7;

/* A stream of numbers from a seed. */
struct draws {
    unsigned short state[3]; /* nrand48's */
};

static int next(struct draws *d, int below)
{
    return (int)(nrand48(d->state) % below);
}

/* 1 to most, each power of 2 as often as any other. */
static int extent(struct draws *d, int most)
{
    double part = erand48(d->state);

    return (int)exp(part * log((double)most + 1));
}

static int round_up(int n)
{
    return (n + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static struct op_shape draw(const struct op *op, struct draws *d)
{
    struct op_shape shape = {{0}, {0}};
    bool aligned = next(d, 2), apart = next(d, 2);

    for (int i = 0; i < op->n_dims; i++) {
        shape.dim[i] = extent(d, next(d, 4) ? SHORT : LONG);
        if (aligned)
            shape.dim[i] = round_up(shape.dim[i]);
    }
    for (int i = 0; apart && i < op->n_buffers; i++) {
        const struct op_buffer *b = &op->buffers[i];
        int gap = next(d, MOST_APART + 1);

        if (b->strided)
            shape.ld[i] = shape.dim[b->extent[b->rank - 1]] +
                          gap * (aligned && next(d, 2) ? ALIGNED : 1);
    }
    return shape;
}

static double cells_of(const struct op *op, const struct op_shape *shape)
{
    double cells = 0.0;

    for (int i = 0; i < op->n_buffers; i++)
        cells += (double)op_count(op, i, shape);
    return cells;
}

static bool is_small(const struct op *op, const struct op_shape *shape,
                     double most)
{
    return op->flops(shape) <= most * most_flops &&
           cells_of(op, shape) <= most * most_cells;
}

static struct draws draws_of(uint64_t seed)
{
    return (struct draws){{(unsigned short)seed, (unsigned short)(seed >> 16),
                           (unsigned short)(seed >> 32)}};
}

struct op_shape drawn_shape(const struct op *op, uint64_t seed, double most)
{
    struct draws d = draws_of(seed);

    for (int i = 0; i < TRIES; i++) {
        struct op_shape shape = draw(op, &d);

        if (!op_shape_error(op, &shape) && is_small(op, &shape, most))
            return shape;
    }
    give_up("no size of %s was found in %d draws: a defect of the workbook",
            op->name, TRIES);
}

bool drawn_longer(const struct op *op, int d, int known, int most,
                  uint64_t seed, struct op_shape *shape)
{
    struct draws draws = draws_of(seed);
    double least = 1.0 / ((double)most + 1), range = 1.0 / ((double)known + 1);

    for (int i = 0; i < LONGER_TRIES; i++) {
        *shape = (struct op_shape){{0}, {0}};
        for (int k = 0; k < op->n_dims; k++)
            shape->dim[k] = extent(&draws, FEW);
        shape->dim[d] =
            (int)(1.0 / (least + erand48(draws.state) * (range - least)));
        if (!op_shape_error(op, shape) && cells_of(op, shape) <= most_longer)
            return true;
    }
    return false;
}
