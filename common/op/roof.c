// SPDX-License-Identifier: MIT
/*
 * roof.c: the ceilings' kernels as operators, so that they are checked and
 * timed by the same code as a learner's; roof.h says what each computes.
 *
 *   op_family_roof    roof_copy, and one row per pipe
 */
#include "op/op.h"

#include <math.h>

#include "op/fill.h"
#include "op/roof.h"

enum { N, R };

static const struct op_shape awkward[] = {
    {.dim = {1, 1}},   {.dim = {3, 2}},   {.dim = {4, 3}},
    {.dim = {5, 64}},  {.dim = {31, 7}},  {.dim = {33, 65}},
    {.dim = {1023, 16}}, {.dim = {1025, 1}}, {.dim = {4099, 33}},
};
static const struct op_shape groups[] = {
    {.dim = {128, 4}}, {.dim = {128, 12}}, {.dim = {384, 8}},
    {.dim = {1024, 20}},
};

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE, OP_INTEGER,
                                          OP_IMPULSE};
static const enum op_family integers[] = {OP_INTEGER};

static const char *shape_error(const struct op_shape *shape)
{
    return shape->dim[N] >= 1 && shape->dim[R] >= 1
               ? NULL
               : "every extent must be at least 1";
}

static const char *group_error(const struct op_shape *shape)
{
    if (shape->dim[N] >= 1 && shape->dim[N] % ROOF_GROUP != 0)
        return "N must be a multiple of 128";
    if (shape->dim[R] >= 1 && shape->dim[R] % ROOF_STEP != 0)
        return "R must be a multiple of 4";
    return shape_error(shape);
}

static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    uint64_t seed = fill_seed(problem->seed, buffer);

    if (problem->family == OP_IMPULSE)
        return fill_impulse(seed, cell, (size_t)problem->shape.dim[N]);
    return fill_value(problem->family, TYPE_FP32, seed, cell);
}

/* Timed inputs too: every type of a matrix holds them. */
static double value_integer(const struct op_problem *problem, int buffer,
                            size_t cell)
{
    return fill_value(OP_INTEGER, TYPE_FP32, fill_seed(problem->seed, buffer),
                      cell);
}

/* Any 32 bits. */
static double value_bits(const struct op_problem *problem, int buffer,
                         size_t cell)
{
    uint64_t seed = fill_seed(problem->seed, buffer);

    return rint(fill_value(OP_SIGNED, TYPE_FP32, seed, cell) * 0x1p30);
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

/* x -> x * ROOF_TIMES + ROOF_PLUS, rounded once. For the 16-bit types the sum
 * of a product and ROOF_PLUS is exact in double precision. */
static double step(enum type type, double x)
{
    double times = type_decode(type, type_encode(type, (double)ROOF_TIMES));
    double plus = type_decode(type, type_encode(type, (double)ROOF_PLUS));

    if (type == TYPE_FP32)
        return fmaf((float)x, ROOF_TIMES, ROOF_PLUS);
    return type_decode(type, type_encode(type, fma(x, times, plus)));
}

/* A chain of single roundings has one right result, bit by bit. */
static void reference_fma(const struct op *op,
                          const struct op_problem *problem, int buffer,
                          const void *const *arrays, size_t first,
                          size_t n, struct op_cell *cells)
{
    enum type type = op->buffers[0].type;
    int rounds = problem->shape.dim[R];

    (void)buffer;
    for (size_t i = 0; i < n; i++) {
        double x = type_get(type, arrays[0], first + i);
        double most = fabs(x) + 1; /* no step passes it */
        for (int r = 0; r < rounds; r++)
            x = step(type, x);
        cells[i] = (struct op_cell){x, most, rounds};
    }
}

static uint32_t dp4a(uint32_t a, uint32_t b, uint32_t sum)
{
    for (int shift = 0; shift < 32; shift += 8)
        sum += (uint32_t)((int8_t)(a >> shift) * (int8_t)(b >> shift));
    return sum;
}

/* In whole numbers modulo 2^32: exact, as a cell without terms is. */
static void reference_dp4a(const struct op *op,
                           const struct op_problem *problem, int buffer,
                           const void *const *arrays, size_t first,
                           size_t n, struct op_cell *cells)
{
    (void)op, (void)buffer;
    for (size_t i = 0; i < n; i++) {
        uint32_t x = (uint32_t)type_bits(TYPE_INT32, arrays[0], first + i);
        for (int r = 0; r < problem->shape.dim[R]; r++)
            x = dp4a(x, ROOF_BYTES, x);
        cells[i] = (struct op_cell){(int32_t)x, 0, 0};
    }
}

/* What four warps multiply: D is rows x columns, A rows x k. */
struct matrix {
    int rows, columns, k;
};
static const struct matrix fp64 = {32, ROOF_COLUMNS / 2, 4},
                           of_32bit = {64, ROOF_COLUMNS, 8},
                           of_16bit = {64, ROOF_COLUMNS, 16},
                           of_8bit = {64, ROOF_COLUMNS, 32};

static const struct matrix *matrix_of(const struct op *op)
{
    switch (op->pipe) {
    case PIPE_FP64_TENSOR:
        return &fp64;
    case PIPE_TF32_TENSOR:
        return &of_32bit;
    case PIPE_FP16_TENSOR:
    case PIPE_BF16_TENSOR:
        return &of_16bit;
    default:
        return &of_8bit;
    }
}

static void reference_mma(const struct op *op,
                          const struct op_problem *problem, int buffer,
                          const void *const *arrays, size_t first,
                          size_t n, struct op_cell *cells)
{
    const float *from = arrays[0];
    const struct matrix *m = matrix_of(op);
    double held = (double)m->rows * m->k / ROOF_GROUP; /* of A, by a thread */
    double share = problem->shape.dim[R] * held * m->columns / 4;

    (void)buffer;
    for (size_t i = 0; i < n; i++) {
        size_t quad = (first + i) / 4 * 4;
        struct op_cell *cell = &cells[i];

        *cell = (struct op_cell){0, 0, (long)(4 * share)};
        for (size_t lane = quad; lane < quad + 4; lane++) {
            cell->value += share * from[lane];
            cell->magnitude += share * fabs((double)from[lane]);
        }
    }
}

static double no_flops(const struct op_shape *shape)
{
    (void)shape;
    return 0;
}

static double flops_fma(const struct op_shape *shape)
{
    return 2.0 * shape->dim[N] * shape->dim[R];
}

/* Four products, and as many additions. */
static double flops_dp4a(const struct op_shape *shape)
{
    return 8.0 * shape->dim[N] * shape->dim[R];
}

static double flops_of(const struct matrix *m, const struct op_shape *shape)
{
    return 2.0 * m->rows * m->columns * m->k *
           (shape->dim[N] / ROOF_GROUP) * shape->dim[R];
}

static double flops_fp64(const struct op_shape *shape)
{
    return flops_of(&fp64, shape);
}

static double flops_32bit(const struct op_shape *shape)
{
    return flops_of(&of_32bit, shape);
}

static double flops_16bit(const struct op_shape *shape)
{
    return flops_of(&of_16bit, shape);
}

static double flops_8bit(const struct op_shape *shape)
{
    return flops_of(&of_8bit, shape);
}

static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    const int *d = problem->shape.dim;
    cudaError_t (*roof)(const void *, void *, struct roof_shape, void *,
                        cudaStream_t);

    memcpy(&roof, &symbol, sizeof roof);
    return roof(buffers[0], buffers[1], (struct roof_shape){d[N], d[R]},
                workspace, stream);
}

