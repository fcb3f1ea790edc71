// SPDX-License-Identifier: MIT
/*
 * model.h: the counter-free method as formulas. Bytes, operations, seconds.
 *
 *   model_shapes    the two shapes whose traffic is counted
 *   model_timed     the shape that was timed, from the bytes a report names
 *   model_extend    counts at two shapes to the timed one, on a straight line
 *   model_place     a path between its floor and its time
 *
 * The straight line: with everything but its longest extent given, a kernel
 * moves a fixed part (weights a warp keeps, say) and a part for each step of
 * that extent. Two counts give both parts. It holds once the grid fills the GPU
 * at the smaller shape; below that, a kernel may spread its work otherwise.
 */
#ifndef ANALYZE_MODEL_H
#define ANALYZE_MODEL_H

#include "harness/roofline.h"
#include "op/op.h"

struct model_shapes {
    struct op_shape small, big; /* alike but in one extent */
    int extent;                 /* which; small is half of big */
};

/* false: the timed shape is too small to have a half. */
bool model_shapes(const struct op *op, const struct op_shape *timed,
                  struct model_shapes *shapes);
struct op_shape model_timed(const struct op *op, struct op_shape wanted,
                            double bytes);
double model_extend(const struct model_shapes *shapes,
                    const struct op_shape *timed, double at_small,
                    double at_big);

/* One path. Not known: NAN. */
struct model_path {
    double needs;   /* bytes: each input once, each output once */
    double useful;  /* operations */
    double moves;   /* bytes: 32 a sector */
    double seconds; /* measured, or predicted */
    double copy;    /* seconds of a copy of as many bytes, measured beside it */
};

struct model_place {
    double floor;     /* seconds: the longer of needs / copy, useful / peak */
    double moving;    /* seconds that what it moves takes a copy */
    double at_least;  /* the longer of moving, useful / peak: not a time, but
                         none is below it, unless caches serve bytes twice */
    double bandwidth; /* effective: needs / seconds */
    double over_copy; /* seconds / copy */
    double of_roof;   /* floor / seconds */
    double intensity; /* useful / needs */
    const char *bound;
};

struct model_place model_place(const struct model_path *path,
                               const struct roofs *roofs);

#endif
