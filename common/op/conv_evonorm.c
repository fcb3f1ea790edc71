// SPDX-License-Identifier: MIT
/*
 * conv_evonorm.c: a depthwise convolution with EvoNorm-B0 behind it, as a row
 * of the operator table; conv_evonorm.h holds the formula and the tolerance.
 *
 *   op_family_conv_evonorm    conv_evonorm_b0
 *
 * The hard idea: the tolerance is an absolute error that is derived for each
 * cell, so a cell counts as one term whose magnitude is that error (sigmoid.h).
 */
#include "op/op.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "op/conv_evonorm.h"
#include "op/sigmoid.h"

enum { B, C, S, K };
enum { BUF_X, BUF_W, BUF_GAMMA, BUF_BETA, BUF_V, BUF_MOVING, BUF_Y };

/* Ones, odd, around warps, more taps than positions, and a long plane. */
static const struct op_shape awkward[] = {
    {.dim = {1, 1, 1, 1}},   {.dim = {1, 1, 37, 3}},  {.dim = {5, 1, 1, 4}},
    {.dim = {2, 3, 4, 1}},   {.dim = {3, 2, 31, 9}},  {.dim = {4, 5, 49, 7}},
    {.dim = {2, 7, 64, 64}}, {.dim = {1, 33, 128, 5}}, {.dim = {2, 2, 257, 2}},
    {.dim = {33, 2, 5, 11}}, {.dim = {1, 1, 5003, 9}},
    {.dim = {2, 4, 100, 1}},
};

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE, OP_WIDE,
                                          OP_SPECIAL};

static const char *shape_error(const struct op_shape *shape)
{
    const int *d = shape->dim;

    if (d[B] < 1 || d[C] < 1 || d[S] < 1 || d[K] < 1)
        return "every extent must be at least 1";
    if (d[S] > CONV_EVONORM_MOST || d[K] > CONV_EVONORM_MOST ||
        2 * (d[S] + d[K]) > CONV_EVONORM_MOST)
        return "2 (S + K) must be at most 12000: a plane stays on chip";
    return d[C] <= INT_MAX / d[B] && d[S] <= INT_MAX / (d[B] * d[C])
               ? NULL
               : "B*C*S must be below 2^31";
}

/* Planes have means of their own, as in evonorm.c; some positive ones are far
 * from 0, which breaks a variance from the mean of squares where K is 1 (with
 * more taps the first positions differ too much from the others). Taps and
 * parameters are always plain. */
static double x_value(const struct op_problem *problem, uint64_t seed,
                      size_t cell)
{
    size_t plane = cell / (size_t)problem->shape.dim[S];
    double plain = fill_value(problem->family, TYPE_FP32, seed, cell);

    if (problem->family == OP_SIGNED)
        return plain + fill_value(OP_SIGNED, TYPE_FP32, ~seed, plane);
    return problem->family == OP_POSITIVE && fill_seed(seed + plane, 0) % 2
               ? 1000 + plain
               : plain;
}

static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    uint64_t seed = fill_seed(problem->seed, buffer);
    double plain;

    if (buffer == BUF_X)
        return x_value(problem, seed, cell);
    plain = fill_value(OP_SIGNED, TYPE_FP32, seed, cell);
    return buffer == BUF_MOVING ? fabs(plain) : plain;
}

/* A plane of z, and what it may be off by. */
struct plane {
    double *z, *error;
    double root;       /* sqrt(variance + eps) */
    double root_error;
};

/* c(n) of op.h. */
static double care(double n)
{
    return n <= 64 ? n + 2 : 10 + 2 * log2(n);
}

static void convolve(struct plane *p, const float *x, const float *w,
                     const int *d)
{
    for (int s = 0; s < d[S]; s++) {
        double size = 0;

        p->z[s] = 0;
        for (int k = 0; k <= s && k < d[K]; k++) {
            double term = (double)w[k] * x[s - k];

            p->z[s] += term;
            size += fabs(term);
        }
        p->error[s] = (d[K] + 2) * sigmoid_u * size;
    }
}

static void find_root(struct plane *p, int positions)
{
    double n = positions, mean = 0, variance = 0, moved = 0, k;

    for (int s = 0; s < positions; s++)
        mean += p->z[s] / n;
    for (int s = 0; s < positions; s++) {
        variance += (p->z[s] - mean) * (p->z[s] - mean) / n;
        moved += p->error[s] * p->error[s] / n;
    }
    p->root = sqrt(variance + (double)EVONORM_EPS);
    k = 1 + fabs(mean) * sqrt(variance) / (p->root * p->root);
    p->root_error = (1 + k) * care(n) * sigmoid_u * p->root + sqrt(moved);
}

