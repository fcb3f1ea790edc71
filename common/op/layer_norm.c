// SPDX-License-Identifier: MIT
/*
 * layer_norm.c: layer normalisation and its gradient as rows of the operator
 * table; layer_norm.h holds the formulas and the tolerance.
 *
 *   op_family_layer_norm    layer_norm_f32, _bf16, layer_norm_backward_f32,
 *                           _bf16
 *
 * Rows of one problem differ in kind, which a hash of the row decides: constant
 * ones, far from 0 (which breaks a variance from the mean of squares), or with
 * a variance of the size of eps.
 */
#include "op/op.h"

#include <limits.h>
#include <math.h>

#include "op/fill.h"
#include "op/layer_norm.h"
#include "op/row_slip.h"

enum { R, C };
enum { BUF_X, BUF_GAMMA, BUF_BETA, BUF_Y };
enum { BACK_X, BACK_DY, BACK_GAMMA, BACK_DX, BACK_DGAMMA, BACK_DBETA };
enum { EPS };

enum { EPS_OUTSIDE = 1, UNBIASED, NOT_DIVIDED, NO_ROOT, UNCENTRED,
       NOT_MOVED, MEAN_OF_LESS, MEAN_A_SUM, SUM_SLIP,
       SQUARES_SLIP = SUM_SLIP + ROW_SLIP_N,
       TIMES_ROOT = SQUARES_SLIP + ROW_SLIP_SIZES, EPS_BESIDE_SCALE };

static const struct op_mistake mistakes[] = {
    [EPS_OUTSIDE - 1] =
        {"eps were added to the root of the variance, not to the variance",
         "What stands under the root? It is variance + eps."},
    [UNBIASED - 1] =
        {"the variance were divided by C - 1",
         "By what is the sum of squares divided? Here it is C, the number of "
         "columns."},
    [NOT_DIVIDED - 1] =
        {"the sum of squares were not divided by C",
         "Is the sum of squares made a mean before eps is added?"},
    [NO_ROOT - 1] =
        {"the root were left out: 1 / (variance + eps)",
         "Is it the deviation that you divide by, or the variance?"},
    [UNCENTRED - 1] =
        {"the variance were the mean of x squared, with no mean subtracted",
         "Are the squares those of x - mean, and is the mean that of all "
         "columns by then?"},
    [NOT_MOVED - 1] =
        {"the mean were not subtracted from x",
         "What is it that the result multiplies by the scale? It is x - mean, "
         "as in the variance."},
    [MEAN_OF_LESS - 1] =
        {"the mean were the sum divided by C - 1",
         "By what is the sum divided? Here it is C, the number of columns."},
    [MEAN_A_SUM - 1] =
        {"the mean were the sum, not divided by C",
         "By what is the sum divided? Here it is C, the number of columns."},
    ROW_SLIPS(SUM_SLIP),
    ROW_SLIP_FOR_SIZES(SQUARES_SLIP - 1, ROW_SLIP_WORDS(
        "each thread kept only the last of its squares for the sum",
        "Where a square joins a thread's sum: is = there for +=?")),
    [TIMES_ROOT - 1] =
        {"x - mean were multiplied by the root, and not divided by it",
         "The scale is 1 / sqrt(variance + eps): rsqrtf, and not sqrtf."},
    [EPS_BESIDE_SCALE - 1] =
        {"eps were added to 1 / the root, not to the variance",
         "What stands under the root? It is variance + eps."},
};

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

static double x_value(const struct op_problem *problem, uint64_t seed,
                      size_t cell)
{
    size_t cols = (size_t)problem->shape.dim[C], row = cell / cols;
    double plain = fill_value(OP_SIGNED, TYPE_FP32, seed, cell);

    if (problem->family != OP_POSITIVE)
        return fill_value(problem->family, TYPE_FP32, seed, cell);
    switch (fill_seed(seed + row, 0) % 5) {
    case 0:
        return 3 * fill_value(OP_SIGNED, TYPE_FP32, seed, row);
    case 1:
        return 10000 + plain;
    case 2:
        return plain * 0x1p-9; /* a variance of a millionth */
    case 3: /* the first is far from the others */
        return cell % cols == 0 ? 1000 : plain;
    default:
        return fabs(plain);
    }
}

static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    uint64_t seed = fill_seed(problem->seed, buffer);

    return buffer == BUF_X ? x_value(problem, seed, cell)
                           : fill_value(OP_SIGNED, TYPE_FP32, seed, cell);
}

/* No infinite gradient: what it makes of a row depends on the order of
 * terms. */
