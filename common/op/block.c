// SPDX-License-Identifier: MIT
/*
 * block.c: its rows of the operator table; the header holds the formulas and
 * the tolerance.
 *
 *   op_family_block
 */
#include "op/block.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "op/op.h"
#include "op/sigmoid.h"

enum { B, H, L };
enum { SWISH_Z, SWISH_BIAS, SWISH_DY, SWISH_DZ, SWISH_DBIAS };
enum { RMS_X, RMS_GAMMA, RMS_DN, RMS_SKIP, RMS_DX, RMS_DGAMMA };

static const double u = 0x1p-24;

/* One of each, sequences shorter and longer than a warp and a block, more
 * channels than threads of a warp, and all of them odd. */
static const struct op_shape awkward[] = {
    {.dim = {1, 1, 1}},  {.dim = {1, 1, 300}}, {.dim = {1, 300, 1}},
    {.dim = {70, 1, 5}}, {.dim = {3, 5, 7}},   {.dim = {2, 33, 31}},
    {.dim = {5, 8, 48}}, {.dim = {1, 3, 1027}}, {.dim = {17, 2, 33}},
};

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE, OP_WIDE};

static const char *shape_error(const struct op_shape *shape)
{
    const int *d = shape->dim;

    if (d[B] < 1 || d[H] < 1 || d[L] < 1)
        return "every extent must be at least 1";
    return d[H] <= INT_MAX / d[B] && d[L] <= INT_MAX / d[B] / d[H]
               ? NULL
               : "B*H*L must be below 2^31";
}

static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    return fill_value(problem->family, TYPE_FP32,
                      fill_seed(problem->seed, buffer), cell);
}

static size_t at(const int *d, int b, int h, int t)
{
    return ((size_t)b * d[H] + h) * d[L] + t;
}

static int channel_of(const int *d, size_t cell)
{
    return (int)(cell / d[L] % d[H]);
}

/* c of op.h's tolerance, for n terms that a kernel sums with care. */
static double care(double n)
{
    return n <= 64 ? n + 2 : 10 + 2 * log2(n);
}

/* A value, and what it may be off by. */
struct off {
    double value, error;
};

static struct op_cell cell_of(struct off o)
{
    return (struct op_cell){o.value, o.error / (3 * u), 1};
}

/* Adds a term to a sum: its own error, and its part in what c(n) u is of. With
 * c at least 3, error / (3 u) counts the error once at least. */
static void add(struct op_cell *sum, struct off term)
{
    sum->value += term.value;
    sum->magnitude += fabs(term.value) + term.error / (3 * u);
    sum->terms++;
}

static struct off slope(double z, double bias, double dy)
{
    double a = z + bias, s = sigmoid_value(a), rest = sigmoid_value(-a);
    double slope = s * (1 + a * rest);
    double error = sigmoid_error(a) * (1 + fabs(a)) +
                   4 * u * (s + fabs(s * a * rest)) + 0.5 * u * fabs(a);

    return (struct off){dy * slope,
                        fabs(dy) * error + u * fabs(dy * slope)};
}

static void swish_reference(const struct op *op,
                            const struct op_problem *problem, int buffer,
                            const void *const *arrays, size_t first, size_t n,
                            struct op_cell *cells)
{
    const float *z = arrays[SWISH_Z], *bias = arrays[SWISH_BIAS];
    const float *dy = arrays[SWISH_DY];
    const int *d = problem->shape.dim;

    (void)op;
    for (size_t i = 0; i < n; i++) {
        size_t cell = first + i;

        if (buffer == SWISH_DZ) {
            cells[i] = cell_of(slope(z[cell], bias[channel_of(d, cell)],
                                     dy[cell]));
            continue;
        }
        cells[i] = (struct op_cell){0, 0, 0};
        for (int b = 0; b < d[B]; b++)
            for (int t = 0; t < d[L]; t++) {
                size_t k = at(d, b, (int)cell, t);

                add(&cells[i], slope(z[k], bias[cell], dy[k]));
            }
    }
}

/* What a step (b, t) of the norm's gradient needs. */
struct step {
    double scale, dot, size; /* of gamma dn x: the sum, and that of sizes */
};

static struct step step_of(const void *const *arrays, const int *d, int b,
                           int t)
{
    const float *x = arrays[RMS_X], *gamma = arrays[RMS_GAMMA];
    const float *dn = arrays[RMS_DN];
    struct step s = {0, 0, 0};
    double squares = 0;

    for (int h = 0; h < d[H]; h++) {
        size_t i = at(d, b, h, t);
        double term = (double)gamma[h] * dn[i] * x[i];

        squares += (double)x[i] * x[i];
        s.dot += term;
        s.size += fabs(term);
    }
    s.scale = 1 / sqrt(squares / d[H] + BLOCK_RMS_EPS);
    return s;
}

/* The scale is off by c / 2 + 4 units, its square by c + 8, dot by c + 2. */
static struct off dx_of(const void *const *arrays, const int *d, size_t cell)
{
    int b = (int)(cell / d[L] / d[H]), h = channel_of(d, cell);
    struct step s = step_of(arrays, d, b, (int)(cell % d[L]));
    double x = ((const float *)arrays[RMS_X])[cell], c = care(d[H]);
    double skip = ((const float *)arrays[RMS_SKIP])[cell];
    double direct = s.scale * ((const float *)arrays[RMS_GAMMA])[h] *
                    ((const float *)arrays[RMS_DN])[cell];
    double through = pow(s.scale, 3) * x / d[H];
    double result = skip + direct - through * s.dot;

