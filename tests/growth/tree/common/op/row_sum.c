// SPDX-License-Identifier: MIT
/*
 * row_sum.c: row_sum_bf16's row of the operator table.
 *
 *   op_family_row_sum
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

static const char *shape_error(const struct op_shape *shape)
{
    const int *d = shape->dim;

    if (d[M] < 1 || d[K] < 1)
        return "every extent must be at least 1";
    return d[K] <= INT_MAX / d[M] ? NULL : "M*K must be below 2^31";
}

static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    return fill_value(problem->family, TYPE_BF16,
                      fill_seed(problem->seed, buffer), cell);
}

static void reference(const struct op *op, const struct op_problem *problem,
                      int buffer, const void *const *arrays, size_t first,
                      size_t n, struct op_cell *cells)
{
    size_t k = (size_t)problem->shape.dim[K];

    (void)op, (void)buffer;
    for (size_t i = 0; i < n; i++) {
        double y = type_get(TYPE_FP32, arrays[BUF_Y], first + i);

        cells[i] = (struct op_cell){y, fabs(y), (long)k + 1};
        for (size_t j = 0; j < k; j++) {
            double term = problem->scalar[ALPHA] *
                          type_get(TYPE_BF16, arrays[BUF_X],
                                   (first + i) * k + j);
            cells[i].value += term;
            cells[i].magnitude += fabs(term);
        }
    }
}

/* x is read, y is read and written. */
static double bytes(const struct op *op, const struct op_shape *shape)
{
    return op_bytes_once(op, shape) + sizeof(float) * shape->dim[M];
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
    cudaError_t (*sum)(const void *, float *, struct row_sum_shape, float,
                       void *, cudaStream_t);

    memcpy(&sum, &symbol, sizeof sum);
    return sum(buffers[BUF_X], buffers[BUF_Y],
               (struct row_sum_shape){d[M], d[K]},
               (float)problem->scalar[ALPHA], workspace, stream);
}

static const struct op op = {
    .name = "row_sum_bf16",
    .launcher = "row_sum_bf16",
    .workspace = "row_sum_bf16_workspace",
    .signature = "cudaError_t row_sum_bf16(const row_sum_bf16_t *x, float *y, "
                 "struct row_sum_shape shape, float alpha, void *workspace, "
                 "cudaStream_t stream)",
    .n_dims = 2,
    .dim_names = {"M", "K"},
    .n_buffers = 2,
    .buffers =
        {
            {"x", OP_INPUT, 2, {"m", "k"}, {M, K}, TYPE_BF16, false},
            {"y", OP_INOUT, 1, {"m"}, {M}, TYPE_FP32, false},
        },
    .n_scalars = 1,
    .scalars = {{"alpha", TYPE_FP32, 1, -2, 2}},
    .precision = {.sum = OP_SUM_FP32, .serial = true},
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

const struct op_family_table op_family_row_sum = {&op, 1};
