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
    {{1}},   {{2}},    {{31}},   {{32}},   {{33}},    {{127}}, {{128}},
    {{129}}, {{255}},  {{256}},  {{257}},  {{1009}},  {{1023}}, {{1024}},
    {{1025}}, {{65537}},
};

static const char *shape_error(const struct op_shape *shape)
{
    return shape->dim[N] >= 1 ? NULL : "every extent must be at least 1";
}

static void fill(int buffer, enum op_family family, uint64_t seed,
                 const struct op_shape *shape, float *values)
{
    size_t n = (size_t)shape->dim[N];

    seed = fill_seed(seed, buffer);
    if (family == OP_IMPULSE && buffer == BUF_B)
        fill_dense(seed, values, n);
    else
        fill_values(family, seed, values, n);
}

static void reference(int buffer, const struct op_shape *shape,
                      const float *const *inputs, size_t first, size_t n,
                      struct op_cell *cells)
{
    (void)buffer, (void)shape;
    for (size_t i = 0; i < n; i++) {
        double a = inputs[BUF_A][first + i], b = inputs[BUF_B][first + i];
        cells[i] = (struct op_cell){a + b, fabs(a) + fabs(b), 2};
    }
}

static double bytes(const struct op_shape *shape)
{
    return 3.0 * sizeof(float) * shape->dim[N];
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
                          const struct op_shape *shape, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*add)(const float *, const float *, float *,
                       struct vector_add_shape, void *, cudaStream_t);

    memcpy(&add, &symbol, sizeof add);
    return add(buffers[BUF_A], buffers[BUF_B], buffers[BUF_C],
               (struct vector_add_shape){shape->dim[N]}, workspace, stream);
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
            {"a", OP_INPUT, 1, {"i"}, {N}},
            {"b", OP_INPUT, 1, {"i"}, {N}},
            {"c", OP_OUTPUT, 1, {"i"}, {N}},
        },
    .shape_error = shape_error,
    .awkward = awkward,
    .n_awkward = sizeof awkward / sizeof *awkward,
    .fill = fill,
    .reference = reference,
    .bytes = bytes,
    .flops = flops,
    .query = query,
    .launch = launch,
};

const struct op_family_table op_family_vector_add = {&op, 1};
