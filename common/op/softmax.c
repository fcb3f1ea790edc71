// SPDX-License-Identifier: MIT
/*
 * softmax.c: softmax and its gradient as rows of the operator table; softmax.h
 * holds the formulas and the tolerance.
 *
 *   op_family_softmax    softmax_f32, _bf16, softmax_backward_f32, _bf16
 *
 * Rows of one problem differ in kind, which a hash of the row decides: constant
 * ones, far from 0 on either side, denormal, or masked with -infinity.
 */
#include "op/op.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "op/fill.h"
#include "op/row_slip.h"
#include "op/running_slip.h"
#include "op/softmax.h"

enum { R, C };
enum { BUF_X, BUF_Y };                 /* softmax */
enum { BACK_Y, BACK_DY, BACK_DX };     /* its gradient */

/* R C: ones, around warps and vectors, odd rows that begin at no multiple of
 * 16 bytes, rows of several warps, and of more than a block holds. */
static const struct op_shape awkward[] = {
    {.dim = {1, 1}},    {.dim = {7, 1}},     {.dim = {5, 2}},
    {.dim = {3, 31}},   {.dim = {33, 32}},   {.dim = {9, 33}},
    {.dim = {2, 127}},  {.dim = {130, 128}}, {.dim = {17, 129}},
    {.dim = {4, 255}},  {.dim = {3, 1021}},  {.dim = {2, 1024}},
    {.dim = {3, 1031}}, {.dim = {2, 4100}},  {.dim = {1, 8191}},
};

/* More blocks than a grid counts along y and z, even of 64 rows each. */
enum { TALL = 4200000 };

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE, OP_WIDE,
                                          OP_SPECIAL};

static const char *shape_error(const struct op_shape *shape)
{
    const int *d = shape->dim;

    if (d[R] < 1 || d[C] < 1)
        return "every extent must be at least 1";
    return d[C] <= INT_MAX / d[R] ? NULL : "R*C must be below 2^31";
}

/* Which of n kinds a row is of. */
static int kind_of(uint64_t seed, size_t row, int n)
{
    return (int)(fill_seed(seed + row, 0) % (uint64_t)n);
}

/* Scores of 8 in either direction, as a model's are. */
static double signed_score(uint64_t seed, size_t cell)
{
    return 8 * fill_value(OP_SIGNED, TYPE_FP32, seed, cell);
}

static double shifted_row(uint64_t seed, size_t row, size_t cell)
{
    double score = signed_score(seed, cell);
    /* 10,000 to 20 million: no constant is below all rows */
    double far = ldexp(10000, kind_of(~seed, row, 12));

    switch (kind_of(seed, row, 4)) {
    case 0:
        return signed_score(seed, row); /* one value all along it */
    case 1:
        return far + score;
    case 2:
        return -far + score;
    default:
        return fabs(score);
    }
}

static double wide_row(uint64_t seed, size_t row, size_t cell)
{
    switch (kind_of(seed, row, 3)) {
    case 0:
        return fill_value(OP_WIDE, TYPE_FP32, seed, cell);
    case 1:
        return ldexp(signed_score(seed, cell), -135); /* denormal */
    default:
        return 12 * signed_score(seed, cell); /* results underflow */
    }
}

static double special_row(uint64_t seed, size_t row, size_t cell)
{
    switch (kind_of(seed, row, 4)) {
    case 0:
        return -INFINITY;
    case 1: /* a mask */
        return fill_value(OP_SIGNED, TYPE_FP32, seed, cell) < 0
                   ? -INFINITY
                   : signed_score(seed, cell);
    default:
        return fill_value(OP_SPECIAL, TYPE_FP32, seed, cell);
    }
}

static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    uint64_t seed = fill_seed(problem->seed, buffer);
    size_t row = cell / (size_t)problem->shape.dim[C];

    switch (problem->family) {
    case OP_POSITIVE:
        return shifted_row(seed, row, cell);
    case OP_WIDE:
        return wide_row(seed, row, cell);
    case OP_SPECIAL:
        return special_row(seed, row, cell);
    default:
        return signed_score(seed, cell);
    }
}

/* y is a result of softmax only in its size, which is all that matters. */
static double backward_value(const struct op_problem *problem, int buffer,
                             size_t cell)
{
    uint64_t seed = fill_seed(problem->seed, buffer);
    double columns = problem->shape.dim[C];

    if (buffer == BACK_Y && problem->family != OP_SPECIAL)
        return fill_value(OP_POSITIVE, TYPE_FP32, seed, cell) * 2 / columns;
    return fill_value(problem->family, TYPE_BF16, seed, cell);
}

