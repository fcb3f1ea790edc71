// SPDX-License-Identifier: MIT
/*
 * bias_swish_residual.c: its row of the operator table; the header holds the
 * formula and the tolerance.
 *
 *   op_family_bias_swish_residual
 */
#include "op/op.h"

#include <limits.h>
#include <math.h>

#include "op/bias_swish_residual.h"
#include "op/activation_slip.h"

enum { M, N };
enum { BUF_X, BUF_BIAS, BUF_RESIDUAL, BUF_Y };

/* One row, one column, rows that are no multiple of a vector, alone or all
 * together, and many rows of few columns. */
static const struct op_shape awkward[] = {
    {.dim = {1, 1}},   {.dim = {1, 7}},    {.dim = {7, 1}},
    {.dim = {3, 4}},   {.dim = {5, 8}},    {.dim = {32, 33}},
    {.dim = {33, 32}}, {.dim = {64, 128}}, {.dim = {17, 1021}},
    {.dim = {1021, 3}}, {.dim = {100, 36}}, {.dim = {2, 9001}},
};

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE, OP_WIDE,
                                          OP_SPECIAL};

static const char *shape_error(const struct op_shape *shape)
{
    const int *d = shape->dim;

    if (d[M] < 1 || d[N] < 1)
        return "every extent must be at least 1";
    return d[N] <= INT_MAX / d[M] ? NULL : "M*N must be below 2^31";
}

static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    return sigmoid_input(problem->family, TYPE_FP32,
                         fill_seed(problem->seed, buffer), cell);
}

static struct op_cell cell_of(enum activation of, double x, double bias,
                              double residual)
{
    double z = x + bias, value = activation_slip(of, z) + residual;
    double error = activation_slip_error(of, z) +
                   sigmoid_u * (1.1 * fabs(z) + fabs(value));

    return sigmoid_cell(value, isfinite(value) ? error : 0.0);
}

enum { RESIDUAL_INSIDE = 1, BIAS_OUTSIDE, LAST_ALONE, RESIDUAL_BELOW,
       SIGMOID_OF_X, ACTIVATIONS };

static const struct op_mistake mistakes[] = {
    [RESIDUAL_INSIDE - 1] =
        {"the residual were added before Swish",
         "What is Swish taken of? The residual goes around it."},
    [BIAS_OUTSIDE - 1] =
        {"the bias were added after Swish",
         "What is Swish taken of? The bias is part of it."},
    [LAST_ALONE - 1] =
        {"the residual alone were the result",
         "Where the residual joins the result: is = there for +=?"},
    [RESIDUAL_BELOW - 1] =
        {"the residual were added to the denominator of Swish",
         "Where does the parenthesis close? The residual joins the quotient, "
         "not what it is divided by."},
    [SIGMOID_OF_X - 1] =
        {"the sigmoid were of x, without the bias",
         "Swish is z times the sigmoid of the same z, and z = x + bias: which "
         "array does the sigmoid read?"},
    [ACTIVATIONS - 1] = ACTIVATION_WITH_MINUS,
    [ACTIVATIONS] = ACTIVATION_WITHOUT_FACTOR,
    [ACTIVATIONS + 1] = ACTIVATION_AS_RELU,
    [ACTIVATIONS + 2] = ACTIVATION_LEFT_OUT,
};

static const enum activation activations[] = {
    ACTIVATION_SWISH_BY_MINUS, ACTIVATION_SIGMOID, ACTIVATION_RELU,
    ACTIVATION_NONE};

/* Two mistakes that no activation's value is part of. */
static struct op_cell cell_apart(int mistake, double x, double b, double r)
{
    double z = x + b, of = mistake == SIGMOID_OF_X ? x : z;
    double below = 1.0 + exp(-of) + (mistake == RESIDUAL_BELOW ? r : 0.0);
    double above = mistake == SIGMOID_OF_X ? r : 0.0, value = z / below + above;
    double error = sigmoid_u * (fabs(z / below) * (12.0 + 3.0 * fabs(of)) *
                                    (fabs(r) + fabs(below)) / fabs(below) +
                                2.0 * fabs(above));

