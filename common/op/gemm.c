// SPDX-License-Identifier: MIT
/*
 * gemm.c: matrix multiplication as rows of the operator table; gemm.h holds the
 * formula and the tolerance.
 *
 *   op_family_gemm    gemm_f32, gemm_tf32, gemm_bf16, gemm_bf16_bf16
 *
 * Impulses: A holds few ones in each row and B dense integers, or, with every
 * other seed, the other way round, so that C shows rows of B or columns of A.
 */
#include "op/op.h"

#include <limits.h>
#include <math.h>

#include "op/fill.h"
#include "op/gemm.h"

enum { M, N, K };
enum { BUF_A, BUF_B, BUF_C };
enum { ALPHA, BETA };

/* M N K, ldA ldB ldC (0: no padding): ones, primes, around warps and tiles,
 * long and flat, rows that start at no multiple of 16 bytes. Whatever a wide
 * access depends on, N, K, ldA, ldB, ldC, is odd alone in one of them: a
 * kernel that forgets to ask for it finds all else in order. */
static const struct op_shape awkward[] = {
    {{1, 1, 1}, {0}},         {{1, 1, 7}, {9}},
    {{1, 33, 1}, {2, 40, 0}}, {{17, 1, 31}, {0, 3, 5}},
    {{3, 5, 7}, {0}},         {{31, 33, 32}, {0, 40, 48}},
    {{32, 32, 32}, {33}},     {{33, 32, 65}, {72, 0, 0}},
    {{64, 64, 64}, {0, 67, 0}}, {{64, 64, 64}, {0, 0, 71}},
    {{127, 61, 17}, {0}},     {{128, 128, 8}, {0}},
    {{128, 128, 16}, {20, 132, 136}}, {{129, 127, 33}, {0}},
    {{16, 256, 40}, {0}},     {{257, 16, 24}, {0}},
    {{2, 3, 1021}, {0}},      {{100, 36, 60}, {64, 40, 0}},
};

static const enum op_family families[] = {OP_SIGNED, OP_POSITIVE, OP_INTEGER,
                                          OP_IMPULSE, OP_WIDE, OP_SPECIAL};

enum { TALL = 65600 }; /* above 65,535 */

static bool fits(int rows, int columns)
{
    return columns <= INT_MAX / rows;
}

static const char *shape_error(const struct op_shape *shape)
{
    const int *d = shape->dim, *ld = shape->ld;
    int lda = ld[BUF_A] ? ld[BUF_A] : d[K];
    int ldb = ld[BUF_B] ? ld[BUF_B] : d[N];
    int ldc = ld[BUF_C] ? ld[BUF_C] : d[N];

    if (d[M] < 1 || d[N] < 1 || d[K] < 1)
        return "every extent must be at least 1";
    if (!fits(d[M], lda) || !fits(d[K], ldb) || !fits(d[M], ldc))
        return "M*lda, K*ldb and M*ldc must be below 2^31";
    return NULL;
}

/* Before it is rounded to the buffer's type; fp32 and bf16 have one range. */
static double value(const struct op_problem *problem, int buffer, size_t cell)
{
    const int *d = problem->shape.dim;
    uint64_t seed = fill_seed(problem->seed, buffer);
    size_t width = (size_t)(buffer == BUF_A ? d[K] : d[N]);

    if (buffer == BUF_C && problem->scalar[BETA] == 0.0)
        return -NAN; /* nobody reads it; no kernel computes this one (type.h) */
    if (buffer == BUF_A && problem->family != OP_IMPULSE)
        return fill_factor(problem->family, TYPE_BF16, seed, cell / width,
                           cell % width, width);
    if (problem->family == OP_SPECIAL && buffer == BUF_B)
        return fill_factor(problem->family, TYPE_BF16, seed, cell % width,
                           cell / width, (size_t)d[K]);
    if (problem->family != OP_IMPULSE)
        return fill_value(problem->family, TYPE_BF16, seed, cell);
    if (buffer == (problem->seed % 2 ? BUF_A : BUF_B))
        return fill_impulse(seed + cell / width, cell % width, width);
    return fill_dense(seed, cell);
}

/* Whole numbers meet beta = 0 wherever rows of C hold no whole chunks of 16
 * bytes: kernels store wide then if they may, and one that asks neither for N
 * nor for ldc fails whatever the seed. */
static void draw(const struct op_problem *problem, double *scalar)
{
    enum { CHUNK = 8 }; /* elements of the narrowest type */
    int n = problem->shape.dim[N], ldc = problem->shape.ld[BUF_C];

    if (problem->family == OP_INTEGER && (n % CHUNK || ldc % CHUNK))
        scalar[BETA] = 0.0;
}

