// SPDX-License-Identifier: MIT
/*
 * evonorm_parts.h: what the references of EvoNorm-B0 share; inside common/op.
 *
 *   evonorm_plane            an image's channel
 *   evonorm_spread_of        mean and variance over images of a channel
 *   evonorm_denominator_of   the larger argument of max, and how sure that is
 *   evonorm_reference, evonorm_backward_reference   for op.h
 */
#ifndef WB_EVONORM_PARTS_H
#define WB_EVONORM_PARTS_H

#include "op/op.h"

enum { B, C, S };
enum { BUF_X, BUF_GAMMA, BUF_BETA, BUF_V, BUF_MOVING, BUF_Y };
enum { BACK_X, BACK_DY, BACK_GAMMA, BACK_V, BACK_DX, BACK_DGAMMA, BACK_DBETA,
       BACK_DV };

/* What is known of some cells of x. */
struct evonorm_spread {
    double mean, size; /* of x and |x| */
    double variance;
    double root;       /* sqrt(variance + eps) */
    double k;          /* how well the variance is conditioned */
};

/* Beginners' mistakes (op.h). */
enum { EVONORM_NO_EPS = 1, EVONORM_EPS_OUTSIDE, EVONORM_UNBIASED,
       EVONORM_UNCENTRED, EVONORM_NO_BATCH, EVONORM_MEAN_OF_IMAGES,
       EVONORM_DECAY_EXCHANGED, EVONORM_LESSER, EVONORM_NO_ROOT,
       EVONORM_NO_ROOT_OF_IMAGE, EVONORM_NO_ROOT_OF_BATCH,
       EVONORM_NOT_DIVIDED, EVONORM_BATCH_TWICE };

/* The input of a problem, its extents, and the mistake that is made. */
struct evonorm_view {
    const int *d;
    const float *x;
    int mistake;
};

/* The denominator of a cell. */
struct evonorm_denominator {
    double d;
    double error;  /* relative, in units of c(n) u */
    bool of_image; /* the second argument of max is the larger */
    bool unsure;   /* by less than the error */
};

/* Where image b's channel c begins: d[S] cells. */
const float *evonorm_plane(const struct evonorm_view *in, int b, int c);
/* Over all positions of channel c of images [b, b + images). */
struct evonorm_spread evonorm_spread_of(const struct evonorm_view *in, int b,
                                        int images, int c);
struct evonorm_denominator
evonorm_denominator_of(const struct evonorm_spread *batch,
                       const struct evonorm_spread *image, double v, double x);

/* struct op's member `reference`: of training and evaluation, and of the
 * gradient. */
void evonorm_reference(const struct op *op, const struct op_problem *problem,
                       int buffer, const void *const *arrays, size_t first,
                       size_t n, struct op_cell *cells);
void evonorm_backward_reference(const struct op *op,
                                const struct op_problem *problem, int buffer,
                                const void *const *arrays, size_t first,
                                size_t n, struct op_cell *cells);

#endif
