// SPDX-License-Identifier: MIT
/*
 * evonorm.c: EvoNorm-B0 as rows of the operator table; evonorm.h holds the
 * formulas and what the tolerances follow from.
 *
 *   op_family_evonorm    evonorm_b0, evonorm_b0_eval, evonorm_b0_backward
 *
 * Channels of one problem differ in kind, which a hash decides: constant ones,
 * far from 0 (which breaks a variance from the mean of squares), or with
 * variances of the size of eps. The images of a channel have means of their
 * own, so that the two variances differ.
 */
#include "op/op.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "op/evonorm.h"
#include "op/fill.h"

enum { B, C, S };
enum { BUF_X, BUF_GAMMA, BUF_BETA, BUF_V, BUF_MOVING, BUF_Y };
enum { BACK_X, BACK_DY, BACK_GAMMA, BACK_V, BACK_DX, BACK_DGAMMA, BACK_DBETA,
       BACK_DV };

/* B C S: ones, odd, around warps and vectors, many images, many channels, and
 * more positions than a block holds. */
static const struct op_shape awkward[] = {
    {.dim = {1, 1, 1}},  {.dim = {1, 1, 37}},  {.dim = {5, 1, 1}},
    {.dim = {2, 3, 4}},  {.dim = {3, 2, 31}},  {.dim = {4, 5, 49}},
    {.dim = {2, 7, 64}}, {.dim = {17, 3, 33}}, {.dim = {1, 33, 128}},
    {.dim = {33, 2, 5}}, {.dim = {2, 2, 784}}, {.dim = {1, 2, 4099}},
    {.dim = {70, 1, 29}},
};

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE, OP_WIDE,
                                          OP_SPECIAL};

static const double u = 0x1p-24;

static const char *shape_error(const struct op_shape *shape)
{
    const int *d = shape->dim;

    if (d[B] < 1 || d[C] < 1 || d[S] < 1)
        return "every extent must be at least 1";
    return d[C] <= INT_MAX / d[B] && d[S] <= INT_MAX / (d[B] * d[C])
               ? NULL
               : "B*C*S must be below 2^31";
}

static double x_value(const struct op_problem *problem, uint64_t seed,
                      size_t cell)
{
    const int *d = problem->shape.dim;
    size_t image = cell / (size_t)d[S], channel = image % (size_t)d[C];
    double plain = fill_value(OP_SIGNED, TYPE_FP32, seed, cell);
    double shift = fill_value(OP_SIGNED, TYPE_FP32, ~seed, image);

    if (problem->family == OP_SIGNED)
        return plain + shift;
    if (problem->family != OP_POSITIVE)
        return fill_value(problem->family, TYPE_FP32, seed, cell);
    switch (fill_seed(seed + channel, 0) % 4) {
    case 0:
        return 3 * shift;
    case 1:
        return 1000 + plain;
    case 2:
        return plain * 0x1p-9; /* a variance of a millionth */
    default:
        return fabs(plain) + shift;
    }
}

static double parameter(const struct op_problem *problem, int buffer,
                        size_t cell)
{
    return fill_value(OP_SIGNED, TYPE_FP32, fill_seed(problem->seed, buffer),
                      cell);
}

static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    if (buffer == BUF_X)
        return x_value(problem, fill_seed(problem->seed, buffer), cell);
    return buffer == BUF_MOVING ? fabs(parameter(problem, buffer, cell))
                                : parameter(problem, buffer, cell);
}

/* No infinite gradient: what it makes of a channel depends on the order of
 * terms. */
static double backward_value(const struct op_problem *problem, int buffer,
                             size_t cell)
{
    uint64_t seed = fill_seed(problem->seed, buffer);
    double v;

    if (buffer == BACK_X)
        return x_value(problem, seed, cell);
    if (buffer == BACK_GAMMA || buffer == BACK_V)
        return parameter(problem, buffer, cell);
    v = fill_value(problem->family, TYPE_FP32, seed, cell);
    return isinf(v) ? 1 : v;
}

