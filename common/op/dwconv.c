// SPDX-License-Identifier: MIT
/*
 * dwconv.c: the three paths of causal depthwise convolution, as rows of the
 * operator table; dwconv.h holds the formulas.
 *
 *   op_family_dwconv    dwconv_forward, dwconv_input_grad, dwconv_weight_grad
 *
 * Impulses: in every channel one of the two inputs holds ones at ends and tile
 * edges and the other dense integers, so that the output shows each impulse's
 * whole response; which of the two changes from channel to channel.
 */
#include "op/op.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "op/dwconv.h"
#include "op/fill.h"

enum { B, H, L, K };

/* B H L K: ones, K beyond L, primes, around a warp, and tile edges. */
static const struct op_shape awkward[] = {
    {{1, 1, 1, 1}},     {{1, 1, 1, 5}},    {{2, 3, 1, 1}},
    {{3, 5, 37, 11}},   {{1, 1, 31, 31}},  {{2, 3, 32, 33}},
    {{3, 2, 33, 32}},   {{1, 3, 127, 64}}, {{2, 1, 129, 48}},
    {{5, 7, 48, 48}},   {{1, 7, 128, 3}},  {{2, 5, 131, 131}},
    {{3, 4, 8, 100}},   {{33, 1, 17, 4}},  {{1, 129, 9, 2}},
    {{2, 3, 257, 65}},  {{7, 3, 64, 1}},   {{65, 2, 5, 7}},
    {{2, 130, 48, 4}},  {{4, 31, 96, 17}}, {{3, 5, 47, 7}},
    {{66, 1000, 1, 2}}, /* more rows than grid.y and grid.z can count */
};

static const char *shape_error(const struct op_shape *shape)
{
    const int *d = shape->dim;

    if (d[B] < 1 || d[H] < 1 || d[L] < 1 || d[K] < 1)
        return "every extent must be at least 1";
    /* In steps, so that no product can overflow. */
    if (d[B] > INT_MAX / d[H] || d[B] * d[H] > INT_MAX / d[L])
        return "B*H*L must be below 2^31";
    if (d[H] > INT_MAX / d[K])
        return "H*K must be below 2^31";
    return NULL;
}

static struct dwconv_shape shape_of(const struct op_shape *shape)
{
    const int *d = shape->dim;

    return (struct dwconv_shape){d[B], d[H], d[L], d[K]};
}

/* A row's channel is the last but one index of both inputs: (B, H, L) and
 * (H, K). */
static void fill_rows(int buffer, enum op_family family, uint64_t seed,
                      size_t rows, const struct dwconv_shape *s, size_t width,
                      float *values)
{
    uint64_t own = fill_seed(seed, buffer);

    if (family != OP_IMPULSE) {
        fill_values(family, own, values, rows * width);
        return;
    }
    for (size_t row = 0; row < rows; row++) {
        uint64_t h = row % (size_t)s->H;
        bool impulses = ((h + seed + (uint64_t)buffer) & 1) == 0;
        float *at = values + row * width;
        if (impulses)
            fill_impulses(own + row, at, width);
        else
            fill_dense(own + row, at, width);
    }
}

/* Inputs of forward and input_grad: (B, H, L), then (H, K). */
static void fill_sequence_weights(int buffer, enum op_family family,
                                  uint64_t seed, const struct op_shape *shape,
                                  float *values)
{
    struct dwconv_shape s = shape_of(shape);

    if (buffer == 0)
        fill_rows(buffer, family, seed, (size_t)s.B * (size_t)s.H, &s,
                  (size_t)s.L, values);
    else
        fill_rows(buffer, family, seed, (size_t)s.H, &s, (size_t)s.K, values);
}

/* Inputs of weight_grad: both (B, H, L). */
static void fill_sequences(int buffer, enum op_family family, uint64_t seed,
                           const struct op_shape *shape, float *values)
{
    struct dwconv_shape s = shape_of(shape);

    fill_rows(buffer, family, seed, (size_t)s.B * (size_t)s.H, &s, (size_t)s.L,
              values);
}

static void add_term(struct op_cell *cell, float p, float q)
{
    double term = (double)p * q; /* exact: 24 bits by 24 */

    cell->value += term;
    cell->magnitude += fabs(term);
    cell->terms++;
}

static void reference_forward(int buffer, const struct op_shape *shape,
                              const float *const *inputs, size_t first,
                              size_t n, struct op_cell *cells)
{
    struct dwconv_shape s = shape_of(shape);

    (void)buffer;
    for (size_t i = 0; i < n; i++) {
        size_t row = (first + i) / (size_t)s.L; /* b * H + h */
        int t = (int)((first + i) % (size_t)s.L);
        const float *x = inputs[0] + row * (size_t)s.L;
        const float *w = inputs[1] + row % (size_t)s.H * (size_t)s.K;
        cells[i] = (struct op_cell){0};
        for (int k = 0; k < s.K && k <= t; k++)
            add_term(&cells[i], w[k], x[t - k]);
    }
}

