// SPDX-License-Identifier: MIT
/*
 * vector_add.c: vector_add's row of the operator table.
 *
 *   op_family_vector_add
 */
#include "op/op.h"

#include <math.h>
#include <string.h>

#include "op/fill.h"
#include "op/vector_add.h"

enum { N };
enum { BUF_A, BUF_B, BUF_C };

static const struct op_shape awkward[] = {
    {.dim = {1}}, {.dim = {2}}, {.dim = {31}}, {.dim = {32}}, {.dim = {33}},
    {.dim = {127}}, {.dim = {128}}, {.dim = {129}}, {.dim = {255}},
    {.dim = {256}}, {.dim = {257}}, {.dim = {1009}}, {.dim = {1023}},
    {.dim = {1024}}, {.dim = {1025}}, {.dim = {65537}},
};

static const char *shape_error(const struct op_shape *shape)
{
    return shape->dim[N] >= 1 ? NULL : "every extent must be at least 1";
}

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE, OP_INTEGER,
                                          OP_IMPULSE};

static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    uint64_t seed = fill_seed(problem->seed, buffer);

    if (problem->family != OP_IMPULSE)
        return fill_value(problem->family, TYPE_FP32, seed, cell);
    return buffer == BUF_B
               ? fill_dense(seed, cell)
               : fill_impulse(seed, cell, (size_t)problem->shape.dim[N]);
}

static void reference(const struct op *op,
                      const struct op_problem *problem, int buffer,
                      const void *const *arrays, size_t first,
                      size_t n, struct op_cell *cells)
{
    const float *a = arrays[BUF_A], *b = arrays[BUF_B];

    (void)op, (void)problem, (void)buffer;
    for (size_t i = 0; i < n; i++) {
        double p = a[first + i], q = b[first + i];
        cells[i] = (struct op_cell){p + q, fabs(p) + fabs(q), 2};
    }
}

static double flops(const struct op_shape *shape)
{
    return shape->dim[N];
}

static size_t query(void *symbol, const struct op_shape *shape)
{
    size_t (*workspace)(struct vector_add_shape);

    memcpy(&workspace, &symbol, sizeof workspace);
    return workspace((struct vector_add_shape){shape->dim[N]});
}

static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*add)(const float *, const float *, float *,
                       struct vector_add_shape, void *, cudaStream_t);

    memcpy(&add, &symbol, sizeof add);
    return add(buffers[BUF_A], buffers[BUF_B], buffers[BUF_C],
               (struct vector_add_shape){problem->shape.dim[N]}, workspace,
               stream);
}

static const struct op op = {
    .name = "vector_add",
    .launcher = "vector_add",
    .workspace = "vector_add_workspace",
    .signature = "cudaError_t vector_add(const float *a, const float *b, "
                 "float *c, struct vector_add_shape shape, void *workspace, "
                 "cudaStream_t stream)",
    .n_dims = 1,
    .dim_names = {"N"},
    .n_buffers = 3,
    .buffers =
        {
            {"a", OP_INPUT, 1, {"i"}, {N}, TYPE_FP32, false},
            {"b", OP_INPUT, 1, {"i"}, {N}, TYPE_FP32, false},
            {"c", OP_OUTPUT, 1, {"i"}, {N}, TYPE_FP32, false},
        },
    .precision = {.sum = OP_SUM_FP32},
    .shape_error = shape_error,
    .awkward = awkward,
    .n_awkward = sizeof awkward / sizeof *awkward,
    .families = families,
    .n_families = sizeof families / sizeof *families,
    .value = value,
    .reference = reference,
    .bytes = op_bytes_once,
    .flops = flops,
    .query = query,
    .launch = launch,
};

const struct op_family_table op_family_vector_add = {&op, 1};