/* What is known of some cells of x. */
struct spread {
    double mean, size; /* of x and |x| */
    double variance;
    double root;       /* sqrt(variance + eps) */
    double k;          /* how well the variance is conditioned */
};

/* The arrays of a problem, and where an image's channel begins. */
struct view {
    const int *d;
    const float *x;
};

static const float *plane(const struct view *in, int b, int c)
{
    return in->x + ((size_t)b * (size_t)in->d[C] + (size_t)c) *
                       (size_t)in->d[S];
}

static void finish_spread(struct spread *s)
{
    s->root = sqrt(s->variance + (double)EVONORM_EPS);
    s->k = 1 + fabs(s->mean) * sqrt(s->variance) / (s->root * s->root);
}

/* Over the positions of images [b, b + images). */
static struct spread spread_of(const struct view *in, int b, int images, int c)
{
    double n = (double)images * in->d[S];
    struct spread s = {0, 0, 0, 0, 0};

    for (int i = b; i < b + images; i++)
        for (int j = 0; j < in->d[S]; j++) {
            s.mean += plane(in, i, c)[j];
            s.size += fabs((double)plane(in, i, c)[j]);
        }
    s.mean /= n;
    s.size /= n;
    for (int i = b; i < b + images; i++)
        for (int j = 0; j < in->d[S]; j++) {
            double d = plane(in, i, c)[j] - s.mean;
            s.variance += d * d;
        }
    s.variance /= n;
    finish_spread(&s);
    return s;
}

/* The denominator of a cell. */
struct denominator {
    double d;
    double error;  /* relative, in units of c(n) u */
    bool of_image; /* the second argument of max is the larger */
    bool unsure;   /* by less than the error */
};

static struct denominator denominator_of(const struct spread *batch,
                                         const struct spread *image, double v,
                                         double x)
{
    double p = batch->root, q = v * x + image->root, error_p, error_q;
    struct denominator r;

    error_p = p * (1 + batch->k);
    error_q = fabs(v * x) + image->root * (1 + image->k);
    r.of_image = q > p;
    r.d = isnan(p) || isnan(q) ? NAN : r.of_image ? q : p;
    r.error = fmax(error_p, error_q) / r.d;
    r.unsure = fabs(p - q) <= 40 * u * (error_p + error_q);
    return r;
}

static struct op_cell y_cell(const struct denominator *r, double x,
                             double gamma, double beta, long n)
{
    double y = gamma * x / r->d;

    return (struct op_cell){y + beta, fabs(y) * (2 + r->error) + fabs(beta), n};
}

/* In evaluation the moving average is the variance, and exact. */
static struct spread batch_of(const struct view *in, const void *const *arrays,
                              bool eval, int c)
{
    struct spread s = {0, 0, 0, 0, 0};

    if (!eval)
        return spread_of(in, 0, in->d[B], c);
    s.variance = ((const float *)arrays[BUF_MOVING])[c];
    finish_spread(&s);
    return s;
}

static void reference_y(const struct view *in, const void *const *arrays,
                        bool eval, size_t first, size_t n,
                        struct op_cell *cells)
{
    const float *gamma = arrays[BUF_GAMMA], *beta = arrays[BUF_BETA];
    const float *v = arrays[BUF_V];
    struct spread batch = {0, 0, 0, 0, 0}, image = batch;
    long terms = (long)in->d[S] * (eval ? 1 : in->d[B]);

    for (size_t i = 0; i < n; i++) {
        size_t at = first + i, row = at / (size_t)in->d[S];
        int c = (int)(row % (size_t)in->d[C]);
        struct denominator r;

        if (i == 0 || at % (size_t)in->d[S] == 0) {
            batch = batch_of(in, arrays, eval, c);
            image = spread_of(in, (int)(row / (size_t)in->d[C]), 1, c);
        }
        r = denominator_of(&batch, &image, v[c], in->x[at]);
        cells[i] = y_cell(&r, in->x[at], gamma[c], beta[c], terms);
    }
}