    return sigmoid_cell(value, isfinite(value) ? error : 0.0);
}

static struct op_cell made_of(int mistake, double x, double b, double r)
{
    if (mistake == RESIDUAL_INSIDE)
        return cell_of(ACTIVATION_SWISH, x, b + r, 0);
    if (mistake == BIAS_OUTSIDE)
        return cell_of(ACTIVATION_SWISH, x, 0, b + r);
    if (mistake == LAST_ALONE)
        return sigmoid_cell(r, 0.0);
    if (mistake == RESIDUAL_BELOW || mistake == SIGMOID_OF_X)
        return cell_apart(mistake, x, b, r);
    return cell_of(mistake ? activations[mistake - ACTIVATIONS]
                           : ACTIVATION_SWISH, x, b, r);
}

static void reference(const struct op *op, const struct op_problem *problem,
                      int buffer, const void *const *arrays, size_t first,
                      size_t n, struct op_cell *cells)
{
    const float *x = arrays[BUF_X], *bias = arrays[BUF_BIAS];
    const float *residual = arrays[BUF_RESIDUAL];
    size_t width = (size_t)problem->shape.dim[N];

    (void)op, (void)buffer;
    for (size_t i = 0; i < n; i++) {
        double b = bias[(first + i) % width], r = residual[first + i];

        cells[i] = made_of(problem->mistake, x[first + i], b, r);
    }
}

/* Swish counts as four (elementwise.c), and each sum as one. */
static double flops(const struct op_shape *shape)
{
    return 6.0 * shape->dim[M] * shape->dim[N];
}

static struct bias_swish_residual_shape shape_of(const struct op_shape *shape)
{
    return (struct bias_swish_residual_shape){shape->dim[M], shape->dim[N]};
}

static size_t query(void *symbol, const struct op_shape *shape)
{
    size_t (*workspace)(struct bias_swish_residual_shape);

    memcpy(&workspace, &symbol, sizeof workspace);
    return workspace(shape_of(shape));
}

static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*fused)(const float *, const float *, const float *, float *,
                         struct bias_swish_residual_shape, void *,
                         cudaStream_t);

    memcpy(&fused, &symbol, sizeof fused);
    return fused(buffers[BUF_X], buffers[BUF_BIAS], buffers[BUF_RESIDUAL],
                 buffers[BUF_Y], shape_of(&problem->shape), workspace, stream);
}

#define MATRIX(name, role)                                                    \
    {name, role, 2, {"row", "col"}, {M, N}, TYPE_FP32, false}

static const struct op op = {
    .name = "bias_swish_residual",
    .launcher = "bias_swish_residual",
    .workspace = "bias_swish_residual_workspace",
    .signature = "cudaError_t bias_swish_residual(const float *x, const float "
                 "*bias, const float *residual, float *y, struct "
                 "bias_swish_residual_shape shape, void *workspace, "
                 "cudaStream_t stream)",
    .n_dims = 2,
    .dim_names = {"M", "N"},
    .n_buffers = 4,
    .buffers =
        {
            MATRIX("x", OP_INPUT),
            {"bias", OP_INPUT, 1, {"col"}, {N}, TYPE_FP32, false},
            MATRIX("residual", OP_INPUT),
            MATRIX("y", OP_OUTPUT),
        },
    .precision = {.sum = OP_SUM_FP32, .serial = true},
    .shape_error = shape_error,
    .awkward = awkward,
    .n_awkward = sizeof awkward / sizeof *awkward,
    .families = families,
    .n_families = sizeof families / sizeof *families,
    .value = value,
    .reference = reference,
    .mistakes = mistakes, .n_mistakes = sizeof mistakes / sizeof *mistakes,
    .bytes = op_bytes_once,
    .flops = flops,
    .query = query,
    .launch = launch,
};

const struct op_family_table op_family_bias_swish_residual = {&op, 1};
