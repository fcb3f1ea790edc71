// SPDX-License-Identifier: MIT
/*
 * model.c: see model.h.
 */
#include "model.h"

#include <math.h>

/* Unlike fmax: NAN if either is NAN. */
static double longer(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

/* A launch that the simulated GPU counts in a few seconds, and that still
 * fills its SMs. */
static const double most_flops = 3.2e8, most_bytes = 6.4e7;

static int longest(const struct op *op, const struct op_shape *shape)
{
    int extent = 0;

    for (int i = 1; i < op->n_dims; i++)
        if (shape->dim[i] > shape->dim[extent])
            extent = i;
    return extent;
}

bool model_shapes(const struct op *op, const struct op_shape *timed,
                  struct model_shapes *shapes)
{
    int extent = longest(op, timed);

    *shapes = (struct model_shapes){*timed, *timed, extent};
    while (shapes->big.dim[extent] > 2 &&
           (op->flops(&shapes->big) > most_flops ||
            op->bytes(op, &shapes->big) > most_bytes))
        shapes->big.dim[extent] /= 2;
    shapes->small.dim[extent] = shapes->big.dim[extent] / 2;
    return shapes->small.dim[extent] >= 1;
}

struct op_shape model_timed(const struct op *op, struct op_shape wanted,
                            double bytes)
{
    int extent;

    while (op->bytes(op, &wanted) > bytes * 1.001 &&
           wanted.dim[extent = longest(op, &wanted)] > 1)
        wanted.dim[extent] /= 2;
    return wanted;
}

double model_extend(const struct model_shapes *shapes,
                    const struct op_shape *timed, double at_small,
                    double at_big)
{
    int e = shapes->extent;
    double step = (at_big - at_small) /
                  (shapes->big.dim[e] - shapes->small.dim[e]);

    return at_big + step * ((double)timed->dim[e] - shapes->big.dim[e]);
}

struct model_place model_place(const struct model_path *path,
                               const struct roofs *roofs)
{
    /* The copy measured in the same session, if there was one. */
    double memory = path->copy > 0 ? path->copy
                                   : path->needs / roofs->bandwidth;
    double compute = path->useful / roofs->flops;

    return (struct model_place){
        .floor = longer(memory, compute),
        .moving = path->moves / path->needs * memory,
        .at_least = longer(path->moves / path->needs * memory, compute),
        .bandwidth = path->needs / path->seconds,
        .over_copy = path->seconds / memory,
        .of_roof = longer(memory, compute) / path->seconds,
        .intensity = path->useful / path->needs,
        .bound = memory >= compute ? "memory" : "compute",
    };
}