static void reference(const struct op *op, const struct op_problem *problem,
                      int buffer, const void *const *arrays, size_t first,
                      size_t n, struct op_cell *cells)
{
    const double decay = (double)EVONORM_DECAY;
    struct view in = {problem->shape.dim, arrays[BUF_X]};
    const float *moving = arrays[BUF_MOVING];

    if (buffer == BUF_Y) {
        reference_y(&in, arrays, !op_is_written(op, BUF_MOVING), first, n,
                    cells);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        struct spread s = spread_of(&in, 0, in.d[B], (int)(first + i));
        double old = decay * moving[first + i];

        cells[i] = (struct op_cell){
            old + (1 - decay) * s.variance,
            fabs(old) + (1 - decay) * (2 * s.variance +
                                       2 * fabs(s.mean) * sqrt(s.variance)),
            (long)in.d[B] * in.d[S]};
    }
}

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
    struct view in;
    const float *dy;
    double gamma, v;
    int c;
    struct spread batch;
    struct spread *image; /* of each image */
    struct sum *dt;       /* of each image: the gradient of its root */
    struct sum da;        /* the gradient of the batch's root */
    struct sum dgamma, dbeta, dv;
};

/* A cell's part in all that. */
struct part {
    double x, g;
    struct denominator r;
    double h, h_error; /* the gradient of d */
    double slack;      /* of h, where max may choose either: in units of u */
};

static struct part part_of(const struct channel *ch, int b, int s)
{
    size_t at = (size_t)(plane(&ch->in, b, ch->c) - ch->in.x) + (size_t)s;
    struct part p = {.x = ch->in.x[at], .g = ch->dy[at]};

    p.r = denominator_of(&ch->batch, &ch->image[b], ch->v, p.x);
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
    struct channel ch = {.in = {d, arrays[BACK_X]}, .dy = arrays[BACK_DY],
                         .gamma = ((const float *)arrays[BACK_GAMMA])[c],
                         .v = ((const float *)arrays[BACK_V])[c], .c = c};

    ch.batch = spread_of(&ch.in, 0, d[B], c);
    ch.image = calloc((size_t)d[B], sizeof *ch.image);
    ch.dt = calloc((size_t)d[B], sizeof *ch.dt);
    if (!ch.image || !ch.dt)
        abort();
    for (int b = 0; b < d[B]; b++)
        ch.image[b] = spread_of(&ch.in, b, 1, c);
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
static struct sum through(const struct spread *s, const struct sum *root,
                          double x, double n)
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

static void backward_reference(const struct op *op,
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

static double cells_of(const struct op_shape *shape)
{
    return (double)shape->dim[B] * shape->dim[C] * shape->dim[S];
}

/* The moving average is read and written. */
static double bytes(const struct op *op, const struct op_shape *shape)
{
    return op_bytes_once(op, shape) + sizeof(float) * shape->dim[C];
}

/* Two variances, of which one sum is enough; a root's argument, max, quotient,
 * product and sum. */
static double flops(const struct op_shape *shape)
{
    return 10 * cells_of(shape);
}

static double backward_flops(const struct op_shape *shape)
{
    return 25 * cells_of(shape);
}

static struct evonorm_shape shape_of(const struct op_shape *shape)
{
    return (struct evonorm_shape){shape->dim[B], shape->dim[C], shape->dim[S]};
}

static size_t query(void *symbol, const struct op_shape *shape)
{
    size_t (*workspace)(struct evonorm_shape);

    memcpy(&workspace, &symbol, sizeof workspace);
    return workspace(shape_of(shape));
}

/* Training and evaluation differ in whether the moving average is const. */
static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*norm)(const void *, const void *, const void *, const void *,
                        void *, void *, struct evonorm_shape, void *,
                        cudaStream_t);

