// SPDX-License-Identifier: MIT
/*
 * evonorm_forward.c: the reference of EvoNorm-B0 in training and in evaluation,
 * and what its gradient's shares with it; see evonorm_parts.h.
 *
 * Everything is summed in double from distances to a mean that is known, so a
 * reference is exact but for its last digits. Beside each result goes a
 * magnitude, from which the tolerance follows: evonorm.h says how.
 */
#include "op/evonorm_parts.h"

#include <math.h>

#include "op/evonorm.h"

static const double u = 0x1p-24;

const float *evonorm_plane(const struct evonorm_view *in, int b, int c)
{
    return in->x + ((size_t)b * (size_t)in->d[C] + (size_t)c) *
                       (size_t)in->d[S];
}

static double root_of(double variance, int mistake)
{
    double eps = (double)EVONORM_EPS;

    return mistake == EVONORM_NO_ROOT       ? variance + eps
           : mistake == EVONORM_NO_EPS      ? sqrt(variance)
           : mistake == EVONORM_EPS_OUTSIDE ? sqrt(variance) + eps
                                            : sqrt(variance + eps);
}

/* What follows from mean and variance. */
static void finish_spread(struct evonorm_spread *s, int mistake)
{
    s->root = root_of(s->variance, mistake);
    s->k = 1 + fabs(s->mean) * sqrt(s->variance) / (s->root * s->root);
}

struct evonorm_spread evonorm_spread_of(const struct evonorm_view *in, int b,
                                        int images, int c)
{
    double n = (double)images * in->d[S];
    struct evonorm_spread s = {0, 0, 0, 0, 0};

    for (int i = b; i < b + images; i++)
        for (int j = 0; j < in->d[S]; j++) {
            s.mean += evonorm_plane(in, i, c)[j];
            s.size += fabs((double)evonorm_plane(in, i, c)[j]);
        }
    s.mean /= n;
    s.size /= n;
    for (int i = b; i < b + images; i++)
        for (int j = 0; j < in->d[S]; j++) {
            double d = evonorm_plane(in, i, c)[j] -
                       (in->mistake == EVONORM_UNCENTRED ? 0 : s.mean);
            s.variance += d * d;
        }
    s.variance /= in->mistake == EVONORM_UNBIASED      ? n - 1
                  : in->mistake == EVONORM_NOT_DIVIDED ? 1
                                                       : n;
    finish_spread(&s, in->mistake);
    return s;
}

/* All images of channel c: two mistakes forget what their means differ by, or
 * leave out all images but b. */
static struct evonorm_spread batch_spread(const struct evonorm_view *in, int b,
                                          int c)
{
    struct evonorm_spread s;

    if (in->mistake == EVONORM_NO_BATCH)
        return evonorm_spread_of(in, b, 1, c);
    s = evonorm_spread_of(in, 0, in->d[B], c);
    if (in->mistake != EVONORM_MEAN_OF_IMAGES)
        return s;
    s.variance = 0;
    for (int i = 0; i < in->d[B]; i++)
        s.variance += evonorm_spread_of(in, i, 1, c).variance / in->d[B];
    finish_spread(&s, in->mistake);
    return s;
}

struct evonorm_denominator
evonorm_denominator_of(const struct evonorm_spread *batch,
                       const struct evonorm_spread *image, double v, double x)
{
    double p = batch->root, q = v * x + image->root, error_p, error_q;
    struct evonorm_denominator r;

    error_p = p * (1 + batch->k);
    error_q = fabs(v * x) + image->root * (1 + image->k);
    r.of_image = q > p;
    r.d = isnan(p) || isnan(q) ? NAN : r.of_image ? q : p;
    r.error = fmax(error_p, error_q) / r.d;
    r.unsure = fabs(p - q) <= 40 * u * (error_p + error_q);
    return r;
}

static struct op_cell y_cell(const struct evonorm_denominator *r, double x,
                             double gamma, double beta, long n)
{
    double y = gamma * x / r->d;

    return (struct op_cell){y + beta, fabs(y) * (2 + r->error) + fabs(beta), n};
}

/* In evaluation the moving average is the variance, and exact. */
static struct evonorm_spread batch_of(const struct evonorm_view *in,
                                      const void *const *arrays, bool eval,
                                      int b, int c)
{
    struct evonorm_spread s = {0, 0, 0, 0, 0};

    if (!eval)
        return batch_spread(in, b, c);
    s.variance = ((const float *)arrays[BUF_MOVING])[c];
    finish_spread(&s, in->mistake);
    return s;
}

/* Mistakes in what is made of the two variances. */
static void mistake_roots(int mistake, struct evonorm_spread *batch,
                          struct evonorm_spread *image)
{
    if (mistake == EVONORM_NO_ROOT_OF_IMAGE)
        image->root = root_of(image->variance, EVONORM_NO_ROOT);
    if (mistake == EVONORM_NO_ROOT_OF_BATCH)
        batch->root = root_of(batch->variance, EVONORM_NO_ROOT);
    if (mistake == EVONORM_BATCH_TWICE)
        image->root = batch->root;
}

static void reference_y(const struct evonorm_view *in,
                        const void *const *arrays, bool eval, size_t first,
                        size_t n, struct op_cell *cells)
{
    const float *gamma = arrays[BUF_GAMMA], *beta = arrays[BUF_BETA];
    const float *v = arrays[BUF_V];
    struct evonorm_spread batch = {0, 0, 0, 0, 0}, image = batch;
    long terms = (long)in->d[S] * (eval ? 1 : in->d[B]);

    for (size_t i = 0; i < n; i++) {
        size_t at = first + i, row = at / (size_t)in->d[S];
        int c = (int)(row % (size_t)in->d[C]);
        struct evonorm_denominator r;

        if (i == 0 || at % (size_t)in->d[S] == 0) {
            int b = (int)(row / (size_t)in->d[C]);

            batch = batch_of(in, arrays, eval, b, c);
            image = evonorm_spread_of(in, b, 1, c);
            mistake_roots(in->mistake, &batch, &image);
        }
        r = evonorm_denominator_of(&batch, &image, v[c], in->x[at]);
        if (in->mistake == EVONORM_LESSER)
            r.d = r.of_image ? batch.root : v[c] * in->x[at] + image.root;
        cells[i] = y_cell(&r, in->x[at], gamma[c], beta[c], terms);
    }
}

void evonorm_reference(const struct op *op, const struct op_problem *problem,
                       int buffer, const void *const *arrays, size_t first,
                       size_t n, struct op_cell *cells)
{
    const double decay = problem->mistake == EVONORM_DECAY_EXCHANGED
                             ? 1 - (double)EVONORM_DECAY
                             : (double)EVONORM_DECAY;
    struct evonorm_view in = {problem->shape.dim, arrays[BUF_X],
                              problem->mistake};
    const float *moving = arrays[BUF_MOVING];

    if (buffer == BUF_Y) {
        reference_y(&in, arrays, !op_is_written(op, BUF_MOVING), first, n,
                    cells);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        struct evonorm_spread s = batch_spread(&in, 0, (int)(first + i));
        double old = decay * moving[first + i];

        cells[i] = (struct op_cell){
            old + (1 - decay) * s.variance,
            fabs(old) + (1 - decay) * (2 * s.variance +
                                       2 * fabs(s.mean) * sqrt(s.variance)),
            (long)in.d[B] * in.d[S]};
    }
}
