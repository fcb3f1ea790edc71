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
    {.dim = {1, 1}}, {.dim = {3, 2}}, {.dim = {4, 3}}, {.dim = {5, 64}},
    {.dim = {31, 7}}, {.dim = {33, 65}}, {.dim = {1023, 16}},
    {.dim = {1025, 1}}, {.dim = {4099, 33}},
};

static const char *shape_error(const struct op_shape *shape)
{
    return shape->dim[N] >= 1 && shape->dim[R] >= 1
               ? NULL
               : "every extent must be at least 1";
}

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE, OP_INTEGER,
                                          OP_IMPULSE};

static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    uint64_t seed = fill_seed(problem->seed, buffer);

    if (problem->family == OP_IMPULSE)
        return fill_impulse(seed, cell, (size_t)problem->shape.dim[N]);
    return fill_value(problem->family, TYPE_FP32, seed, cell);
}

static void reference_copy(const struct op *op,
                           const struct op_problem *problem, int buffer,
                           const void *const *arrays, size_t first,
                           size_t n, struct op_cell *cells)
{
    const float *from = arrays[0];

    (void)op, (void)problem, (void)buffer;
    for (size_t i = 0; i < n; i++) {
        double copied = from[first + i];
        cells[i] = (struct op_cell){copied, fabs(copied), 0};
    }
}

/* In fp32: a chain of single roundings has one right result, bit by bit. */
static void reference_fma(const struct op *op,
                          const struct op_problem *problem, int buffer,
                          const void *const *arrays, size_t first,
                          size_t n, struct op_cell *cells)
{
    const float *from = arrays[0];
    int rounds = problem->shape.dim[R];

    (void)op, (void)buffer;
    for (size_t i = 0; i < n; i++) {
        float x = from[first + i];
        double most = fabs((double)x) + 1; /* no step passes it */
        for (int r = 0; r < rounds; r++)
            x = fmaf(x, ROOF_TIMES, ROOF_PLUS);
        cells[i] = (struct op_cell){x, most, rounds};
    }
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
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    const int *d = problem->shape.dim;
    cudaError_t (*roof)(const float *, float *, struct roof_shape, void *,
                        cudaStream_t);

    memcpy(&roof, &symbol, sizeof roof);
    return roof(buffers[0], buffers[1], (struct roof_shape){d[N], d[R]},
                workspace, stream);
}

#define SIGNATURE(name)                                                       \
    "cudaError_t " name "(const float *from, float *to, struct roof_shape "   \
    "shape, void *workspace, cudaStream_t stream)"
#define COMMON                                                                \
    .n_dims = 2, .dim_names = {"N", "R"}, .n_buffers = 2,                     \
    .buffers = {{"from", OP_INPUT, 1, {"i"}, {N}, TYPE_FP32, false},          \
                {"to", OP_OUTPUT, 1, {"i"}, {N}, TYPE_FP32, false}},          \
    .shape_error = shape_error, .awkward = awkward,                           \
    .n_awkward = sizeof awkward / sizeof *awkward, .families = families,      \
    .n_families = sizeof families / sizeof *families, .value = value,         \
    .bytes = op_bytes_once, .launch = launch

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