struct matrix {
    enum type type;
    const void *at;
    size_t stride;
};

static struct matrix matrix_of(const struct op *op,
                               const struct op_problem *problem, int buffer,
                               const void *const *arrays)
{
    return (struct matrix){op->buffers[buffer].type, arrays[buffer],
                           op_row_stride(op, buffer, &problem->shape)};
}

static double get(const struct matrix *m, size_t row, size_t col)
{
    return type_get(m->type, m->at, row * m->stride + col);
}

/* Zeros are added without a rounding, wherever they stand. */
static void add_term(struct op_cell *cell, double term)
{
    cell->value += term;
    cell->magnitude += fabs(term);
    cell->terms += term != 0.0;
}

/* LAST: = in the place of +=, of products or of tiles of them. */
enum { NOTHING_LEFT = 1, TIMES_ZERO, ALPHA_ON_BOTH, LAST_PRODUCT, LAST_IN_8,
       LAST_IN_16, LAST_IN_32, LAST_OF_8, LAST_OF_16, LAST_OF_32, BETA_ON_BOTH,
       ALPHA_TWICE, BETA_TWICE, ALPHA_FOR_BETA, BETA_FOR_ALPHA,
       PRODUCT_TAKEN_OFF, C_TAKEN_OFF, C_ONCE_MORE, C_FOR_EACH_K,
       NO_FIRST, NO_LAST, NO_FIRST_OF_8, NO_FIRST_OF_16, NO_FIRST_OF_32,
       NO_LAST_OF_8, NO_LAST_OF_16, NO_LAST_OF_32, ONE_LATE_8, ONE_LATE_16,
       ONE_LATE_32, FIRST_AGAIN_8, FIRST_AGAIN_16, FIRST_AGAIN_32,
       FIRST_ALONE_8, FIRST_ALONE_16, FIRST_ALONE_32, FIRST_ALONE_64,
       MISTAKES = FIRST_ALONE_64 };

static const size_t tile_of[MISTAKES + 1] = {
    [LAST_PRODUCT] = 1, [LAST_IN_8] = 8,  [LAST_IN_16] = 16, [LAST_IN_32] = 32,
    [LAST_OF_8] = 8,    [LAST_OF_16] = 16, [LAST_OF_32] = 32};

/* Of each so many products the one of this place is left out; 0: none is. */
static const struct { int of, place; } left_out[MISTAKES + 1] = {
    [NO_FIRST_OF_8] = {8, 0},  [NO_FIRST_OF_16] = {16, 0},
    [NO_FIRST_OF_32] = {32, 0}, [NO_LAST_OF_8] = {8, 7},
    [NO_LAST_OF_16] = {16, 15}, [NO_LAST_OF_32] = {32, 31}};

/* A tile's last product is 0 where the tile ends beyond K. */
#define LAST_IN_TILE                                                           \
    {"of each sum only the last product counted",                              \
     "Where a product joins the sum: is = there for +=, or does the sum "      \
     "begin at 0 again in each round of the loop? Where a tile ends beyond K " \
     "its last product is 0, and nothing is left."}

#define LAST_TILE(n)                                                           \
    {"of each sum only the products of its last tile counted, of k's " #n,     \
     "Where a tile's sum joins that of those before: is = there for +=, or "   \
     "does the sum begin at 0 again in each tile?"}