static void reference_input_grad(int buffer, const struct op_shape *shape,
                                 const float *const *inputs, size_t first,
                                 size_t n, struct op_cell *cells)
{
    struct dwconv_shape s = shape_of(shape);

    (void)buffer;
    for (size_t i = 0; i < n; i++) {
        size_t row = (first + i) / (size_t)s.L; /* b * H + h */
        int t = (int)((first + i) % (size_t)s.L);
        const float *dy = inputs[0] + row * (size_t)s.L;
        const float *w = inputs[1] + row % (size_t)s.H * (size_t)s.K;
        cells[i] = (struct op_cell){0};
        for (int k = 0; k < s.K && k < s.L - t; k++)
            add_term(&cells[i], w[k], dy[t + k]);
    }
}

static void reference_weight_grad(int buffer, const struct op_shape *shape,
                                  const float *const *inputs, size_t first,
                                  size_t n, struct op_cell *cells)
{
    struct dwconv_shape s = shape_of(shape);

    (void)buffer;
    for (size_t i = 0; i < n; i++) {
        size_t h = (first + i) / (size_t)s.K;
        int k = (int)((first + i) % (size_t)s.K);
        cells[i] = (struct op_cell){0};
        for (size_t b = 0; b < (size_t)s.B; b++) {
            size_t row = (b * (size_t)s.H + h) * (size_t)s.L;
            const float *dy = inputs[0] + row, *x = inputs[1] + row;
            for (int t = k; t < s.L; t++)
                add_term(&cells[i], dy[t], x[t - k]);
        }
    }
}

/* Every path reads two of (B,H,L), (B,H,L), (H,K) and writes the third. */
static double bytes(const struct op_shape *shape)
{
    struct dwconv_shape s = shape_of(shape);

    return sizeof(float) *
           (2.0 * s.B * s.H * s.L + (double)s.H * s.K);
}

/* A multiply and an add a pair (t, k) with k <= t: the causal triangle. */
static double flops(const struct op_shape *shape)
{
    struct dwconv_shape s = shape_of(shape);
    double taps = s.K < s.L ? s.K : s.L;
    double pairs = taps * s.L - taps * (taps - 1) / 2;

    return 2.0 * s.B * s.H * pairs;
}

static size_t query(void *symbol, const struct op_shape *shape)
{
    size_t (*workspace)(struct dwconv_shape);

    memcpy(&workspace, &symbol, sizeof workspace);
    return workspace(shape_of(shape));
}

/* All three launchers have one form: two arrays in, one out. */
static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_shape *shape, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*path)(const float *, const float *, float *,
                        struct dwconv_shape, void *, cudaStream_t);

    memcpy(&path, &symbol, sizeof path);
    return path(buffers[0], buffers[1], buffers[2], shape_of(shape), workspace,
                stream);
}

#define SEQUENCE(name, role) {name, role, 3, {"b", "h", "t"}, {B, H, L}}
#define WEIGHTS(name, role)  {name, role, 2, {"h", "k"}, {H, K}}
#define COMMON                                                                 \
    .n_dims = 4, .dim_names = {"B", "H", "L", "K"}, .n_buffers = 3,            \
    .shape_error = shape_error, .awkward = awkward,                            \
    .n_awkward = sizeof awkward / sizeof *awkward, .bytes = bytes,             \
    .flops = flops, .query = query, .launch = launch

static const struct op ops[] = {
    {
        .name = "dwconv_forward",
        .launcher = "dwconv_forward",
        .workspace = "dwconv_forward_workspace",
        .signature = "cudaError_t dwconv_forward(const float *x, const float "
                     "*w, float *y, struct dwconv_shape shape, void "
                     "*workspace, cudaStream_t stream)",
        .buffers = {SEQUENCE("x", OP_INPUT), WEIGHTS("w", OP_INPUT),
                    SEQUENCE("y", OP_OUTPUT)},
        .fill = fill_sequence_weights,
        .reference = reference_forward,
        COMMON,
    },
    {
        .name = "dwconv_input_grad",
        .launcher = "dwconv_input_grad",
        .workspace = "dwconv_input_grad_workspace",
        .signature = "cudaError_t dwconv_input_grad(const float *dy, const "
                     "float *w, float *dx, struct dwconv_shape shape, void "
                     "*workspace, cudaStream_t stream)",
        .buffers = {SEQUENCE("dy", OP_INPUT), WEIGHTS("w", OP_INPUT),
                    SEQUENCE("dx", OP_OUTPUT)},
        .fill = fill_sequence_weights,
        .reference = reference_input_grad,
        COMMON,
    },
    {
        .name = "dwconv_weight_grad",
        .launcher = "dwconv_weight_grad",
        .workspace = "dwconv_weight_grad_workspace",
        .signature = "cudaError_t dwconv_weight_grad(const float *dy, const "
                     "float *x, float *dw, struct dwconv_shape shape, void "
                     "*workspace, cudaStream_t stream)",
        .buffers = {SEQUENCE("dy", OP_INPUT), SEQUENCE("x", OP_INPUT),
                    WEIGHTS("dw", OP_OUTPUT)},
        .fill = fill_sequences,
        .reference = reference_weight_grad,
        COMMON,
    },
};

const struct op_family_table op_family_dwconv = {
    ops, sizeof ops / sizeof *ops};
