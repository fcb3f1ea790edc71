// SPDX-License-Identifier: MIT
/*
 * adam.c: its row of the operator table; the header holds the formula and the
 * tolerance.
 *
 *   op_family_adam
 */
#include "op/adam.h"

#include <math.h>
#include <string.h>

#include "op/fill.h"
#include "op/op.h"

enum { N };
enum { BUF_GRAD, BUF_STEP, BUF_VALUE, BUF_MEAN, BUF_SQUARE };
enum { LONGEST = 3000 }; /* step */

static const double u = 0x1p-24;

static const struct op_shape awkward[] = {
    {.dim = {1}},   {.dim = {3}},    {.dim = {31}},   {.dim = {255}},
    {.dim = {256}}, {.dim = {257}},  {.dim = {1021}}, {.dim = {4100}},
};

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE, OP_WIDE};

static const char *shape_error(const struct op_shape *shape)
{
    return shape->dim[N] < 1 ? "every extent must be at least 1" : NULL;
}

/* A third of the steps are the first ten, where the corrections are large. */
static double step_of(uint64_t seed)
{
    double part = fill_value(OP_POSITIVE, TYPE_FP32, seed, 0);
    double last = fill_value(OP_POSITIVE, TYPE_FP32, seed, 1) < 1.0 / 3
                      ? 10 : LONGEST;

    return 1 + floor(part * last);
}

static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    uint64_t seed = fill_seed(problem->seed, buffer);
    double drawn = fill_value(problem->family, TYPE_FP32, seed, cell);

    if (buffer == BUF_STEP)
        return step_of(seed);
    return buffer == BUF_SQUARE ? fabs(drawn) : drawn;
}

/* With one term and a sum in fp32, op_tolerance is 3 u magnitude. */
static struct op_cell cell_of(double result, double error)
{
    return (struct op_cell){result, error / (3 * u), 1};
}

static void reference(const struct op *op, const struct op_problem *problem,
                      int buffer, const void *const *arrays, size_t first,
                      size_t n, struct op_cell *cells)
{
    const double b1 = ADAM_BETA1, b2 = ADAM_BETA2, eps = ADAM_EPS;
    const float *grad = arrays[BUF_GRAD], *old = arrays[BUF_VALUE];
    const float *means = arrays[BUF_MEAN], *squares = arrays[BUF_SQUARE];
    double step = *(const float *)arrays[BUF_STEP];
    double of_mean = -1 / expm1(step * log(b1));
    double of_square = -1 / expm1(step * log(b2));

    (void)op;
    for (size_t k = 0; k < n; k++) {
        size_t i = first + k;
        double g = grad[i];
        double mean = b1 * means[i] + (1 - b1) * g;
        double mean_error = 5 * u * (fabs(b1 * means[i]) +
                                     fabs((1 - b1) * g));
        double square = b2 * squares[i] + (1 - b2) * g * g;
        double per_mean = problem->scalar[0] * of_mean /
                          (sqrt(square * of_square) + eps);
        double update = per_mean * mean, result = old[i] - update;

        if (buffer == BUF_MEAN)
            cells[k] = cell_of(mean, mean_error);
        else if (buffer == BUF_SQUARE)
            cells[k] = cell_of(square, 8 * u * square);
        else
            cells[k] = cell_of(result, fabs(per_mean) * mean_error +
                                           48 * u * fabs(update) +
                                           2 * u * fabs(result));
    }
}

/* Gradient once; the three arrays of state are read and written. */
static double bytes(const struct op *op, const struct op_shape *shape)
{
    return op_bytes_once(op, shape) + 3.0 * sizeof(float) * shape->dim[N];
}

static double flops(const struct op_shape *shape)
{
    return 14.0 * shape->dim[N];
}

static struct adam_shape shape_of(const struct op_shape *shape)
{
    return (struct adam_shape){shape->dim[N]};
}

static size_t query(void *symbol, const struct op_shape *shape)
{
    size_t (*workspace)(struct adam_shape);

    memcpy(&workspace, &symbol, sizeof workspace);
    return workspace(shape_of(shape));
}

static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*step)(const float *, const float *, float *, float *,
                        float *, struct adam_shape, float, void *,
                        cudaStream_t);

    memcpy(&step, &symbol, sizeof step);
    return step(buffers[BUF_GRAD], buffers[BUF_STEP], buffers[BUF_VALUE],
                buffers[BUF_MEAN], buffers[BUF_SQUARE],
                shape_of(&problem->shape), (float)problem->scalar[0],
                workspace, stream);
}

#define ARRAY(name, role) {name, role, 1, {"i"}, {N}, TYPE_FP32, false}

static const struct op op = {
    .name = "adam",
    .launcher = "adam",
    .workspace = "adam_workspace",
    .signature = "cudaError_t adam(const float *grad, const float *step, float "
                 "*value, float *mean, float *square, struct adam_shape shape, "
                 "float rate, void *workspace, cudaStream_t stream)",
    .n_dims = 1,
    .dim_names = {"N"},
    .n_buffers = 5,
    .buffers =
        {
            ARRAY("grad", OP_INPUT),
            {"step", OP_INPUT, 0, {NULL}, {0}, TYPE_FP32, false},
            ARRAY("value", OP_INOUT),
            ARRAY("mean", OP_INOUT),
            ARRAY("square", OP_INOUT),
        },
    .n_scalars = 1,
    .scalars = {{"rate", TYPE_FP32, 1e-3, 1e-4, 0.5}},
    .precision = {.sum = OP_SUM_FP32},
    .shape_error = shape_error,
    .awkward = awkward,
    .n_awkward = sizeof awkward / sizeof *awkward,
    .families = families,
    .n_families = sizeof families / sizeof *families,
    .value = value,
    .reference = reference,
    .bytes = bytes,
    .flops = flops,
    .query = query,
    .launch = launch,
};

const struct op_family_table op_family_adam = {&op, 1};