    memcpy(&norm, &symbol, sizeof norm);
    return norm(buffers[BUF_X], buffers[BUF_GAMMA], buffers[BUF_BETA],
                buffers[BUF_V], buffers[BUF_MOVING], buffers[BUF_Y],
                shape_of(&problem->shape), workspace, stream);
}

static cudaError_t backward_launch(void *symbol, void *const *buffers,
                                   const struct op_problem *problem,
                                   void *workspace, cudaStream_t stream)
{
    cudaError_t (*norm)(const void *, const void *, const void *, const void *,
                        void *, void *, void *, void *, struct evonorm_shape,
                        void *, cudaStream_t);

    memcpy(&norm, &symbol, sizeof norm);
    return norm(buffers[BACK_X], buffers[BACK_DY], buffers[BACK_GAMMA],
                buffers[BACK_V], buffers[BACK_DX], buffers[BACK_DGAMMA],
                buffers[BACK_DBETA], buffers[BACK_DV],
                shape_of(&problem->shape), workspace, stream);
}

#define BATCH(name, role)                                                      \
    {name, role, 3, {"b", "c", "s"}, {B, C, S}, TYPE_FP32, false}
#define CHANNEL(name, role) {name, role, 1, {"c"}, {C}, TYPE_FP32, false}
#define COMMON(symbol)                                                         \
    .name = symbol, .launcher = symbol, .workspace = symbol "_workspace",      \
    .n_dims = 3, .dim_names = {"B", "C", "S"},                                 \
    .precision = {.sum = OP_SUM_FP32}, .shape_error = shape_error,             \
    .awkward = awkward, .n_awkward = sizeof awkward / sizeof *awkward,         \
    .families = families, .n_families = sizeof families / sizeof *families,    \
    .query = query
#define FORWARD(symbol, moving_role, moving_type)                              \
    COMMON(symbol), .n_buffers = 6,                                            \
    .signature = "cudaError_t " symbol "(const float *x, const float *gamma, " \
                 "const float *beta, const float *v, " moving_type             \
                 " *moving, float *y, struct evonorm_shape shape, void "       \
                 "*workspace, cudaStream_t stream)",                           \
    .buffers = {BATCH("x", OP_INPUT), CHANNEL("gamma", OP_INPUT),              \
                CHANNEL("beta", OP_INPUT), CHANNEL("v", OP_INPUT),             \
                CHANNEL("moving", moving_role), BATCH("y", OP_OUTPUT)},        \
    .value = value, .reference = reference, .flops = flops, .launch = launch

static const struct op ops[] = {
    {
        FORWARD("evonorm_b0", OP_INOUT, "float"),
        .bytes = bytes,
    },
    {
        FORWARD("evonorm_b0_eval", OP_INPUT, "const float"),
        .bytes = op_bytes_once,
    },
    {
        COMMON("evonorm_b0_backward"), .n_buffers = 8,
        .signature = "cudaError_t evonorm_b0_backward(const float *x, const "
                     "float *dy, const float *gamma, const float *v, float "
                     "*dx, float *dgamma, float *dbeta, float *dv, struct "
                     "evonorm_shape shape, void *workspace, cudaStream_t "
                     "stream)",
        .buffers = {BATCH("x", OP_INPUT), BATCH("dy", OP_INPUT),
                    CHANNEL("gamma", OP_INPUT), CHANNEL("v", OP_INPUT),
                    BATCH("dx", OP_OUTPUT), CHANNEL("dgamma", OP_OUTPUT),
                    CHANNEL("dbeta", OP_OUTPUT), CHANNEL("dv", OP_OUTPUT)},
        .value = backward_value, .reference = backward_reference,
        .bytes = op_bytes_once, .flops = backward_flops,
        .launch = backward_launch,
    },
};

const struct op_family_table op_family_evonorm = {ops,
                                                  sizeof ops / sizeof *ops};
