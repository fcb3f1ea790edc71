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
    {.dim = {1, 1, 1, 1}}, {.dim = {1, 1, 1, 5}}, {.dim = {2, 3, 1, 1}},
    {.dim = {3, 5, 37, 11}}, {.dim = {1, 1, 31, 31}}, {.dim = {2, 3, 32, 33}},
    {.dim = {3, 2, 33, 32}}, {.dim = {1, 3, 127, 64}},
    {.dim = {2, 1, 129, 48}}, {.dim = {5, 7, 48, 48}}, {.dim = {1, 7, 128, 3}},
    {.dim = {2, 5, 131, 131}}, {.dim = {3, 4, 8, 100}},
    {.dim = {33, 1, 17, 4}}, {.dim = {1, 129, 9, 2}}, {.dim = {2, 3, 257, 65}},
    {.dim = {7, 3, 64, 1}}, {.dim = {65, 2, 5, 7}}, {.dim = {2, 130, 48, 4}},
    {.dim = {4, 31, 96, 17}}, {.dim = {3, 5, 47, 7}},
    {.dim = {65537, 1, 1, 2}}, /* more than grid.y and z can count */
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

/* Both inputs, (B, H, L) and (H, K), have the channel as their last index but
 * one. */
static double value(const struct op_problem *problem, int buffer, size_t width,
                    size_t cell)
{
    uint64_t own = fill_seed(problem->seed, buffer), row, h;

    if (problem->family != OP_IMPULSE)
        return fill_value(problem->family, TYPE_FP32, own, cell);
    row = cell / width;
    h = row % (uint64_t)problem->shape.dim[H];
    if (((h + problem->seed + (uint64_t)buffer) & 1) == 0)
        return fill_impulse(own + row, cell % width, width);
    return fill_dense(own + row, cell % width);
}

/* Inputs of forward and input_grad: (B, H, L), then (H, K). */
static double value_sequence_weights(const struct op_problem *problem,
                                     int buffer, size_t cell)
{
    int width = problem->shape.dim[buffer == 0 ? L : K];

    return value(problem, buffer, (size_t)width, cell);
}

/* Inputs of weight_grad: both (B, H, L). */
static double value_sequences(const struct op_problem *problem, int buffer,
                              size_t cell)
{
    return value(problem, buffer, (size_t)problem->shape.dim[L], cell);
}

static void add_term(struct op_cell *cell, float p, float q)
{
    double term = (double)p * q; /* exact: 24 bits by 24 */

    cell->value += term;
    cell->magnitude += fabs(term);
    cell->terms++;
}

/* Beginners' mistakes: a = where += is meant, or a bound of time that is off by
 * one. Kernels add up portions of taps or times, of 64 in the lessons, before
 * these join the sum. */
enum { LAST_PRODUCT = 1, LAST_OF_32, LAST_OF_64, LAST_OF_128, END_LEFT_OUT,
       LAST_ROW, ENDS_OF_ROWS, ENDS_OF_64, ENDS_OF_SLICES, LAST_CHUNK,
       AFTER_16_TILES,
       ROW_31, ROW_127, ODD_ROWS, PAIRS_OF_ROWS, EVEN_ROWS, THIRD_ROWS,
       FOURTH_ROWS, HALF_OF_128, FIRST_ROW };

static const int portion_of[] = {
    [LAST_OF_32] = 32, [LAST_OF_64] = 64, [LAST_OF_128] = 128,
    [LAST_ROW] = INT_MAX};

#define ASSIGNED "is = there for +=, or does the sum begin at 0 again in " \
                 "each round of the loop?"
#define LAST_PORTION                                                           \
    {"of each sum only the last portion of products counted",                  \
     "Where a portion joins the sum: " ASSIGNED}

#define BEGIN_LEFT_OUT                                                         \
    {"the products with x at t = 0 were left out",                             \
     "Is k < t there for k <= t? Tap t reaches x at t = 0."}
#define OF_SEQUENCE                                                            \
    [LAST_PRODUCT - 1] = {"of each sum only the last product counted",         \
                          "Where a product joins the sum: " ASSIGNED},         \
    [LAST_OF_32 - 1] = LAST_PORTION, [LAST_OF_64 - 1] = LAST_PORTION,          \
    [LAST_OF_128 - 1] = LAST_PORTION

static const struct op_mistake mistakes[] = {
    OF_SEQUENCE, [END_LEFT_OUT - 1] = BEGIN_LEFT_OUT};

static const struct op_mistake input_mistakes[] = {
    OF_SEQUENCE,
    [END_LEFT_OUT - 1] = {"the products with dy at t = L - 1 were left out",
                          "Is a bound of t + k too small by 1? The last time "
                          "is L - 1."},
};

/* The first tap whose product counts, of those that reach so far: 0, but for a
 * mistake. All cells have the same portions. */
static int first_of(const struct op_problem *problem, int reach)
{
    const int *d = problem->shape.dim;
    int taps = d[K] < d[L] ? d[K] : d[L];

    if (problem->mistake == 0 || problem->mistake == END_LEFT_OUT)
        return 0;
    if (problem->mistake == LAST_PRODUCT)
        return (d[K] < reach ? d[K] : reach) - 1;
    return (taps - 1) / portion_of[problem->mistake] *
           portion_of[problem->mistake];
}

