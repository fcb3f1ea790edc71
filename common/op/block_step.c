// SPDX-License-Identifier: MIT
/*
 * block_step.c: its row of the operator table; the header holds the formulas
 * and the tolerance.
 *
 *   op_family_block_step
 */
#include "op/block_step.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "op/op.h"
#include "op/sigmoid.h"

enum { T, B, H, L, K };
enum { BUF_N, BUF_W, BUF_BIAS, BUF_DY, BUF_DW, BUF_DBIAS };

static const double u = 0x1p-24;

static const struct op_shape awkward[] = {
    {.dim = {1, 1, 1, 1, 1}}, {.dim = {3, 2, 5, 7, 3}},
    {.dim = {2, 3, 1, 33, 5}}, {.dim = {1, 1, 3, 5, 9}},
    {.dim = {5, 1, 2, 17, 17}},
};

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE};

static const char *shape_error(const struct op_shape *shape)
{
    const int *d = shape->dim;
    double cells = (double)d[T] * d[B] * d[H] * d[L];

    if (d[T] < 1 || d[B] < 1 || d[H] < 1 || d[L] < 1 || d[K] < 1)
        return "every extent must be at least 1";
    return cells <= INT_MAX && (double)d[H] * d[K] <= INT_MAX
               ? NULL
               : "T*B*H*L and H*K must be below 2^31";
}

static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    return fill_value(problem->family, TYPE_FP32,
                      fill_seed(problem->seed, buffer), cell);
}

/* c of op.h's tolerance, for n terms that a kernel sums with care. */
static double care(double n)
{
    return n <= 64 ? n + 2 : 10 + 2 * log2(n);
}

/* dz at row (i, b, h) and step t, and what it may be off by. */
struct off {
    double value, error;
};

static struct off dz_of(const void *const *arrays, const int *d, size_t row,
                        int t)
{
    size_t h = row % (size_t)d[H];
    const float *n = (const float *)arrays[BUF_N] + row * d[L];
    const float *w = (const float *)arrays[BUF_W] + h * d[K];
    double dy = ((const float *)arrays[BUF_DY])[row * d[L] + t];
    double a = ((const float *)arrays[BUF_BIAS])[h], size = 0, s, slope, off;

    for (int k = 0; k < d[K] && k <= t; k++) {
        a += (double)w[k] * n[t - k];
        size += fabs((double)w[k] * n[t - k]);
    }
    s = sigmoid_value(a);
    slope = s * (1 + a * sigmoid_value(-a));
    off = sigmoid_error(a) * (1 + fabs(a)) +
          4 * u * (s + fabs(a * s * (1 - s))) +
          0.5 * u * (fabs(a) + care(d[K]) * size);
    return (struct off){dy * slope, fabs(dy) * (off + u * fabs(slope))};
}

/* With c at least 3, error / (3 u) counts a term's own error once at least. */
static void add(struct op_cell *sum, double value, double error)
{
    sum->value += value;
    sum->magnitude += fabs(value) + error / (3 * u);
    sum->terms++;
}

/* Tap k, or the bias if k < 0. */
static struct op_cell sum_of(const void *const *arrays, const int *d, int h,
                             int k)
{
    struct op_cell sum = {0, 0, 0};

    for (int ib = 0; ib < d[T] * d[B]; ib++) {
        size_t row = (size_t)ib * d[H] + h;
        const float *n = (const float *)arrays[BUF_N] + row * d[L];

        for (int t = k < 0 ? 0 : k; t < d[L]; t++) {
            struct off dz = dz_of(arrays, d, row, t);
            double x = k < 0 ? 1 : n[t - k];

            add(&sum, dz.value * x, dz.error * fabs(x));
        }
    }
    return sum;
}

static void reference(const struct op *op, const struct op_problem *problem,
                      int buffer, const void *const *arrays, size_t first,
                      size_t n, struct op_cell *cells)
{
    const int *d = problem->shape.dim;

    (void)op;
    for (size_t i = 0; i < n; i++) {
        int cell = (int)(first + i);

        cells[i] = buffer == BUF_DBIAS
                       ? sum_of(arrays, d, cell, -1)
                       : sum_of(arrays, d, cell / d[K], cell % d[K]);
    }
}

static double flops(const struct op_shape *shape)
{
    const int *d = shape->dim;

    return (4.0 * d[K] + 10) * d[T] * d[B] * d[H] * d[L];
}

static struct block_step_shape shape_of(const struct op_shape *shape)
{
    const int *d = shape->dim;

    return (struct block_step_shape){d[T], d[B], d[H], d[L], d[K]};
}

static size_t query(void *symbol, const struct op_shape *shape)
{
    size_t (*workspace)(struct block_step_shape);

    memcpy(&workspace, &symbol, sizeof workspace);
    return workspace(shape_of(shape));
}

static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*run)(const float *, const float *, const float *,
                       const float *, float *, float *,
                       struct block_step_shape, void *, cudaStream_t);

    memcpy(&run, &symbol, sizeof run);
    return run(buffers[BUF_N], buffers[BUF_W], buffers[BUF_BIAS],
               buffers[BUF_DY], buffers[BUF_DW], buffers[BUF_DBIAS],
               shape_of(&problem->shape), workspace, stream);
}

#define CELLS(name, role)                                                     \
    {name, role, 4, {"i", "b", "h", "t"}, {T, B, H, L}, TYPE_FP32, false}
#define TAPS(name, role) {name, role, 2, {"h", "k"}, {H, K}, TYPE_FP32, false}
#define CHANNELS(name, role) {name, role, 1, {"h"}, {H}, TYPE_FP32, false}

static const struct op op = {
    .name = "block_step",
    .launcher = "block_step",
    .workspace = "block_step_workspace",
    .signature = "cudaError_t block_step(const float *n, const float *w, const "
                 "float *bias, const float *dy, float *dw, float *dbias, "
                 "struct block_step_shape shape, void *workspace, "
                 "cudaStream_t stream)",
    .n_dims = 5,
    .dim_names = {"T", "B", "H", "L", "K"},
    .n_buffers = 6,
    .buffers = {CELLS("n", OP_INPUT), TAPS("w", OP_INPUT),
                CHANNELS("bias", OP_INPUT), CELLS("dy", OP_INPUT),
                TAPS("dw", OP_OUTPUT), CHANNELS("dbias", OP_OUTPUT)},
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

const struct op_family_table op_family_block_step = {&op, 1};