enum { SUM_SLIP = 1, RUN_SLIP = SUM_SLIP + ROW_SLIP_N,
       END_SLIP = RUN_SLIP + RUNNING_SLIP_N,
       NO_MAX_IN_SUM = END_SLIP, NO_MAX_IN_RESULT, NO_EXP_IN_SUM };

static const struct op_mistake mistakes[] = {
    ROW_SLIPS(SUM_SLIP),
    RUNNING_SLIPS(RUN_SLIP),
    [NO_MAX_IN_SUM - 1] =
        {"the sum were of exp(x), and the results exp(x - max) over it",
         "The largest value is subtracted in both exponentials, or in neither: "
         "what does the loop over the sum take the exponential of?"},
    [NO_MAX_IN_RESULT - 1] =
        {"the results were exp(x) over the sum of exp(x - max)",
         "The largest value is subtracted in both exponentials, or in neither: "
         "what does the last loop take the exponential of?"},
    [NO_EXP_IN_SUM - 1] =
        {"the sum were of x - max, without exponentials",
         "What joins the sum: exp(x - max)?"},
};
static const struct op_mistake backward_mistakes[] = {ROW_SLIPS(SUM_SLIP)};

/* What the cells of a row have in common. */
struct row {
    double max, sum, mean_distance;
};

static double running_sum(enum type type, const void *x, size_t first, size_t n,
                          int slip)
{
    double *row = malloc(n * sizeof *row), sum = NAN;

    for (size_t i = 0; row && i < n; i++)
        row[i] = type_get(type, x, first + i);
    if (row)
        sum = running_slip_sum(slip, row, n, type_row[type].bytes, first);
    free(row);
    return sum;
}

static struct row row_of(enum type type, const void *x, size_t first, size_t n,
                         int mistake)
{
    struct row row = {-INFINITY, 0, 0};

    for (size_t i = 0; i < n; i++)
        row.max = fmax(row.max, type_get(type, x, first + i));
    for (size_t i = 0; i < n; i++) {
        double d = type_get(type, x, first + i) - row.max, e = exp(d);

        if (!row_slip_counts(mistake - SUM_SLIP, i, n))
            continue;
        row.sum += mistake == NO_EXP_IN_SUM ? d : e;
        row.mean_distance += e > 0 ? e * -d : 0;
    }
    row.mean_distance /= fabs(row.sum);
    if (mistake >= RUN_SLIP && mistake < END_SLIP && isfinite(row.max))
        row.sum = running_sum(type, x, first, n, mistake - RUN_SLIP);
    if (mistake == NO_MAX_IN_SUM)
        row.sum *= exp(row.max);
    if (mistake == NO_MAX_IN_RESULT)
        row.sum *= exp(-row.max);
    return row;
}

/* Below the smallest normal float a result may be 0: the tolerance is at least
 * 3 u of this magnitude. */
static const double flushed = 0x1p-126 / (3 * 0x1p-24);

static struct op_cell cell_of(const struct row *row, double x, long n)
{
    double d = x - row->max, y = exp(d) / row->sum;
    double error = y != 0 ? 4 - 2 * d + 2 * row->mean_distance : 0;

    return (struct op_cell){y, fabs(y) * error + flushed, n};
}

static void reference(const struct op *op, const struct op_problem *problem,
                      int buffer, const void *const *arrays, size_t first,
                      size_t n, struct op_cell *cells)
{
    enum type type = op->buffers[BUF_X].type;
    size_t width = (size_t)problem->shape.dim[C];
    struct row row = {0, 0, 0};

    (void)buffer;
    for (size_t i = 0; i < n; i++) {
        size_t at = first + i;

        if (i == 0 || at % width == 0)
            row = row_of(type, arrays[BUF_X], at - at % width, width,
                         problem->mistake);
        cells[i] = cell_of(&row, type_get(type, arrays[BUF_X], at),
                           (long)width);
    }
}

static void backward_reference(const struct op *op,
                               const struct op_problem *problem, int buffer,
                               const void *const *arrays, size_t first,
                               size_t n, struct op_cell *cells)
{
    enum type type = op->buffers[BACK_Y].type;
    const void *y = arrays[BACK_Y], *dy = arrays[BACK_DY];
    size_t width = (size_t)problem->shape.dim[C];
    double sum = 0, size = 0;

    (void)buffer;
    for (size_t i = 0; i < n; i++) {
        size_t at = first + i, begin = at - at % width;
        double p = type_get(type, y, at), g = type_get(type, dy, at);

        if (i == 0 || at == begin) {
            sum = size = 0;
            for (size_t j = begin; j < begin + width; j++) {
                double term = type_get(type, y, j) * type_get(type, dy, j);

                if (!row_slip_counts(problem->mistake - SUM_SLIP, j - begin,
                                     width))
                    continue;
                sum += term;
                size += fabs(term);
            }
        }
        cells[i] = (struct op_cell){p * (g - sum), fabs(p) * (fabs(g) + size),
                                    (long)width + 1};
    }
}

