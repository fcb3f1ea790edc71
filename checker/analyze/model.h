// SPDX-License-Identifier: MIT
/*
 * model.h: the formulas of analysis without counters. Units: bytes, operations,
 * seconds.
 *
 *   model_shapes    the two shapes whose traffic is counted
 *   model_timed     the shape that was timed, from the report's bytes
 *   model_extend    extrapolates counts at two shapes to the timed one
 *   model_place     compares a path's time with its lower bounds
 *
 * The extrapolation is linear: if all extents but the longest are fixed, a
 * kernel moves a fixed number of bytes (such as weights that a warp keeps) plus
 * a number per step of that extent. Two counts give both. This holds if the
 * grid fills the GPU at the smaller shape already; below that, a kernel may
 * divide its work differently.
 */
#ifndef ANALYZE_MODEL_H
#define ANALYZE_MODEL_H

#include "harness/roofline.h"
#include "op/op.h"

struct model_shapes {
    struct op_shape small, big; /* equal in all extents but one */
    int extent;                 /* which; small has half of big's */
};

/* false: the timed shape is too small to be halved. */
bool model_shapes(const struct op *op, const struct op_shape *timed,
                  struct model_shapes *shapes);
struct op_shape model_timed(const struct op *op, struct op_shape wanted,
                            double bytes);
double model_extend(const struct model_shapes *shapes,
                    const struct op_shape *timed, double at_small,
                    double at_big);

/* One path; NAN: unknown. */
struct model_path {
    double needs;   /* bytes: each input once, each output once */
    double useful;  /* operations */
    double moves;   /* bytes: 32 per sector */
    double seconds; /* measured, or predicted */
    double copy;    /* seconds of a copy of as many bytes, measured beside it */
};

struct model_place {
    double floor;     /* seconds: the longer of needs / copy, useful / peak */
    double moving;    /* seconds in which a copy moves as many bytes */
    double at_least;  /* the longer of moving, useful / peak: a lower bound of
                         the time, unless caches serve bytes twice */
    double bandwidth; /* effective: needs / seconds */
    double over_copy; /* seconds / copy */
    double of_roof;   /* floor / seconds */
    double intensity; /* useful / needs */
    const char *bound;
};

struct model_place model_place(const struct model_path *path,
                               const struct roofs *roofs);

#endif