/* How many times next to the end of x or dy are left out. */
static int left_out(const struct op_problem *problem)
{
    return problem->mistake == END_LEFT_OUT;
}

/* Of a weight's gradient, whose sums run over all rows of a channel. */
#define LAST_PRODUCTS                                                          \
    {"of each sum only the last products counted",                             \
     "Where a product, or a portion of them, joins the sum: " ASSIGNED}

#define SOME_ROWS                                                              \
    {"of each sum only the products of some rows counted",                     \
     "Where the sums of threads, of a warp's lanes or of a block's warps "     \
     "meet: is = there for +=? Do all of them meet: does the loop over steps " \
     "go on to its last, and the one over parts to as many as were stored?"}

static const struct op_mistake sum_mistakes[] = {
    [LAST_PRODUCT - 1] = LAST_PRODUCTS, [LAST_OF_32 - 1] = LAST_PRODUCTS,
    [LAST_OF_64 - 1] = LAST_PRODUCTS,   [LAST_OF_128 - 1] = LAST_PRODUCTS,
    [END_LEFT_OUT - 1] = BEGIN_LEFT_OUT,
    [LAST_ROW - 1] = LAST_PRODUCTS,     [ENDS_OF_ROWS - 1] = LAST_PRODUCTS,
    [ENDS_OF_64 - 1] = LAST_PRODUCTS,   [ENDS_OF_SLICES - 1] = LAST_PRODUCTS,
    [LAST_CHUNK - 1] = LAST_PRODUCTS,   [AFTER_16_TILES - 1] = LAST_PRODUCTS,
    [ROW_31 - 1] = SOME_ROWS,           [ROW_127 - 1] = SOME_ROWS,
    [ODD_ROWS - 1] = SOME_ROWS,         [PAIRS_OF_ROWS - 1] = SOME_ROWS,
    [EVEN_ROWS - 1] = SOME_ROWS,        [THIRD_ROWS - 1] = SOME_ROWS,
    [FOURTH_ROWS - 1] = SOME_ROWS,      [HALF_OF_128 - 1] = SOME_ROWS,
    [FIRST_ROW - 1] = SOME_ROWS,
};

/* Whether a product joins the sum where parts of it meet by =. In the lessons a
 * thread sums a slice of 16 batches and more, or a lane a row: of the 128 rows
 * of a block, by tiles of 48 times. Lanes, or threads, then give each other
 * half of what they have; a pair of lanes is left with three taps' sums. Or
 * parts do not meet at all, as where a loop over steps ends too early. */
static bool joins(const struct op_problem *problem, int b, int k, int t)
{
    enum { PORTION = 64, SLICE = 16, SLICES = 1024, ROWS = 128, TILE = 48,
           LANES = 32, OWN = 3 };
    const int *d = problem->shape.dim;
    int slices = (d[B] - 1) / SLICE + 1, lane = LANES - 2 - k % TILE / OWN * 2;
    int first = k / TILE * TILE, tile = (t - k) / TILE;
    int tiles = (d[L] - first - 1) / TILE; /* of x, but one */

    switch (problem->mistake) {
    case ENDS_OF_64:
        return t % PORTION == PORTION - 1 || t == d[L] - 1;
    case ENDS_OF_SLICES:
        return b >= d[B] - (slices < SLICES ? slices : SLICES) &&
               t >= (d[L] - 1) / PORTION * PORTION;
    case LAST_CHUNK: /* by the times of x */
        return b >= (d[B] - 1) / ROWS * ROWS &&
               tile >= tiles;
    case AFTER_16_TILES: /* two of dy for each of x, but one for the last */
        return 2 * tile + ((t - first) / TILE != tile) >=
               (2 * tiles + 1) / SLICE * SLICE;
    case ROW_31:
        return b % LANES == LANES - 1;
    case ROW_127:
        return b % ROWS == ROWS - 1;
    case ODD_ROWS:
        return b % 2 == 1;
    case PAIRS_OF_ROWS:
        return b % LANES / 2 == lane / 2;
    case EVEN_ROWS: /* the rows of a block's first thread, or row of threads */
        return b % 2 == 0;
    case THIRD_ROWS:
        return b % 3 == 0;
    case FOURTH_ROWS:
        return b % 4 == 0;
    case HALF_OF_128:
        return b % ROWS < ROWS / 2;
    case FIRST_ROW:
        return b == 0;
    default:
        return true;
    }
}

/* The first time of row b whose product counts; L: none does. */
static int first_time(const struct op_problem *problem, size_t b)
{
    const int *d = problem->shape.dim;
    int portion;

    if (problem->mistake == 0 || problem->mistake == END_LEFT_OUT ||
        problem->mistake >= ENDS_OF_64)
        return 0;
    if (problem->mistake == ENDS_OF_ROWS)
        return d[L] - 1;
    portion = portion_of[problem->mistake];
    if (b + 1 < (size_t)d[B])
        return d[L];
    return problem->mistake == LAST_PRODUCT
               ? d[L] - 1
               : (d[L] - 1) / portion * portion;
}