static double backward_value(const struct op_problem *problem, int buffer,
                             size_t cell)
{
    uint64_t seed = fill_seed(problem->seed, buffer);
    double v;

    if (buffer == BACK_X)
        return x_value(problem, seed, cell);
    if (buffer == BACK_GAMMA)
        return fill_value(OP_SIGNED, TYPE_FP32, seed, cell);
    v = fill_value(problem->family, TYPE_BF16, seed, cell);
    return isinf(v) ? 1 : v;
}

/* What the cells of a row have in common. */
struct row {
    double mean, size; /* of x and |x| */
    double scale;      /* 1 / sqrt(variance + eps) */
    double k;          /* how well the variance is conditioned */
};

/* 1 / sqrt(variance + eps), or what a mistake makes of it. */
static double scale_of(double variance, double n, double eps, int mistake)
{
    switch (mistake) {
    case EPS_OUTSIDE:
        return 1 / (sqrt(variance) + eps);
    case UNBIASED:
        return 1 / sqrt(variance * n / (n - 1) + eps);
    case NOT_DIVIDED:
        return 1 / sqrt(variance * n + eps);
    case NO_ROOT:
        return 1 / (variance + eps);
    case TIMES_ROOT:
        return sqrt(variance + eps);
    case EPS_BESIDE_SCALE:
        return 1 / sqrt(variance) + eps;
    default:
        return 1 / sqrt(variance + eps);
    }
}

/* Both of a row's sums are made by the same function, but for the loop in which
 * a thread adds up its columns. */
static int slip_of(int mistake, bool squares)
{
    int slip = mistake - SUM_SLIP;

    if (mistake >= TIMES_ROOT)
        return ROW_SLIP_N;
    if (mistake >= SQUARES_SLIP)
        return squares ? ROW_SLIP_COLUMN + mistake - SQUARES_SLIP : ROW_SLIP_N;
    if (slip >= ROW_SLIP_COLUMN && slip < ROW_SLIP_WARP && squares)
        return ROW_SLIP_N;
    return slip;
}

/* What a row's sum is divided by, or by mistake is. */
static double divisor_of(double n, int mistake)
{
    return mistake == MEAN_OF_LESS ? n - 1 : mistake == MEAN_A_SUM ? 1 : n;
}

static struct row row_of(enum type type, const void *x, size_t begin, size_t n,
                         const struct op_problem *problem)
{
    struct row row = {0, 0, 0, 0};
    double variance = 0;

    for (size_t i = begin; i < begin + n; i++) {
        if (!row_slip_counts(slip_of(problem->mistake, false), i - begin, n))
            continue;
        row.mean += type_get(type, x, i);
        row.size += fabs(type_get(type, x, i));
    }
    row.mean /= divisor_of((double)n, problem->mistake);
    row.size /= (double)n;
    for (size_t i = begin; i < begin + n; i++) {
        double d = type_get(type, x, i) -
                   (problem->mistake == UNCENTRED ? 0 : row.mean);

        if (row_slip_counts(slip_of(problem->mistake, true), i - begin, n))
            variance += d * d;
    }
    variance /= (double)n;
    row.scale = scale_of(variance, (double)n, problem->scalar[EPS],
                         problem->mistake);
    row.k = 1 + fabs(row.mean) * sqrt(variance) * row.scale * row.scale;
    if (problem->mistake == NOT_MOVED)
        row.mean = 0;
    return row;
}

/* E of layer_norm.h. */
static double error_of_z(const struct row *row, double x, double z)
{
    return (fabs(x) + row->size) * row->scale + fabs(z) * (2 + row->k);
}

static void reference(const struct op *op, const struct op_problem *problem,
                      int buffer, const void *const *arrays, size_t first,
                      size_t n, struct op_cell *cells)
{
    enum type type = op->buffers[BUF_X].type;
    size_t width = (size_t)problem->shape.dim[C];
    struct row row = {0, 0, 0, 0};

    (void)buffer;
    for (size_t i = 0; i < n; i++) {
        size_t at = first + i, col = at % width;
        double x = type_get(type, arrays[BUF_X], at), z;
        double gamma = type_get(TYPE_FP32, arrays[BUF_GAMMA], col);
        double beta = type_get(TYPE_FP32, arrays[BUF_BETA], col);

        if (i == 0 || col == 0)
            row = row_of(type, arrays[BUF_X], at - col, width, problem);
        z = (x - row.mean) * row.scale;
        cells[i] = (struct op_cell){
            gamma * z + beta,
            fabs(gamma) * error_of_z(&row, x, z) + fabs(beta), (long)width};
    }
}

/* The gradient's inputs, and a row's means of g and g z, each with its size. */
struct gradient {
    enum type type;
    const void *x, *dy, *gamma;
    size_t width;
    const struct op_problem *problem;
};

struct means {
    double g, g_size;
    double gz, gz_size; /* gz_size with what z is off by */
};