#define LEFT_OUT(which, n)                                                     \
    {"of each " #n " products of a sum the " which " were left out",           \
     "Where does the loop over a tile's k begin, and where does it end: at 0, "\
     "and below " #n "?"}

/* Two tiles that take turns. */
#define ONE_LATE(n)                                                            \
    {"of k's tiles of " #n " the first counted twice, and the last not at all",\
     "Each round multiplies the tile of the round before. Which k does the "   \
     "copy ahead begin at: that of the next round?"}
#define FIRST_AGAIN(n)                                                         \
    {"of k's tiles of " #n " the first counted in each round, and no other",   \
     "Each round multiplies the first tile. Does what is read change with the "\
     "round: the tile's number, or the k that it is loaded from?"}

/* The tiles behind it hold zeros, or are never multiplied. */
#define FIRST_ALONE(n)                                                         \
    {"of each sum only the products of its first tile counted, of k's " #n,    \
     "What do the tiles behind the first hold, and does the loop come to "     \
     "them? Where do they begin: which coordinate of a box, or which term of " \
     "an address, moves on along k? Of a box the first coordinate is the one " \
     "that runs fastest in memory."}

/* Of infinities 0 makes NaN, where a sum that is forgotten is 0. */
#define NONE_LEFT                                                              \
    {"A B were 0, or alpha",                                                   \
     "Nothing is left of alpha A B. Does the launch pass alpha on? Does it "   \
     "go through an int, or is it multiplied by a quotient of whole "          \
     "numbers, such as 1 / 2? Is the sum that is stored the one that the "     \
     "products joined, and did its loop run? Is a float on its way to a "      \
     "tensor core cast to unsigned, which makes it a whole number, where its " \
     "bits are meant?"}

static const struct op_mistake mistakes[] = {
    [NOTHING_LEFT - 1] = NONE_LEFT,
    [TIMES_ZERO - 1] = NONE_LEFT,
    [ALPHA_ON_BOTH - 1] =
        {"beta C were multiplied by alpha, too",
         "Which term does alpha belong to? It is alpha A B + beta C."},
    [BETA_ON_BOTH - 1] =
        {"alpha A B were multiplied by beta, too",
         "Which term does beta belong to? It is alpha A B + beta C."},
    [ALPHA_TWICE - 1] =
        {"A B were multiplied by alpha twice",
         "alpha belongs to the whole sum, once: is it multiplied in where the "
         "sum is made, and again where it is stored?"},
    [BETA_TWICE - 1] =
        {"C were multiplied by beta twice",
         "beta belongs to C's old value, once: is it multiplied in where C is "
         "read, and again where the result is stored?"},
    [ALPHA_FOR_BETA - 1] =
        {"alpha stood in the place of beta, too",
         "What is C's old value multiplied by? It is alpha A B + beta C. "
         "Compare the order of the arguments, too."},
    [BETA_FOR_ALPHA - 1] =
        {"beta stood in the place of alpha, too",
         "What is the sum multiplied by? It is alpha A B + beta C. Compare the "
         "order of the arguments, too."},
    [PRODUCT_TAKEN_OFF - 1] =
        {"alpha A B were subtracted, and not added",
         "Look for a - that should be a +: where a product joins the sum, or "
         "in front of alpha."},
    [C_TAKEN_OFF - 1] =
        {"beta C were subtracted, and not added",
         "Look for a - in front of beta, or between the two terms."},
    [C_ONCE_MORE - 1] =
        {"C's old value were added once more, without beta",
         "Where the result is stored: is += there for =? Or does the sum begin "
         "with C's old value?"},
    [C_FOR_EACH_K - 1] =
        {"beta C were added for each k, and not once",
         "C's old value joins the result once, behind the loop over k."},
    [NO_FIRST - 1] =
        {"the first product of each sum were left out",
         "Where does the loop over k begin? The first k is 0. Is a sum set "
         "back to 0 behind its first product?"},
    [NO_LAST - 1] =
        {"the last product of each sum were left out",
         "Where does the loop over k end? The last k is K - 1: `k < K`."},
    [NO_FIRST_OF_8 - 1] = LEFT_OUT("first", 8),
    [NO_FIRST_OF_16 - 1] = LEFT_OUT("first", 16),
    [NO_FIRST_OF_32 - 1] = LEFT_OUT("first", 32),
    [NO_LAST_OF_8 - 1] = LEFT_OUT("last", 8),
    [NO_LAST_OF_16 - 1] = LEFT_OUT("last", 16),
    [NO_LAST_OF_32 - 1] = LEFT_OUT("last", 32),
    [ONE_LATE_8 - 1] = ONE_LATE(8),
    [ONE_LATE_16 - 1] = ONE_LATE(16),
    [ONE_LATE_32 - 1] = ONE_LATE(32),
    [FIRST_AGAIN_8 - 1] = FIRST_AGAIN(8),
    [FIRST_AGAIN_16 - 1] = FIRST_AGAIN(16),
    [FIRST_AGAIN_32 - 1] = FIRST_AGAIN(32),
    [FIRST_ALONE_8 - 1] = FIRST_ALONE(8),
    [FIRST_ALONE_16 - 1] = FIRST_ALONE(16),
    [FIRST_ALONE_32 - 1] = FIRST_ALONE(32),
    [FIRST_ALONE_64 - 1] = FIRST_ALONE(64),
    [LAST_PRODUCT - 1] =
        {"of each sum only the last product counted",
         "Where a product joins the sum: is = there for +=, or does the sum "
         "begin at 0 again in each round of the loop?"},
    [LAST_IN_8 - 1] = LAST_IN_TILE,
    [LAST_IN_16 - 1] = LAST_IN_TILE,
    [LAST_IN_32 - 1] = LAST_IN_TILE,
    [LAST_OF_8 - 1] = LAST_TILE(8),
    [LAST_OF_16 - 1] = LAST_TILE(16),
    [LAST_OF_32 - 1] = LAST_TILE(32),
};

struct factors {
    double of_product, of_c;
};

static struct factors factors_of(const struct op_problem *problem)
{
    double alpha = problem->scalar[ALPHA], beta = problem->scalar[BETA];

    switch (problem->mistake) {
    case TIMES_ZERO:        return (struct factors){0.0, beta};
    case ALPHA_ON_BOTH:     return (struct factors){alpha, beta * alpha};
    case BETA_ON_BOTH:      return (struct factors){alpha * beta, beta};
    case ALPHA_TWICE:       return (struct factors){alpha * alpha, beta};
    case BETA_TWICE:        return (struct factors){alpha, beta * beta};
    case ALPHA_FOR_BETA:    return (struct factors){alpha, alpha};
    case BETA_FOR_ALPHA:    return (struct factors){beta, beta};
    case PRODUCT_TAKEN_OFF: return (struct factors){-alpha, beta};
    case C_TAKEN_OFF:       return (struct factors){alpha, -beta};
    case C_ONCE_MORE:       return (struct factors){alpha, beta + 1.0};
    case C_FOR_EACH_K:
        return (struct factors){alpha, beta * problem->shape.dim[K]};
    default:                return (struct factors){alpha, beta};
    }
}

/* The first k whose products count: 0, but for a mistake. */
static size_t first_of(const struct op_problem *problem)
{
    size_t tile = tile_of[problem->mistake], k = (size_t)problem->shape.dim[K];

    if (problem->mistake == NOTHING_LEFT)
        return k;
    if (problem->mistake >= LAST_IN_8 && problem->mistake <= LAST_IN_32)
        return k % tile ? k : k - 1;
    return tile ? (k - 1) / tile * tile : 0;
}

/* How often the product of k counts. */
static double times(const struct op_problem *problem, size_t k)
{
    int m = problem->mistake, of = left_out[m].of;
    size_t depth = (size_t)problem->shape.dim[K];
    size_t tile = m < ONE_LATE_8 ? 1 : (size_t)8 << (m - ONE_LATE_8) % 3;
    size_t tiles = (depth - 1) / tile + 1;

    if (m == NO_FIRST)
        return k > 0;
    if (m == NO_LAST)
        return k + 1 < depth;
    if (m >= FIRST_ALONE_8)
        return k < (size_t)8 << (m - FIRST_ALONE_8);
    if (m < ONE_LATE_8)
        return !of || k % (size_t)of != (size_t)left_out[m].place;
    if (m >= FIRST_AGAIN_8)
        return k < tile ? (double)tiles : 0.0;
    return (k < tile) + (k / tile + 1 < tiles);
}

/* n cells of one row of C from column `col` on; B is read along its rows. */
static void reference_row(const struct op *op, const struct op_problem *problem,
                          const void *const *arrays, size_t row, size_t col,
                          size_t n, struct op_cell *cells)
{
    struct matrix A = matrix_of(op, problem, BUF_A, arrays);
    struct matrix B = matrix_of(op, problem, BUF_B, arrays);
    struct matrix C = matrix_of(op, problem, BUF_C, arrays);
    struct factors factors = factors_of(problem);

    for (size_t i = 0; i < n; i++) {
        cells[i] = (struct op_cell){0};
        if (factors.of_c != 0.0)
            add_term(&cells[i], factors.of_c * get(&C, row, col + i));
    }
    for (size_t k = first_of(problem); k < (size_t)problem->shape.dim[K]; k++) {
        double often = problem->mistake ? times(problem, k) : 1.0;
        double a = often * factors.of_product * get(&A, row, k);

        if (often == 0.0)
            continue; /* 0 times infinity would be NaN */
        for (size_t i = 0; i < n; i++)
            add_term(&cells[i], a * get(&B, k, col + i));
    }
}

static void reference(const struct op *op, const struct op_problem *problem,
                      int buffer, const void *const *arrays, size_t first,
                      size_t n, struct op_cell *cells)
{
    size_t width = (size_t)problem->shape.dim[N];

    (void)buffer;
    while (n > 0) {
        size_t col = first % width, left = width - col;
        size_t some = n < left ? n : left;

        reference_row(op, problem, arrays, first / width, col, some, cells);
        first += some;
        cells += some;
        n -= some;
    }
}

static double flops(const struct op_shape *shape)
{
    const int *d = shape->dim;

    return 2.0 * d[M] * d[N] * d[K];
}

static struct gemm_shape shape_of(const struct op_shape *shape)
{
    const int *d = shape->dim, *ld = shape->ld;

    return (struct gemm_shape){d[M], d[N], d[K],
                               ld[BUF_A] ? ld[BUF_A] : d[K],
                               ld[BUF_B] ? ld[BUF_B] : d[N],
                               ld[BUF_C] ? ld[BUF_C] : d[N]};
}

static size_t query(void *symbol, const struct op_shape *shape)
{
    size_t (*workspace)(struct gemm_shape);

    memcpy(&workspace, &symbol, sizeof workspace);
    return workspace(shape_of(shape));
}

/* All launchers have one form, but for the types that the pointers point to. */
static cudaError_t launch(void *symbol, void *const *buffers,
                          const struct op_problem *problem, void *workspace,
                          cudaStream_t stream)
{
    cudaError_t (*gemm)(const void *, const void *, void *, struct gemm_shape,
                        float, float, void *, cudaStream_t);

    memcpy(&gemm, &symbol, sizeof gemm);
    return gemm(buffers[BUF_A], buffers[BUF_B], buffers[BUF_C],
                shape_of(&problem->shape), (float)problem->scalar[ALPHA],
                (float)problem->scalar[BETA], workspace, stream);
}

#define MATRIX(name, role, row, col, rows, cols, type)                         \
    {name, role, 2, {row, col}, {rows, cols}, type, true}
/* As timed, with beta = 0, C is not read: each matrix moves once. */
#define ROW(symbol, in, in_name, out, out_name)                                \
    .name = symbol, .launcher = symbol, .workspace = symbol "_workspace",      \
    .signature = "cudaError_t " symbol "(const " in_name " *A, const "         \
                 in_name " *B, " out_name " *C, struct gemm_shape shape, "     \
                 "float alpha, float beta, void *workspace, cudaStream_t "     \
                 "stream)",                                                    \
    .n_dims = 3, .dim_names = {"M", "N", "K"}, .n_buffers = 3,                 \
    .buffers = {MATRIX("A", OP_INPUT, "row", "k", M, K, in),                   \
                MATRIX("B", OP_INPUT, "k", "col", K, N, in),                   \
                MATRIX("C", OP_INOUT, "row", "col", M, N, out)},               \
    .n_scalars = 2,                                                            \
    .scalars = {{"alpha", TYPE_FP32, 1, -2, 2}, {"beta", TYPE_FP32, 0, -2, 2}},\
    .shape_error = shape_error, .awkward = awkward,                            \
    .n_awkward = sizeof awkward / sizeof *awkward,                             \
    .tall = {.dim = {TALL, 1, 1}}, .families = families,                       \
    .n_families = sizeof families / sizeof *families, .value = value,          \
    .mistakes = mistakes,                                                      \
    .n_mistakes = sizeof mistakes / sizeof *mistakes,                          \
    .draw = draw, .reference = reference, .bytes = op_bytes_once,              \
    .flops = flops, .query = query, .launch = launch

static const struct op ops[] = {
    {
        ROW("gemm_f32", TYPE_FP32, "float", TYPE_FP32, "float"),
        .precision = {.sum = OP_SUM_FP32, .serial = true},
    },
    {
        ROW("gemm_tf32", TYPE_FP32, "float", TYPE_FP32, "float"),
        .pipe = PIPE_TF32_TENSOR,
        .precision = {.sum = OP_SUM_FP32_TENSOR, .serial = true,
                      .tf32_factors = 2},
    },
    {
        ROW("gemm_bf16", TYPE_BF16, "gemm_bf16_t", TYPE_FP32, "float"),
        .pipe = PIPE_BF16_TENSOR,
        .precision = {.sum = OP_SUM_FP32_TENSOR, .serial = true},
    },
    {
        ROW("gemm_bf16_bf16", TYPE_BF16, "gemm_bf16_t", TYPE_BF16,
            "gemm_bf16_t"),
        .pipe = PIPE_BF16_TENSOR,
        .precision = {.sum = OP_SUM_FP32_TENSOR, .serial = true},
    },
};

const struct op_family_table op_family_gemm = {ops, sizeof ops / sizeof *ops};