static void reference_forward(const struct op *op,
                              const struct op_problem *problem, int buffer,
                              const void *const *arrays, size_t first,
                              size_t n, struct op_cell *cells)
{
    struct dwconv_shape s = shape_of(&problem->shape);
    int left = left_out(problem);

    (void)op, (void)buffer;
    for (size_t i = 0; i < n; i++) {
        size_t row = (first + i) / (size_t)s.L; /* b * H + h */
        int t = (int)((first + i) % (size_t)s.L);
        const float *x = (const float *)arrays[0] + row * (size_t)s.L;
        const float *w = arrays[1];

        w += row % (size_t)s.H * (size_t)s.K;
        cells[i] = (struct op_cell){0};
        for (int k = first_of(problem, t + 1); k < s.K && k + left <= t;
             k++)
            add_term(&cells[i], w[k], x[t - k]);
    }
}

/* Where the last time alone is in the next tile, it is missed too by whoever
 * drops what lies beyond a tile: nobody can say which it is. */
static bool ends_in_tile(const struct op_problem *problem)
{
    enum { LEAST_TILE = 32 };

    return left_out(problem) && problem->shape.dim[L] % LEAST_TILE == 1;
}

static void reference_input_grad(const struct op *op,
                                 const struct op_problem *problem, int buffer,
                                 const void *const *arrays, size_t first,
                                 size_t n, struct op_cell *cells)
{
    struct dwconv_shape s = shape_of(&problem->shape);
    int left = left_out(problem);

    (void)op, (void)buffer;
    for (size_t i = 0; i < n; i++) {
        size_t row = (first + i) / (size_t)s.L; /* b * H + h */
        int t = (int)((first + i) % (size_t)s.L);
        const float *dy = (const float *)arrays[0] + row * (size_t)s.L;
        const float *w = arrays[1];

        w += row % (size_t)s.H * (size_t)s.K;
        cells[i] = (struct op_cell){0};
        for (int k = first_of(problem, s.L - t); k < s.K && k + left < s.L - t;
             k++)
            add_term(&cells[i], w[k], dy[t + k]);
        if (ends_in_tile(problem))
            cells[i].magnitude = INFINITY;
    }
}

static void reference_weight_grad(const struct op *op,
                                  const struct op_problem *problem, int buffer,
                                  const void *const *arrays, size_t first,
                                  size_t n, struct op_cell *cells)
{
    struct dwconv_shape s = shape_of(&problem->shape);
    int left = left_out(problem);

    (void)op, (void)buffer;
    for (size_t i = 0; i < n; i++) {
        size_t h = (first + i) / (size_t)s.K;
        int k = (int)((first + i) % (size_t)s.K);
        cells[i] = (struct op_cell){0};
        for (size_t b = 0; b < (size_t)s.B; b++) {
            size_t row = (b * (size_t)s.H + h) * (size_t)s.L;
            const float *dy = (const float *)arrays[0] + row;
            const float *x = (const float *)arrays[1] + row;
            int t = first_time(problem, b);

            for (t = t > k + left ? t : k + left; t < s.L; t++)
                if (joins(problem, (int)b, k, t))
                    add_term(&cells[i], dy[t], x[t - k]);
        }
    }
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
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*path)(const float *, const float *, float *,
                        struct dwconv_shape, void *, cudaStream_t);

    memcpy(&path, &symbol, sizeof path);
    return path(buffers[0], buffers[1], buffers[2], shape_of(&problem->shape),
                workspace, stream);
}

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE, OP_INTEGER,
                                          OP_IMPULSE};

#define SEQUENCE(name, role)                                                   \
    {name, role, 3, {"b", "h", "t"}, {B, H, L}, TYPE_FP32, false}
#define WEIGHTS(name, role)                                                    \
    {name, role, 2, {"h", "k"}, {H, K}, TYPE_FP32, false}
#define COMMON                                                                 \
    .n_dims = 4, .dim_names = {"B", "H", "L", "K"}, .n_buffers = 3,            \
    .precision = {.sum = OP_SUM_FP32},                                         \
    .shape_error = shape_error, .awkward = awkward,                            \
    .n_awkward = sizeof awkward / sizeof *awkward, .families = families,       \
    .n_families = sizeof families / sizeof *families, .bytes = op_bytes_once,  \
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
        .value = value_sequence_weights,
        .mistakes = mistakes,
        .n_mistakes = sizeof mistakes / sizeof *mistakes,
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
        .value = value_sequence_weights,
        .mistakes = input_mistakes,
        .n_mistakes = sizeof input_mistakes / sizeof *input_mistakes,
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
        .value = value_sequences,
        .mistakes = sum_mistakes,
        .n_mistakes = sizeof sum_mistakes / sizeof *sum_mistakes,
        .reference = reference_weight_grad,
        COMMON,
    },
};

const struct op_family_table op_family_dwconv = {
    ops, sizeof ops / sizeof *ops};