static struct op_cell cell_of(const struct plane *p, int s, double gamma,
                              double beta, double v, double moving)
{
    double z = p->z[s], batch = sqrt(moving + (double)EVONORM_EPS);
    double other = v * z + p->root, d, least, quotient, error;
    double off = fabs(v) * p->error[s] + p->root_error +
                 sigmoid_u * (2 * fabs(v * z) + fabs(other));

    if (isnan(other))
        return sigmoid_cell(NAN, 0.0);
    d = other > batch ? other : batch;
    off = fmax(off, 3 * sigmoid_u * batch);
    least = fmax(batch * (1 - 3 * sigmoid_u), d - off);
    quotient = gamma * z / d;
    error = (fabs(gamma) * p->error[s] + fabs(quotient) * off) / least +
            sigmoid_u * (7 * fabs(quotient) + fabs(beta) +
                         fabs(quotient + beta));
    return sigmoid_cell(quotient + beta, isfinite(quotient) ? error : 0.0);
}

static void reference(const struct op *op, const struct op_problem *problem,
                      int buffer, const void *const *arrays, size_t first,
                      size_t n, struct op_cell *cells)
{
    const int *d = problem->shape.dim;
    const float *x = arrays[BUF_X], *w = arrays[BUF_W];
    const float *gamma = arrays[BUF_GAMMA], *beta = arrays[BUF_BETA];
    const float *v = arrays[BUF_V], *moving = arrays[BUF_MOVING];
    size_t positions = (size_t)d[S];
    struct plane p = {calloc(positions, sizeof *p.z),
                      calloc(positions, sizeof *p.error), 0, 0};

    (void)op, (void)buffer;
    if (!p.z || !p.error)
        abort();
    for (size_t i = 0; i < n; i++) {
        size_t plane = (first + i) / positions, c = plane % (size_t)d[C];

        if (i == 0 || (first + i) % positions == 0) {
            convolve(&p, x + plane * positions, w + c * (size_t)d[K], d);
            find_root(&p, d[S]);
        }
        cells[i] = cell_of(&p, (int)((first + i) % positions), gamma[c],
                           beta[c], v[c], moving[c]);
    }
    free(p.z);
    free(p.error);
}

/* A product and a sum per tap; ten for the norm, as evonorm.c has it. */
static double flops(const struct op_shape *shape)
{
    const int *d = shape->dim;

    return (2.0 * d[K] + 10) * d[B] * d[C] * d[S];
}

static struct conv_evonorm_shape shape_of(const struct op_shape *shape)
{
    const int *d = shape->dim;

    return (struct conv_evonorm_shape){d[B], d[C], d[S], d[K]};
}

static size_t query(void *symbol, const struct op_shape *shape)
{
    size_t (*workspace)(struct conv_evonorm_shape);

    memcpy(&workspace, &symbol, sizeof workspace);
    return workspace(shape_of(shape));
}

static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*norm)(const void *, const void *, const void *, const void *,
                        const void *, const void *, void *,
                        struct conv_evonorm_shape, void *, cudaStream_t);

    memcpy(&norm, &symbol, sizeof norm);
    return norm(buffers[BUF_X], buffers[BUF_W], buffers[BUF_GAMMA],
                buffers[BUF_BETA], buffers[BUF_V], buffers[BUF_MOVING],
                buffers[BUF_Y], shape_of(&problem->shape), workspace, stream);
}

#define BATCH(name, role)                                                      \
    {name, role, 3, {"b", "c", "s"}, {B, C, S}, TYPE_FP32, false}
#define CHANNEL(name) {name, OP_INPUT, 1, {"c"}, {C}, TYPE_FP32, false}

static const struct op op = {
    .name = "conv_evonorm_b0",
    .launcher = "conv_evonorm_b0",
    .workspace = "conv_evonorm_b0_workspace",
    .signature = "cudaError_t conv_evonorm_b0(const float *x, const float *w, "
                 "const float *gamma, const float *beta, const float *v, "
                 "const float *moving, float *y, struct conv_evonorm_shape "
                 "shape, void *workspace, cudaStream_t stream)",
    .n_dims = 4,
    .dim_names = {"B", "C", "S", "K"},
    .n_buffers = 7,
    .buffers = {BATCH("x", OP_INPUT),
                {"w", OP_INPUT, 2, {"c", "k"}, {C, K}, TYPE_FP32, false},
                CHANNEL("gamma"), CHANNEL("beta"), CHANNEL("v"),
                CHANNEL("moving"), BATCH("y", OP_OUTPUT)},
    .precision = {.sum = OP_SUM_FP32, .serial = true},
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

const struct op_family_table op_family_conv_evonorm = {&op, 1};