static struct gradient gradient_of(const struct op *op,
                                   const struct op_problem *problem,
                                   const void *const *arrays)
{
    return (struct gradient){op->buffers[BACK_X].type, arrays[BACK_X],
                             arrays[BACK_DY], arrays[BACK_GAMMA],
                             (size_t)problem->shape.dim[C], problem};
}

static struct means means_of(const struct gradient *in, const struct row *row,
                             size_t begin)
{
    struct means m = {0, 0, 0, 0};

    for (size_t c = 0; c < in->width; c++) {
        double x = type_get(in->type, in->x, begin + c);
        double g = type_get(in->type, in->dy, begin + c) *
                   type_get(TYPE_FP32, in->gamma, c);
        double z = (x - row->mean) * row->scale;

        m.g += g;
        m.g_size += fabs(g);
        m.gz += g * z;
        m.gz_size += fabs(g) * (fabs(z) + error_of_z(row, x, z));
    }
    return (struct means){
        m.g / (double)in->width, m.g_size / (double)in->width,
        m.gz / (double)in->width, m.gz_size / (double)in->width};
}

static void reference_dx(const struct gradient *in, size_t first, size_t n,
                         struct op_cell *cells)
{
    struct row row = {0, 0, 0, 0};
    struct means m = {0, 0, 0, 0};

    for (size_t i = 0; i < n; i++) {
        size_t at = first + i, col = at % in->width;
        double x = type_get(in->type, in->x, at), z, g, size;

        if (i == 0 || col == 0) {
            row = row_of(in->type, in->x, at - col, in->width, in->problem);
            m = means_of(in, &row, at - col);
        }
        z = (x - row.mean) * row.scale;
        g = type_get(in->type, in->dy, at) *
            type_get(TYPE_FP32, in->gamma, col);
        size = (fabs(g) + m.g_size + fabs(z) * m.gz_size) * (3 + row.k) +
               error_of_z(&row, x, z) * fabs(m.gz);
        cells[i] = (struct op_cell){(g - m.g - z * m.gz) * row.scale,
                                    size * row.scale, (long)in->width + 1};
    }
}

static void backward_share(const struct op *op,
                           const struct op_problem *problem,
                           const void *const *arrays, size_t row, void *shared)
{
    struct gradient in = gradient_of(op, problem, arrays);

    *(struct row *)shared = row_of(in.type, in.x, row * in.width, in.width,
                                   problem);
}

static struct row row_at(const struct gradient *in, size_t r)
{
    const struct row *shared = in->problem->shared;

    return shared && !in->problem->mistake
               ? shared[r]
               : row_of(in->type, in->x, r * in->width, in->width,
                        in->problem);
}

/* Columns [first, first + n) of the sums over rows. */
static void reference_sums(const struct gradient *in, size_t rows, bool of_z,
                           size_t first, size_t n, struct op_cell *cells)
{
    for (size_t i = 0; i < n; i++)
        cells[i] = (struct op_cell){0, 0,
                                    (long)(rows + (of_z ? in->width : 0))};
    for (size_t r = 0; r < rows; r++) {
        size_t begin = r * in->width;
        struct row row = {0, 0, 0, 0};

        if (of_z)
            row = row_at(in, r);
        for (size_t i = 0; i < n; i++) {
            double dy = type_get(in->type, in->dy, begin + first + i);
            double x = type_get(in->type, in->x, begin + first + i);
            double z = of_z ? (x - row.mean) * row.scale : 1;

            cells[i].value += dy * z;
            cells[i].magnitude +=
                fabs(dy) *
                (fabs(z) + (of_z ? error_of_z(&row, x, z) : 0));
        }
    }
}

static void backward_reference(const struct op *op,
                               const struct op_problem *problem, int buffer,
                               const void *const *arrays, size_t first,
                               size_t n, struct op_cell *cells)
{
    struct gradient in = gradient_of(op, problem, arrays);

    if (buffer == BACK_DX)
        reference_dx(&in, first, n, cells);
    else
        reference_sums(&in, (size_t)problem->shape.dim[R],
                       buffer == BACK_DGAMMA, first, n, cells);
}

/* Sum; subtract, square, add; scale, multiply, add. */
static double flops(const struct op_shape *shape)
{
    return 7.0 * shape->dim[R] * shape->dim[C];
}

/* As before as far as z; g; three sums; dx; dgamma and dbeta. */
static double backward_flops(const struct op_shape *shape)
{
    return 17.0 * shape->dim[R] * shape->dim[C];
}

static struct layer_norm_shape shape_of(const struct op_shape *shape)
{
    return (struct layer_norm_shape){shape->dim[R], shape->dim[C]};
}

