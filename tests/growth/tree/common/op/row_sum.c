// SPDX-License-Identifier: MIT
/*
 * row_sum.c: rows of the operator table; row_sum.h holds the formula.
 *
 *   op_family_row_sum    row_sum_bf16, row_sum_int8, row_sum_fp8
 */
#include "op/op.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "op/fill.h"
#include "op/row_sum.h"

enum { M, K };
enum { BUF_X, BUF_Y };
enum { ALPHA };

static const struct op_shape awkward[] = {
    {.dim = {1, 1}},  {.dim = {1, 33}},  {.dim = {33, 1}},  {.dim = {31, 31}},
    {.dim = {32, 32}}, {.dim = {17, 65}}, {.dim = {5, 127}}, {.dim = {129, 64}},
};

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE, OP_INTEGER,
                                          OP_WIDE};
static const enum op_family families_int8[] = {OP_SIGNED, OP_POSITIVE,
                                               OP_INTEGER};
static const enum op_family families_fp8[] = {
    OP_SIGNED, OP_POSITIVE, OP_INTEGER, OP_WIDE, OP_SPECIAL};

static const char *shape_error(const struct op_shape *shape)
{
    const int *d = shape->dim;

    if (d[M] < 1 || d[K] < 1)
        return "every extent must be at least 1";
    return d[K] <= INT_MAX / d[M] ? NULL : "M*K must be below 2^31";
}

static double draw(const struct op_problem *problem, enum type type,
                   int buffer, size_t cell)
{
    return fill_value(problem->family, type, fill_seed(problem->seed, buffer),
                      cell);
}

/* fp32 and bf16 have one range. */
static double value_bf16(const struct op_problem *problem, int buffer,
                         size_t cell)
{
    return draw(problem, TYPE_BF16, buffer, cell);
}

static double value_int8(const struct op_problem *problem, int buffer,
                         size_t cell)
{
    return draw(problem, TYPE_INT8, buffer, cell);
}

static double value_fp8(const struct op_problem *problem, int buffer,
                        size_t cell)
{
    return draw(problem, buffer == BUF_X ? TYPE_FP8_E4M3 : TYPE_FP8_E5M2,
                buffer, cell);
}

static void reference(const struct op *op, const struct op_problem *problem,
                      int buffer, const void *const *arrays, size_t first,
                      size_t n, struct op_cell *cells)
{
    size_t k = (size_t)problem->shape.dim[K];

    (void)buffer;
    for (size_t i = 0; i < n; i++) {
        double y = type_get(op->buffers[BUF_Y].type, arrays[BUF_Y],
                            first + i);

        cells[i] = (struct op_cell){y, fabs(y), (long)k + 1};
        for (size_t j = 0; j < k; j++) {
            double term = problem->scalar[ALPHA] *
                          type_get(op->buffers[BUF_X].type, arrays[BUF_X],
                                   (first + i) * k + j);
            cells[i].value += term;
            cells[i].magnitude += fabs(term);
        }
    }
}

/* x is read, y is read and written. */
static double bytes(const struct op *op, const struct op_shape *shape)
{
    size_t size = type_row[op->buffers[BUF_Y].type].bytes;

    return op_bytes_once(op, shape) + (double)size * shape->dim[M];
}

static double flops(const struct op_shape *shape)
{
    return (double)shape->dim[M] * (shape->dim[K] + 2.0);
}

static size_t query(void *symbol, const struct op_shape *shape)
{
    size_t (*workspace)(struct row_sum_shape);

    memcpy(&workspace, &symbol, sizeof workspace);
    return workspace((struct row_sum_shape){shape->dim[M], shape->dim[K]});
}

static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    const int *d = problem->shape.dim;
    cudaError_t (*sum)(const void *, void *, struct row_sum_shape, float,
                       void *, cudaStream_t);

    memcpy(&sum, &symbol, sizeof sum);
    return sum(buffers[BUF_X], buffers[BUF_Y],
               (struct row_sum_shape){d[M], d[K]},
               (float)problem->scalar[ALPHA], workspace, stream);
}

static cudaError_t launch_int8(void *symbol, void *const *buffers,
                               const struct op_problem *problem,
                               void *workspace, cudaStream_t stream)
{
    const int *d = problem->shape.dim;
    cudaError_t (*sum)(const void *, void *, struct row_sum_shape, int,
                       void *, cudaStream_t);

    memcpy(&sum, &symbol, sizeof sum);
    return sum(buffers[BUF_X], buffers[BUF_Y],
               (struct row_sum_shape){d[M], d[K]},
               (int)problem->scalar[ALPHA], workspace, stream);
}

#define ROW(symbol, in, in_name, out, out_name, alpha)                         \
    .name = symbol, .launcher = symbol, .workspace = symbol "_workspace",      \
    .signature = "cudaError_t " symbol "(const " in_name " *x, " out_name      \
                 " *y, struct row_sum_shape shape, " alpha " alpha, void "     \
                 "*workspace, cudaStream_t stream)",                           \
    .n_dims = 2, .dim_names = {"M", "K"}, .n_buffers = 2,                      \
    .buffers = {{"x", OP_INPUT, 2, {"m", "k"}, {M, K}, in, false},             \
                {"y", OP_INOUT, 1, {"m"}, {M}, out, false}},                   \
    .n_scalars = 1, .shape_error = shape_error, .awkward = awkward,            \
    .n_awkward = sizeof awkward / sizeof *awkward, .reference = reference,     \
    .bytes = bytes, .flops = flops, .query = query
#define FAMILIES(list)                                                         \
    .families = list, .n_families = sizeof list / sizeof *list

static const struct op ops[] = {
    {
        ROW("row_sum_bf16", TYPE_BF16, "row_sum_bf16_t", TYPE_FP32, "float",
            "float"),
        .scalars = {{"alpha", TYPE_FP32, 1, -2, 2}},
        .precision = {.sum = OP_SUM_FP32, .serial = true},
        FAMILIES(families), .value = value_bf16, .launch = launch,
    },
    {
        ROW("row_sum_int8", TYPE_INT8, "signed char", TYPE_INT32, "int",
            "int"),
        .scalars = {{"alpha", TYPE_INT32, 1, -2, 3}},
        .precision = {.sum = OP_SUM_INT32},
        FAMILIES(families_int8), .value = value_int8, .launch = launch_int8,
    },
    {
        ROW("row_sum_fp8", TYPE_FP8_E4M3, "row_sum_e4m3_t", TYPE_FP8_E5M2,
            "row_sum_e5m2_t", "float"),
        .scalars = {{"alpha", TYPE_FP32, 1, -2, 2}},
        .precision = {.sum = OP_SUM_FP32, .serial = true},
        FAMILIES(families_fp8), .value = value_fp8, .launch = launch,
    },
};

const struct op_family_table op_family_row_sum = {ops,
                                                  sizeof ops / sizeof *ops};
