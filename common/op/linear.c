// SPDX-License-Identifier: MIT
/*
 * linear.c: a linear layer as a row of the operator table; linear.h holds the
 * formula and the tolerance.
 *
 *   op_family_linear    linear_swish
 */
#include "op/op.h"

#include <limits.h>
#include <math.h>

#include "op/linear.h"
#include "op/activation_slip.h"

enum { M, N, K };
enum { BUF_X, BUF_W, BUF_BIAS, BUF_Y };

/* Ones, primes, around warps and tiles, rows that are no multiple of 16 bytes,
 * and batches around those that a tile holds. */
static const struct op_shape awkward[] = {
    {.dim = {1, 1, 1}},     {.dim = {1, 1, 7}},      {.dim = {1, 33, 1}},
    {.dim = {17, 1, 31}},   {.dim = {3, 5, 7}},      {.dim = {31, 33, 32}},
    {.dim = {33, 31, 65}},  {.dim = {64, 64, 64}},   {.dim = {127, 61, 17}},
    {.dim = {129, 127, 33}}, {.dim = {1, 256, 520}}, {.dim = {16, 132, 260}},
    {.dim = {15, 40, 1021}}, {.dim = {65, 36, 300}}, {.dim = {193, 132, 130}},
};

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE, OP_WIDE,
                                          OP_SPECIAL};

static bool fits(int rows, int columns)
{
    return columns <= INT_MAX / rows;
}

static const char *shape_error(const struct op_shape *shape)
{
    const int *d = shape->dim;

    if (d[M] < 1 || d[N] < 1 || d[K] < 1)
        return "every extent must be at least 1";
    if (!fits(d[M], d[K]) || !fits(d[K], d[N]) || !fits(d[M], d[N]))
        return "M*K, K*N and M*N must be below 2^31";
    return NULL;
}

static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    const int *d = problem->shape.dim;
    uint64_t seed = fill_seed(problem->seed, buffer);

    if (buffer == BUF_X)
        return fill_factor(problem->family, TYPE_BF16, seed,
                           cell / (size_t)d[K], cell % (size_t)d[K],
                           (size_t)d[K]);
    if (problem->family == OP_SPECIAL && buffer == BUF_W)
        return fill_factor(problem->family, TYPE_BF16, seed,
                           cell % (size_t)d[N], cell / (size_t)d[N],
                           (size_t)d[K]);
    return fill_value(problem->family, TYPE_BF16, seed, cell);
}

/* The sum z of a cell, and of the magnitudes of its terms. */
struct sum {
    double value, size;
    int terms; /* but zeros, which are added without a rounding */
};

static void add_term(struct sum *sum, double term)
{
    sum->value += term;
    sum->size += fabs(term);
    sum->terms += term != 0.0;
}

enum { BIAS_AFTER = 1, ACTIVATIONS };

static const struct op_mistake mistakes[] = {
    [BIAS_AFTER - 1] =
        {"the bias were added after Swish",
         "What is Swish taken of? The bias is part of it."},
    [ACTIVATIONS - 1] = ACTIVATION_WITH_MINUS,
    [ACTIVATIONS] = ACTIVATION_WITHOUT_FACTOR,
    [ACTIVATIONS + 1] = ACTIVATION_AS_RELU,
    [ACTIVATIONS + 2] = ACTIVATION_LEFT_OUT,
};

static const enum activation activations[] = {
    ACTIVATION_SWISH_BY_MINUS, ACTIVATION_SIGMOID, ACTIVATION_RELU,
    ACTIVATION_NONE};

static struct op_cell cell_of(const struct sum *z, int mistake)
{
    enum activation of = mistake >= ACTIVATIONS
                             ? activations[mistake - ACTIVATIONS]
                             : ACTIVATION_SWISH;
    double value = activation_slip(of, z->value);
    double error = activation_slip_error(of, z->value) +
                   1.1 * (z->terms + 2.0) * sigmoid_u * z->size;

    return sigmoid_cell(value, isfinite(value) ? error : 0.0);
}

static void reference(const struct op *op, const struct op_problem *problem,
                      int buffer, const void *const *arrays, size_t first,
                      size_t n, struct op_cell *cells)
{
    const float *x = arrays[BUF_X], *w = arrays[BUF_W];
    const float *bias = arrays[BUF_BIAS];
    size_t width = (size_t)problem->shape.dim[N];
    size_t depth = (size_t)problem->shape.dim[K];

    (void)op, (void)buffer;
    for (size_t i = 0; i < n; i++) {
        size_t row = (first + i) / width, col = (first + i) % width;
        struct sum z = {0.0, 0.0, 0};

        for (size_t k = 0; k < depth; k++)
            add_term(&z, (double)x[row * depth + k] * w[k * width + col]);
        if (problem->mistake != BIAS_AFTER)
            add_term(&z, bias[col]);
        cells[i] = cell_of(&z, problem->mistake);
        if (problem->mistake == BIAS_AFTER)
            cells[i].value += bias[col];
    }
}

/* The epilogue's are few beside these. */
static double flops(const struct op_shape *shape)
{
    const int *d = shape->dim;

    return 2.0 * d[M] * d[N] * d[K];
}

static struct linear_shape shape_of(const struct op_shape *shape)
{
    const int *d = shape->dim;

    return (struct linear_shape){d[M], d[N], d[K]};
}

static size_t query(void *symbol, const struct op_shape *shape)
{
    size_t (*workspace)(struct linear_shape);

    memcpy(&workspace, &symbol, sizeof workspace);
    return workspace(shape_of(shape));
}

static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*linear)(const float *, const float *, const float *, float *,
                          struct linear_shape, void *, cudaStream_t);

    memcpy(&linear, &symbol, sizeof linear);
    return linear(buffers[BUF_X], buffers[BUF_W], buffers[BUF_BIAS],
                  buffers[BUF_Y], shape_of(&problem->shape), workspace,
                  stream);
}

#define MATRIX(name, role, row, col, rows, cols)                              \
    {name, role, 2, {row, col}, {rows, cols}, TYPE_FP32, false}

static const struct op op = {
    .name = "linear_swish",
    .launcher = "linear_swish",
    .workspace = "linear_swish_workspace",
    .signature = "cudaError_t linear_swish(const float *X, const float *W, "
                 "const float *bias, float *Y, struct linear_shape shape, "
                 "void *workspace, cudaStream_t stream)",
    .n_dims = 3,
    .dim_names = {"M", "N", "K"},
    .n_buffers = 4,
    .buffers =
        {
            MATRIX("X", OP_INPUT, "row", "k", M, K),
            MATRIX("W", OP_INPUT, "k", "col", K, N),
            {"bias", OP_INPUT, 1, {"col"}, {N}, TYPE_FP32, false},
            MATRIX("Y", OP_OUTPUT, "row", "col", M, N),
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

const struct op_family_table op_family_linear = {&op, 1};