/* A comparison, a subtraction, an exponential, an addition, a product. */
static double flops(const struct op_shape *shape)
{
    return 5.0 * shape->dim[R] * shape->dim[C];
}

/* Multiply and add; subtract and multiply. */
static double backward_flops(const struct op_shape *shape)
{
    return 4.0 * shape->dim[R] * shape->dim[C];
}

static struct softmax_shape shape_of(const struct op_shape *shape)
{
    return (struct softmax_shape){shape->dim[R], shape->dim[C]};
}

static size_t query(void *symbol, const struct op_shape *shape)
{
    size_t (*workspace)(struct softmax_shape);

    memcpy(&workspace, &symbol, sizeof workspace);
    return workspace(shape_of(shape));
}

static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*softmax)(const void *, void *, struct softmax_shape, void *,
                           cudaStream_t);

    memcpy(&softmax, &symbol, sizeof softmax);
    return softmax(buffers[BUF_X], buffers[BUF_Y], shape_of(&problem->shape),
                   workspace, stream);
}

static cudaError_t backward_launch(void *symbol, void *const *buffers,
                                   const struct op_problem *problem,
                                   void *workspace, cudaStream_t stream)
{
    cudaError_t (*softmax)(const void *, const void *, void *,
                           struct softmax_shape, void *, cudaStream_t);

    memcpy(&softmax, &symbol, sizeof softmax);
    return softmax(buffers[BACK_Y], buffers[BACK_DY], buffers[BACK_DX],
                   shape_of(&problem->shape), workspace, stream);
}

#define MATRIX(name, role, type)                                               \
    {name, role, 2, {"r", "c"}, {R, C}, type, false}
#define COMMON(symbol)                                                         \
    .name = symbol, .launcher = symbol, .workspace = symbol "_workspace",      \
    .n_dims = 2, .dim_names = {"R", "C"},                                      \
    .precision = {.sum = OP_SUM_FP32}, .shape_error = shape_error,             \
    .awkward = awkward, .n_awkward = sizeof awkward / sizeof *awkward,         \
    .tall = {.dim = {TALL, 1}},                                                \
    .families = families, .n_families = sizeof families / sizeof *families,    \
    .bytes = op_bytes_once, .query = query
#define FORWARD(symbol, type, type_name)                                       \
    {                                                                          \
        COMMON(symbol), .n_buffers = 2, .mistakes = mistakes,                  \
        .n_mistakes = sizeof mistakes / sizeof *mistakes,                      \
        .signature = "cudaError_t " symbol "(const " type_name " *x, "         \
                     type_name " *y, struct softmax_shape shape, void "        \
                     "*workspace, cudaStream_t stream)",                       \
        .buffers = {MATRIX("x", OP_INPUT, type), MATRIX("y", OP_OUTPUT, type)},\
        .positive = "far-from-0",                                              \
        .value = value, .reference = reference, .flops = flops,                \
        .launch = launch,                                                      \
    }
#define BACKWARD(symbol, type, type_name)                                      \
    {                                                                          \
        COMMON(symbol), .n_buffers = 3, .mistakes = backward_mistakes,         \
        .n_mistakes = sizeof backward_mistakes / sizeof *backward_mistakes,    \
        .signature = "cudaError_t " symbol "(const " type_name " *y, const "   \
                     type_name " *dy, " type_name " *dx, struct "              \
                     "softmax_shape shape, void *workspace, cudaStream_t "     \
                     "stream)",                                                \
        .buffers = {MATRIX("y", OP_INPUT, type), MATRIX("dy", OP_INPUT, type), \
                    MATRIX("dx", OP_OUTPUT, type)},                            \
        .value = backward_value, .reference = backward_reference,              \
        .flops = backward_flops, .launch = backward_launch,                    \
    }

static const struct op ops[] = {
    FORWARD("softmax_f32", TYPE_FP32, "float"),
    FORWARD("softmax_bf16", TYPE_BF16, "softmax_bf16_t"),
    BACKWARD("softmax_backward_f32", TYPE_FP32, "float"),
    BACKWARD("softmax_backward_bf16", TYPE_BF16, "softmax_bf16_t"),
};

const struct op_family_table op_family_softmax = {ops,
                                                  sizeof ops / sizeof *ops};