#define COUNT(array) (sizeof array / sizeof *array)
#define ROW(symbol, c_type, type, unit)                                       \
    .name = symbol, .launcher = symbol, .pipe = unit,                         \
    .signature = "cudaError_t " symbol "(const " c_type " *from, " c_type     \
                 " *to, struct roof_shape shape, void *workspace, "           \
                 "cudaStream_t stream)",                                      \
    .n_dims = 2, .dim_names = {"N", "R"}, .n_buffers = 2,                     \
    .buffers = {{"from", OP_INPUT, 1, {"i"}, {N}, type, false},               \
                {"to", OP_OUTPUT, 1, {"i"}, {N}, type, false}},               \
    .bytes = op_bytes_once, .launch = launch
#define CHAIN(symbol, c_type, type, unit)                                     \
    ROW(symbol, c_type, type, unit), .shape_error = shape_error,              \
    .awkward = awkward, .n_awkward = COUNT(awkward), .families = families,    \
    .n_families = COUNT(families), .value = value,                            \
    .reference = reference_fma, .flops = flops_fma
#define MATRIX(symbol, unit, sums, work)                                      \
    ROW(symbol, "void", TYPE_FP32, unit), .shape_error = group_error,         \
    .awkward = groups, .n_awkward = COUNT(groups), .families = integers,      \
    .n_families = COUNT(integers), .value = value_integer,                    \
    .reference = reference_mma, .flops = work,                                \
    .precision = {.sum = sums, .serial = true}

static const struct op ops[] = {
    {
        ROW("roof_copy", "float", TYPE_FP32, PIPE_FP32),
        .shape_error = shape_error,
        .awkward = awkward,
        .n_awkward = COUNT(awkward),
        .families = families,
        .n_families = COUNT(families),
        .value = value,
        .reference = reference_copy,
        .flops = no_flops,
        .precision = {.sum = OP_SUM_FP32},
    },
    {CHAIN("roof_fma", "float", TYPE_FP32, PIPE_FP32),
     .precision = {.sum = OP_SUM_FP32}},
    {CHAIN("roof_fma_fp64", "void", TYPE_FP64, PIPE_FP64),
     .precision = {.sum = OP_SUM_FP64}},
    {CHAIN("roof_fma_fp16", "void", TYPE_FP16, PIPE_FP16),
     .precision = {.sum = OP_SUM_FP32}},
    {CHAIN("roof_fma_bf16", "void", TYPE_BF16, PIPE_BF16),
     .precision = {.sum = OP_SUM_FP32}},
    {
        ROW("roof_dp4a", "void", TYPE_INT32, PIPE_INT8),
        .shape_error = shape_error,
        .awkward = awkward,
        .n_awkward = COUNT(awkward),
        .families = integers,
        .n_families = COUNT(integers),
        .value = value_bits,
        .reference = reference_dp4a,
        .flops = flops_dp4a,
        .precision = {.sum = OP_SUM_INT32},
    },
    {MATRIX("roof_mma_fp64", PIPE_FP64_TENSOR, OP_SUM_FP64,
            flops_fp64)},
    {MATRIX("roof_mma_tf32", PIPE_TF32_TENSOR, OP_SUM_FP32_TENSOR,
            flops_32bit)},
    {MATRIX("roof_mma_fp16", PIPE_FP16_TENSOR, OP_SUM_FP32_TENSOR,
            flops_16bit)},
    {MATRIX("roof_mma_bf16", PIPE_BF16_TENSOR, OP_SUM_FP32_TENSOR,
            flops_16bit)},
    {MATRIX("roof_mma_fp8", PIPE_FP8_TENSOR, OP_SUM_FP32_TENSOR,
            flops_8bit)},
    {MATRIX("roof_mma_int8", PIPE_INT8_TENSOR, OP_SUM_INT32,
            flops_8bit)},
};

const struct op_family_table op_family_roof = {ops, COUNT(ops)};