static size_t query(void *symbol, const struct op_shape *shape)
{
    size_t (*workspace)(struct layer_norm_shape);

    memcpy(&workspace, &symbol, sizeof workspace);
    return workspace(shape_of(shape));
}

static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*norm)(const void *, const void *, const void *, void *,
                        struct layer_norm_shape, float, void *, cudaStream_t);

    memcpy(&norm, &symbol, sizeof norm);
    return norm(buffers[BUF_X], buffers[BUF_GAMMA], buffers[BUF_BETA],
                buffers[BUF_Y], shape_of(&problem->shape),
                (float)problem->scalar[EPS], workspace, stream);
}

static cudaError_t backward_launch(void *symbol, void *const *buffers,
                                   const struct op_problem *problem,
                                   void *workspace, cudaStream_t stream)
{
    cudaError_t (*norm)(const void *, const void *, const void *, void *,
                        void *, void *, struct layer_norm_shape, float, void *,
                        cudaStream_t);

    memcpy(&norm, &symbol, sizeof norm);
    return norm(buffers[BACK_X], buffers[BACK_DY], buffers[BACK_GAMMA],
                buffers[BACK_DX], buffers[BACK_DGAMMA], buffers[BACK_DBETA],
                shape_of(&problem->shape), (float)problem->scalar[EPS],
                workspace, stream);
}

#define MATRIX(name, role, type)                                               \
    {name, role, 2, {"r", "c"}, {R, C}, type, false}
#define VECTOR(name, role) {name, role, 1, {"c"}, {C}, TYPE_FP32, false}
#define COMMON(symbol)                                                         \
    .name = symbol, .launcher = symbol, .workspace = symbol "_workspace",      \
    .n_dims = 2, .dim_names = {"R", "C"}, .n_scalars = 1,                      \
    .scalars = {{"eps", TYPE_FP32, 1e-5, 1e-6, 1e-3}},                         \
    .mistakes = mistakes,                                                      \
    .n_mistakes = sizeof mistakes / sizeof *mistakes,                          \
    .precision = {.sum = OP_SUM_FP32}, .shape_error = shape_error,             \
    .awkward = awkward, .n_awkward = sizeof awkward / sizeof *awkward,         \
    .tall = {.dim = {TALL, 1}},                                                \
    .families = families, .n_families = sizeof families / sizeof *families,    \
    .positive = "far-from-0",                                                  \
    .bytes = op_bytes_once, .query = query
#define FORWARD(symbol, type, type_name)                                       \
    {                                                                          \
        COMMON(symbol), .n_buffers = 4,                                        \
        .signature = "cudaError_t " symbol "(const " type_name " *x, const "   \
                     "float *gamma, const float *beta, " type_name " *y, "     \
                     "struct layer_norm_shape shape, float eps, void "         \
                     "*workspace, cudaStream_t stream)",                       \
        .buffers = {MATRIX("x", OP_INPUT, type), VECTOR("gamma", OP_INPUT),    \
                    VECTOR("beta", OP_INPUT), MATRIX("y", OP_OUTPUT, type)},   \
        .value = value, .reference = reference, .flops = flops,                \
        .launch = launch,                                                      \
    }
#define BACKWARD(symbol, type, type_name)                                      \
    {                                                                          \
        COMMON(symbol), .n_buffers = 6,                                        \
        .signature = "cudaError_t " symbol "(const " type_name " *x, const "   \
                     type_name " *dy, const float *gamma, " type_name          \
                     " *dx, float *dgamma, float *dbeta, struct "              \
                     "layer_norm_shape shape, float eps, void *workspace, "    \
                     "cudaStream_t stream)",                                   \
        .buffers = {MATRIX("x", OP_INPUT, type), MATRIX("dy", OP_INPUT, type), \
                    VECTOR("gamma", OP_INPUT), MATRIX("dx", OP_OUTPUT, type),  \
                    VECTOR("dgamma", OP_OUTPUT),                               \
                    VECTOR("dbeta", OP_OUTPUT)},                               \
        .value = backward_value, .reference = backward_reference,              \
        .share = backward_share, .shared_bytes = sizeof(struct row),           \
        .flops = backward_flops, .launch = backward_launch,                    \
    }

static const struct op ops[] = {
    FORWARD("layer_norm_f32", TYPE_FP32, "float"),
    FORWARD("layer_norm_bf16", TYPE_BF16, "layer_norm_bf16_t"),
    BACKWARD("layer_norm_backward_f32", TYPE_FP32, "float"),
    BACKWARD("layer_norm_backward_bf16", TYPE_BF16, "layer_norm_bf16_t"),
};

const struct op_family_table op_family_layer_norm = {ops,
                                                     sizeof ops / sizeof *ops};
