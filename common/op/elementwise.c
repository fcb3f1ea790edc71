// SPDX-License-Identifier: MIT
/*
 * elementwise.c: functions of one element as rows of the operator table;
 * elementwise.h holds the formulas, sigmoid.h the tolerance.
 *
 *   op_family_elementwise    relu, sigmoid and swish, in fp32 and bf16
 */
#include "op/op.h"

#include <math.h>

#include "op/elementwise.h"
#include "op/activation_slip.h"

enum { N };
enum { BUF_X, BUF_Y };

/* Around vectors of 4 and 8 elements, warps, blocks, and a block's share. */
static const struct op_shape awkward[] = {
    {.dim = {1}},    {.dim = {2}},    {.dim = {3}},    {.dim = {7}},
    {.dim = {8}},    {.dim = {31}},   {.dim = {33}},   {.dim = {127}},
    {.dim = {257}},  {.dim = {1009}}, {.dim = {1024}}, {.dim = {4095}},
    {.dim = {4097}}, {.dim = {8193}}, {.dim = {65537}},
};

/* More blocks than a grid counts along y and z, even with 16,384 elements per
 * block. */
enum { TALL = (1 << 30) + 3 };

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE, OP_WIDE,
                                          OP_SPECIAL};

static const char *shape_error(const struct op_shape *shape)
{
    return shape->dim[N] >= 1 ? NULL : "every extent must be at least 1";
}

static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    return sigmoid_input(problem->family, TYPE_BF16,
                         fill_seed(problem->seed, buffer), cell);
}

static struct op_cell relu_of(double x)
{
    double y = x < 0.0 ? 0.0 : x;

    return (struct op_cell){y, isfinite(y) ? y : 0.0, 0}; /* exact */
}

static struct op_cell sigmoid_of(double x)
{
    return sigmoid_cell(sigmoid_value(x), sigmoid_error(x));
}

static struct op_cell swish_of(double x)
{
    return sigmoid_cell(swish_value(x), swish_error(x));
}

static const enum activation slips_relu[] = {ACTIVATION_NOT_RELU,
                                             ACTIVATION_NONE};
static const struct op_mistake mistakes_relu[] = {
    {"numbers below 0 were kept, and those above were not",
     "Which way round is the comparison, and which value belongs to which of "
     "its branches?"},
    ACTIVATION_LEFT_OUT,
};

static const enum activation slips_sigmoid[] = {
    ACTIVATION_SIGMOID_OF_MINUS, ACTIVATION_SWISH, ACTIVATION_NONE,
    ACTIVATION_SIGMOID_LESS};
static const struct op_mistake mistakes_sigmoid[] = {
    ACTIVATION_WITH_MINUS, ACTIVATION_WITH_FACTOR, ACTIVATION_LEFT_OUT,
    ACTIVATION_WITH_LESS};

static const enum activation slips_swish[] = {
    ACTIVATION_SWISH_BY_MINUS, ACTIVATION_SIGMOID, ACTIVATION_RELU,
    ACTIVATION_NONE, ACTIVATION_SWISH_LESS};
static const struct op_mistake mistakes_swish[] = {
    ACTIVATION_WITH_MINUS, ACTIVATION_WITHOUT_FACTOR, ACTIVATION_AS_RELU,
    ACTIVATION_LEFT_OUT, ACTIVATION_WITH_LESS};

static struct op_cell slip_of(enum activation slip, double x)
{
    return sigmoid_cell(activation_slip(slip, x),
                        activation_slip_error(slip, x));
}

static void reference(const struct op *op, const struct op_problem *problem,
                      const enum activation *slips, const void *const *arrays,
                      size_t first, size_t n, struct op_cell *cells,
                      struct op_cell (*of)(double x))
{
    for (size_t i = 0; i < n; i++) {
        double x = type_get(op->buffers[BUF_X].type, arrays[BUF_X], first + i);

        cells[i] = problem->mistake ? slip_of(slips[problem->mistake - 1], x)
                                    : of(x);
    }
}

#define REFERENCE(name)                                                       \
    static void reference_##name(                                             \
        const struct op *op, const struct op_problem *problem, int buffer,    \
        const void *const *arrays, size_t first, size_t n,                    \
        struct op_cell *cells)                                                \
    {                                                                         \
        (void)buffer;                                                         \
        reference(op, problem, slips_##name, arrays, first, n, cells,         \
                  name##_of);                                                 \
    }

REFERENCE(relu)
REFERENCE(sigmoid)
REFERENCE(swish)

/* One comparison; or an exponential, a sum and a division, and for Swish a
 * product more: each counts as one. */
static double flops_relu(const struct op_shape *shape)
{
    return shape->dim[N];
}

static double flops_sigmoid(const struct op_shape *shape)
{
    return 3.0 * shape->dim[N];
}

static double flops_swish(const struct op_shape *shape)
{
    return 4.0 * shape->dim[N];
}

static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*map)(const void *, void *, struct elementwise_shape, void *,
                       cudaStream_t);

    memcpy(&map, &symbol, sizeof map);
    return map(buffers[BUF_X], buffers[BUF_Y],
               (struct elementwise_shape){problem->shape.dim[N]}, workspace,
               stream);
}

#define ROW(map, suffix, c_type, type)                                        \
    {                                                                         \
        .name = "elementwise_" #map suffix,                                   \
        .launcher = "elementwise_" #map suffix,                               \
        .signature = "cudaError_t elementwise_" #map suffix "(const " c_type  \
                     " *x, " c_type " *y, struct elementwise_shape shape, "   \
                     "void *workspace, cudaStream_t stream)",                 \
        .n_dims = 1, .dim_names = {"N"}, .n_buffers = 2,                      \
        .buffers = {{"x", OP_INPUT, 1, {"i"}, {N}, type, false},              \
                    {"y", OP_OUTPUT, 1, {"i"}, {N}, type, false}},            \
        .precision = {.sum = OP_SUM_FP32, .serial = true},                    \
        .shape_error = shape_error, .awkward = awkward,                       \
        .n_awkward = sizeof awkward / sizeof *awkward,                        \
        .tall = {.dim = {TALL}}, .families = families,                        \
        .n_families = sizeof families / sizeof *families, .value = value,     \
        .reference = reference_##map, .bytes = op_bytes_once,                 \
        .mistakes = mistakes_##map,                                           \
        .n_mistakes = sizeof mistakes_##map / sizeof *mistakes_##map,         \
        .flops = flops_##map, .launch = launch,                               \
    }
#define BOTH(map)                                                             \
    ROW(map, "_f32", "float", TYPE_FP32),                                     \
    ROW(map, "_bf16", "elementwise_bf16_t", TYPE_BF16)

static const struct op ops[] = {BOTH(relu), BOTH(sigmoid), BOTH(swish)};

const struct op_family_table op_family_elementwise = {
    ops, sizeof ops / sizeof *ops};
