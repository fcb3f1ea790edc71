// SPDX-License-Identifier: MIT
/*
 * roof.c: the ceilings' kernels as operators, so that they are checked and
 * timed by the same code as a learner's.
 *
 *   op_family_roof    roof_copy, roof_fma
 */
#include "op/op.h"

#include <math.h>
#include <string.h>

#include "op/fill.h"
#include "op/roof.h"

enum { N, R };

static const struct op_shape awkward[] = {
    {{1, 1}},   {{3, 2}},     {{4, 3}},    {{5, 64}},  {{31, 7}},
    {{33, 65}}, {{1023, 16}}, {{1025, 1}}, {{4099, 33}},
};

static const char *shape_error(const struct op_shape *shape)
{
    return shape->dim[N] >= 1 && shape->dim[R] >= 1
               ? NULL
               : "every extent must be at least 1";
}

static void fill(int buffer, enum op_family family, uint64_t seed,
                 const struct op_shape *shape, float *values)
{
    fill_values(family, fill_seed(seed, buffer), values,
                (size_t)shape->dim[N]);
}

static void reference_copy(int buffer, const struct op_shape *shape,
                           const float *const *inputs, size_t first, size_t n,
                           struct op_cell *cells)
{
    (void)buffer, (void)shape;
    for (size_t i = 0; i < n; i++) {
        double value = inputs[0][first + i];
        cells[i] = (struct op_cell){value, fabs(value), 0};
    }
}

/* In fp32: a chain of single roundings has one right result, bit by bit. */
static void reference_fma(int buffer, const struct op_shape *shape,
                          const float *const *inputs, size_t first, size_t n,
                          struct op_cell *cells)
{
    (void)buffer;
    for (size_t i = 0; i < n; i++) {
        float value = inputs[0][first + i];
        double most = fabs((double)value) + 1; /* no step passes it */
        for (int r = 0; r < shape->dim[R]; r++)
            value = fmaf(value, ROOF_TIMES, ROOF_PLUS);
        cells[i] = (struct op_cell){value, most, shape->dim[R]};
    }
}

static double bytes(const struct op_shape *shape)
{
    return 2.0 * sizeof(float) * shape->dim[N];
}

static double flops_copy(const struct op_shape *shape)
{
    (void)shape;
    return 0;
}

static double flops_fma(const struct op_shape *shape)
{
    return 2.0 * shape->dim[N] * shape->dim[R];
}

static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_shape *shape, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*roof)(const float *, float *, struct roof_shape, void *,
                        cudaStream_t);

    memcpy(&roof, &symbol, sizeof roof);
    return roof(buffers[0], buffers[1],
                (struct roof_shape){shape->dim[N], shape->dim[R]}, workspace,
                stream);
}

#define SIGNATURE(name)                                                       \
    "cudaError_t " name "(const float *from, float *to, struct roof_shape "   \
    "shape, void *workspace, cudaStream_t stream)"
#define COMMON                                                                \
    .n_dims = 2, .dim_names = {"N", "R"}, .n_buffers = 2,                     \
    .buffers = {{"from", OP_INPUT, 1, {"i"}, {N}},                            \
                {"to", OP_OUTPUT, 1, {"i"}, {N}}},                            \
    .shape_error = shape_error, .awkward = awkward,                           \
    .n_awkward = sizeof awkward / sizeof *awkward, .fill = fill,              \
    .bytes = bytes, .launch = launch

static const struct op ops[] = {
    {
        .name = "roof_copy",
        .launcher = "roof_copy",
        .signature = SIGNATURE("roof_copy"),
        .reference = reference_copy,
        .flops = flops_copy,
        COMMON,
    },
    {
        .name = "roof_fma",
        .launcher = "roof_fma",
        .signature = SIGNATURE("roof_fma"),
        .reference = reference_fma,
        .flops = flops_fma,
        COMMON,
    },
};

const struct op_family_table op_family_roof = {ops, sizeof ops / sizeof *ops};