    return (struct off){result, u * (2 * fabs(result) + fabs(skip) +
                                     fabs(direct) * (c / 2 + 8) +
                                     fabs(through) * s.size *
                                         (2.5 * c + 20))};
}

static void rms_reference(const struct op *op,
                          const struct op_problem *problem, int buffer,
                          const void *const *arrays, size_t first, size_t n,
                          struct op_cell *cells)
{
    const int *d = problem->shape.dim;

    (void)op;
    for (size_t i = 0; i < n; i++) {
        size_t cell = first + i;

        if (buffer == RMS_DX) {
            cells[i] = cell_of(dx_of(arrays, d, cell));
            continue;
        }
        cells[i] = (struct op_cell){0, 0, 0};
        for (int b = 0; b < d[B]; b++)
            for (int t = 0; t < d[L]; t++) {
                size_t k = at(d, b, (int)cell, t);
                double term = (double)((const float *)arrays[RMS_DN])[k] *
                              ((const float *)arrays[RMS_X])[k] *
                              step_of(arrays, d, b, t).scale;

                add(&cells[i], (struct off){
                    term, fabs(term) * u * (care(d[H]) / 2 + 6)});
            }
    }
}

static double swish_flops(const struct op_shape *shape)
{
    return 10.0 * shape->dim[B] * shape->dim[H] * shape->dim[L];
}

static double rms_flops(const struct op_shape *shape)
{
    return 12.0 * shape->dim[B] * shape->dim[H] * shape->dim[L];
}

static struct block_shape shape_of(const struct op_shape *shape)
{
    const int *d = shape->dim;

    return (struct block_shape){d[B], d[H], d[L]};
}

static size_t query(void *symbol, const struct op_shape *shape)
{
    size_t (*workspace)(struct block_shape);

    memcpy(&workspace, &symbol, sizeof workspace);
    return workspace(shape_of(shape));
}

static cudaError_t swish_launch(void *symbol, void *const *buffers,
                                const struct op_problem *problem,
                                void *workspace, cudaStream_t stream)
{
    cudaError_t (*run)(const float *, const float *, const float *, float *,
                       float *, struct block_shape, void *, cudaStream_t);

    memcpy(&run, &symbol, sizeof run);
    return run(buffers[SWISH_Z], buffers[SWISH_BIAS], buffers[SWISH_DY],
               buffers[SWISH_DZ], buffers[SWISH_DBIAS],
               shape_of(&problem->shape), workspace, stream);
}

static cudaError_t rms_launch(void *symbol, void *const *buffers,
                              const struct op_problem *problem,
                              void *workspace, cudaStream_t stream)
{
    cudaError_t (*run)(const float *, const float *, const float *,
                       const float *, float *, float *, struct block_shape,
                       void *, cudaStream_t);

    memcpy(&run, &symbol, sizeof run);
    return run(buffers[RMS_X], buffers[RMS_GAMMA], buffers[RMS_DN],
               buffers[RMS_SKIP], buffers[RMS_DX], buffers[RMS_DGAMMA],
               shape_of(&problem->shape), workspace, stream);
}

#define CELLS(name, role)                                                     \
    {name, role, 3, {"b", "h", "t"}, {B, H, L}, TYPE_FP32, false}
#define CHANNELS(name, role) {name, role, 1, {"h"}, {H}, TYPE_FP32, false}

#define COMMON                                                                \
    .n_dims = 3, .dim_names = {"B", "H", "L"},                                \
    .precision = {.sum = OP_SUM_FP32}, .shape_error = shape_error,            \
    .awkward = awkward, .n_awkward = sizeof awkward / sizeof *awkward,        \
    .families = families, .n_families = sizeof families / sizeof *families,   \
    .value = value, .bytes = op_bytes_once, .query = query

static const struct op ops[] = {
    {
        .name = "swish_backward",
        .launcher = "swish_backward",
        .workspace = "swish_backward_workspace",
        .signature = "cudaError_t swish_backward(const float *z, const float "
                     "*bias, const float *dy, float *dz, float *dbias, struct "
                     "block_shape shape, void *workspace, cudaStream_t "
                     "stream)",
        .n_buffers = 5,
        .buffers = {CELLS("z", OP_INPUT), CHANNELS("bias", OP_INPUT),
                    CELLS("dy", OP_INPUT), CELLS("dz", OP_OUTPUT),
                    CHANNELS("dbias", OP_OUTPUT)},
        .reference = swish_reference,
        .flops = swish_flops,
        .launch = swish_launch,
        COMMON,
    },
    {
        .name = "rms_backward",
        .launcher = "rms_backward",
        .workspace = "rms_backward_workspace",
        .signature = "cudaError_t rms_backward(const float *x, const float "
                     "*gamma, const float *dn, const float *skip, float *dx, "
                     "float *dgamma, struct block_shape shape, void "
                     "*workspace, cudaStream_t stream)",
        .n_buffers = 6,
        .buffers = {CELLS("x", OP_INPUT), CHANNELS("gamma", OP_INPUT),
                    CELLS("dn", OP_INPUT), CELLS("skip", OP_INPUT),
                    CELLS("dx", OP_OUTPUT), CHANNELS("dgamma", OP_OUTPUT)},
        .reference = rms_reference,
        .flops = rms_flops,
        .launch = rms_launch,
        COMMON,
    },
};

const struct op_family_table op_family_block = {ops,
                                                sizeof ops / sizeof *ops};
