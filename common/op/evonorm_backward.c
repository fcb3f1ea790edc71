// SPDX-License-Identifier: MIT
/*
 * evonorm_backward.c: the reference of EvoNorm-B0's gradient; see
 * evonorm_parts.h, and evonorm.h for the formulas.
 *
 * The hard idea: max has no gradient where its arguments are equal, so a kernel
 * that finds the other one larger by rounding is right, too. Such a cell's part
 * in a sum is added to what the sum may be off by.
 */
#include "op/evonorm_parts.h"

#include <math.h>
#include <stdlib.h>

#include "op/evonorm.h"

static const double u = 0x1p-24;

/* A sum, and what it is off by in units of c(n) u. */
struct sum {
    double value, error;
};

static void add(struct sum *s, double value, double error)
{
    s->value += value;
    s->error += error;
}

/* One channel of the gradient. */
struct channel {
    struct evonorm_view in;
    const float *dy;
    double gamma, v;
    int c;
    struct evonorm_spread batch;
    struct evonorm_spread *image; /* of each image */
    struct sum *dt;       /* of each image: the gradient of its root */
    struct sum da;        /* the gradient of the batch's root */
    struct sum dgamma, dbeta, dv;
};

/* A cell's part in all that. */
struct part {
    double x, g;
    struct evonorm_denominator r;
    double h, h_error; /* the gradient of d */
    double slack;      /* of h, where max may choose either: in units of u */
};

static struct part part_of(const struct channel *ch, int b, int s)
{
    const float *x = evonorm_plane(&ch->in, b, ch->c);
    size_t at = (size_t)(x - ch->in.x) + (size_t)s;
    struct part p = {.x = ch->in.x[at], .g = ch->dy[at]};

    p.r = evonorm_denominator_of(&ch->batch, &ch->image[b], ch->v, p.x);
    p.h = -p.g * ch->gamma * p.x / (p.r.d * p.r.d);
    p.h_error = fabs(p.h) * (4 + 2 * p.r.error);
    p.slack = p.r.unsure ? fabs(p.h) / u : 0;
    return p;
}

static void add_part(struct channel *ch, int b, const struct part *p)
{
    double of_gamma = p->g * p->x / p->r.d, error = p->h_error + p->slack;

    add(&ch->dgamma, of_gamma, fabs(of_gamma) * (2 + p->r.error));
    add(&ch->dbeta, p->g, fabs(p->g));
    add(&ch->dt[b], p->r.of_image ? p->h : 0,
        p->r.of_image || p->r.unsure ? error : 0);
    add(&ch->da, p->r.of_image ? 0 : p->h,
        !p->r.of_image || p->r.unsure ? error : 0);
    add(&ch->dv, p->r.of_image ? p->h * p->x : 0,
        p->r.of_image || p->r.unsure ? error * fabs(p->x) : 0);
}

static struct channel channel_of(const struct op_problem *problem,
                                 const void *const *arrays, int c)
{
    const int *d = problem->shape.dim;
    struct channel ch = {.in = {d, arrays[BACK_X], problem->mistake},
                         .dy = arrays[BACK_DY],
                         .gamma = ((const float *)arrays[BACK_GAMMA])[c],
                         .v = ((const float *)arrays[BACK_V])[c], .c = c};

    ch.batch = evonorm_spread_of(&ch.in, 0, d[B], c);
    ch.image = calloc((size_t)d[B], sizeof *ch.image);
    ch.dt = calloc((size_t)d[B], sizeof *ch.dt);
    if (!ch.image || !ch.dt)
        abort();
    for (int b = 0; b < d[B]; b++)
        ch.image[b] = evonorm_spread_of(&ch.in, b, 1, c);
    for (int b = 0; b < d[B]; b++)
        for (int s = 0; s < d[S]; s++) {
            struct part p = part_of(&ch, b, s);
            add_part(&ch, b, &p);
        }
    return ch;
}

static void channel_free(struct channel *ch)
{
    free(ch->image);
    free(ch->dt);
}

/* What a variance of n cells hands on to one of them. */
static struct sum through(const struct evonorm_spread *s,
                          const struct sum *root, double x, double n)
{
    double far = x - s->mean, scale = 1 / (n * s->root);

    return (struct sum){
        root->value * far * scale,
        scale * (fabs(root->value) * (fabs(x) + s->size +
                                      fabs(far) * (3 + s->k)) +
                 root->error * fabs(far))};
}

static struct op_cell dx_cell(const struct channel *ch, int b, int s)
{
    struct part p = part_of(ch, b, s);
    double images = ch->in.d[B], positions = ch->in.d[S];
    double direct = p.g * ch->gamma / p.r.d;
    struct sum image = through(&ch->image[b], &ch->dt[b], p.x, positions);
    struct sum batch = through(&ch->batch, &ch->da, p.x, images * positions);
    double branch = p.r.of_image ? p.h * ch->v : 0;

    return (struct op_cell){
        direct + branch + image.value + batch.value,
        fabs(direct) * (2 + p.r.error) +
            (p.h_error + p.slack) * fabs(ch->v) + image.error + batch.error,
        (long)(images * positions) + 3};
}

static void reference_dx(const struct op_problem *problem,
                         const void *const *arrays, size_t first, size_t n,
                         struct op_cell *cells)
{
    const int *d = problem->shape.dim;
    struct channel ch = {.c = -1};

    for (size_t i = 0; i < n; i++) {
        size_t at = first + i, row = at / (size_t)d[S];
        int c = (int)(row % (size_t)d[C]);

        if (c != ch.c) {
            channel_free(&ch);
            ch = channel_of(problem, arrays, c);
        }
        cells[i] = dx_cell(&ch, (int)(row / (size_t)d[C]),
                           (int)(at % (size_t)d[S]));
    }
    channel_free(&ch);
}

void evonorm_backward_reference(const struct op *op,
                                const struct op_problem *problem, int buffer,
                                const void *const *arrays, size_t first,
                                size_t n, struct op_cell *cells)
{
    const int *d = problem->shape.dim;

    (void)op;
    if (buffer == BACK_DX) {
        reference_dx(problem, arrays, first, n, cells);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        struct channel ch = channel_of(problem, arrays, (int)(first + i));
        struct sum *sum = buffer == BACK_DGAMMA  ? &ch.dgamma
                          : buffer == BACK_DBETA ? &ch.dbeta
                                                 : &ch.dv;

        cells[i] = (struct op_cell){sum->value, sum->error,
                                    (long)d[B] * d[S]};
        channel_free(&ch);
    }
}
