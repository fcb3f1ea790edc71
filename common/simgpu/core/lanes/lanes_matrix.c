// SPDX-License-Identifier: MIT
/*
 * lanes_matrix.c: the matrix products of mma and wmma, in vector code.
 *
 *   mma_float   fp16, bf16, tf32, fp8; as tensor.h models them
 *   mma_int     integers of 8 and 4 bits: exact, in fp32
 *   mma_f64     a chain of multiply-adds, k rising
 *
 * Fragments are spread out to rows and columns of floats first; a register
 * [4 g + t] becomes [t][g], so that rows of A, and of the sums, lie side by
 * side in blocks of 8. Then a column of D is one vector of 16 rows.
 *
 * The hard idea is the model's alignment in floats. A product of two numbers is
 * exact in fp32; multiplied by a power of two and converted to an integer, it
 * is cut off where the model cuts it. What has an exponent that fp32 cannot
 * follow, and NaN and infinity, sends the whole instruction to tensor.c.
 */
#include "lanes.h"
#include "simgpu/core/state/matrix.h"
#include "softfloat.h"
#include "tensor.h"

enum { ROWS = 16, BLOCK = 8, BLOCKS = MATRIX_ROWS / ROWS };

/* Sums stay in registers. With a sanitizer's checks the compiler would take
 * minutes for it. */
#ifdef __SANITIZE_ADDRESS__
#define UNROLL
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

typedef uint32_t word32[LANES];

/* A, B and the sums. size: the power of two of each element's exponent; 0: the
 * element is 0. */
struct tile {
    _Alignas(64) float a[BLOCKS][MATRIX_K][ROWS];
    float a_size[BLOCKS][MATRIX_K][ROWS];
    float b[MATRIX_ROWS][MATRIX_K], b_size[MATRIX_ROWS][MATRIX_K];
    float c[BLOCKS][MATRIX_ROWS][ROWS];
    int32_t whole[BLOCKS][MATRIX_ROWS][ROWS]; /* 32-bit integer sums */
};

/* Of a type: element j of a word as an fp32, times a power of two. */
struct format {
    float least_exponent; /* of subnormal numbers */
    float low, high;      /* sizes that the vector code takes, and 0 */
};

static const struct format formats[TENSOR_TYPES] = {
    [TENSOR_F16] = {0x1p-14f, 0, 0x1.ffcp15f},
    [TENSOR_BF16] = {0, 0x1p-38f, 0x1p38f},
    [TENSOR_TF32] = {0, 0x1p-38f, 0x1p38f},
    [TENSOR_E4M3] = {0x1p-6f, 0, 448},
    [TENSOR_E5M2] = {0x1p-14f, 0, 0x1.cp15f},
    [TENSOR_F32] = {0, 0x1p-76f, 0x1p76f},
};

static inline float as_float(uint32_t bits)
{
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint32_t as_bits(float x)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float from_half(uint32_t h)
{
    float x = as_float((h & 0x7fff) << 13) * 0x1p112f;
    return as_float(as_bits(x) | (h & 0x8000) << 16);
}

/* fp32 of a whole multiple of 2^-24 that fp16 holds, or of too large a size. */
static inline uint32_t to_half(float x)
{
    uint32_t sign = as_bits(x) >> 16 & 0x8000, bits = as_bits(x) & 0x7fffffff;
    float size = as_float(bits);
    uint32_t low = (uint32_t)(int32_t)(size * 0x1p24f);
    uint32_t h = (bits >> 13) - (112 << 10);
    h = size < 0x1p-14f ? low : h;
    return sign | (size > 65504 ? 0x7c00 : h);
}

ACCESS_INLINE float convert(uint8_t type, uint32_t word, int j)
{
    switch (type) {
    case TENSOR_F16: return from_half(word >> 16 * j & 0xffff);
    case TENSOR_BF16: return as_float(word >> 16 * j << 16);
    case TENSOR_TF32: return as_float(word & 0xffffe000);
    case TENSOR_E5M2: return from_half((word >> 8 * j & 0xff) << 8);
    case TENSOR_E4M3: {
        uint32_t b = word >> 8 * j & 0xff;
        float x = as_float((b & 0x7f) << 20) * 0x1p120f;
        return as_float(as_bits(x) | (b & 0x80) << 24);
    }
    case TENSOR_S8: return (float)(int8_t)(word >> 8 * j);
    case TENSOR_U8: return (float)(int32_t)(word >> 8 * j & 0xff);
    case TENSOR_S4: return (float)((int32_t)(word >> 4 * j << 28) >> 28);
    case TENSOR_U4: return (float)(int32_t)(word >> 4 * j & 0xf);
    default: return as_float(word);
    }
}

/* register[4 g + t] -> to[8 t + g] */
ACCESS_INLINE void turn(const uint32_t *from, uint32_t *restrict to)
{
    for (int t = 0; t < 4; t++)
        for (int g = 0; g < BLOCK; g++)
            to[BLOCK * t + g] = from[4 * g + t];
}

ACCESS_INLINE void turn_back(const uint32_t *from, uint32_t *restrict to)
{
    for (int g = 0; g < BLOCK; g++)
        for (int t = 0; t < 4; t++)
            to[4 * g + t] = from[BLOCK * t + g];
}

/* Element j of each lane. Returns whether one of them is out of range. */
ACCESS_INLINE uint32_t spread(const uint32_t *words, uint8_t type, int j,
                              float *restrict value, float *restrict size)
{
    const struct format *f = &formats[type];
    float least = f->least_exponent, low = f->low, high = f->high;
    uint32_t odd = 0;
    for (int l = 0; l < LANES; l++) {
        float x = convert(type, words[l], j);
        uint32_t bits = as_bits(x) & 0x7fffffff;
        float of = as_float(bits), e = as_float(bits & 0x7f800000);
        e = e > least ? e : least;
        value[l] = x;
        size[l] = as_float(bits ? as_bits(e) : 0);
        odd |= (uint32_t)!(of <= high) | ((uint32_t)(of < low) & (bits != 0));
    }
    return odd;
}

#define TYPES(X)                                                               \
    X(F16) X(BF16) X(TF32) X(E4M3) X(E5M2) X(S8) X(U8) X(S4) X(U4)

/* The same with the type known to the compiler. */
static uint32_t spread_any(const uint32_t *words, uint8_t type, int j,
                           float *value, float *size)
{
    switch (type) {
#define X(name)                                                                \
    case TENSOR_##name: return spread(words, TENSOR_##name, j, value, size);
        TYPES(X)
#undef X
    default: return 1;
    }
}

static uint32_t read_a(struct tile *t, const struct matrix *x,
                       const struct tensor_model *model, const struct warp *w)
{
    int pack = tensor_pack(x->a_type), down = x->m / BLOCK;
    _Alignas(64) uint32_t words[LANES];
    _Alignas(64) float value[LANES], size[LANES];
    uint32_t odd = 0;
    for (int r = 0; r < x->n_a; r++) {
        turn(slot(w, x->a[r]), words);
        int block = r % down / 2, half = r % down % 2 * BLOCK;
        for (int j = 0; j < pack; j++) {
            odd |= spread_any(words, x->a_type, j, value, size);
            for (int q = 0; q < 4; q++) {
                int k = 4 * pack * (r / down) + pack * q + j;
                k = model ? tensor_place(model, k) : k;
                __builtin_memcpy(&t->a[block][k][half], &value[BLOCK * q],
                                 BLOCK * sizeof *value);
                __builtin_memcpy(&t->a_size[block][k][half], &size[BLOCK * q],
                                 BLOCK * sizeof *size);
            }
        }
    }
    return odd;
}

static uint32_t read_b(struct tile *t, const struct matrix *x,
                       const struct tensor_model *model, const struct warp *w)
{
    int pack = tensor_pack(x->b_type), across = x->k / (4 * pack);
    _Alignas(64) float value[LANES], size[LANES];
    uint32_t odd = 0;
    for (int r = 0; r < x->n_b; r++)
        for (int j = 0; j < pack; j++) {
            odd |= spread_any(slot(w, x->b[r]), x->b_type, j, value, size);
            int column = r / across * BLOCK;
            for (int q = 0; q < 4; q++) {
                int k = 4 * pack * (r % across) + pack * q + j;
                k = model ? tensor_place(model, k) : k;
                for (int g = 0; g < BLOCK; g++) {
                    t->b[column + g][k] = value[4 * g + q];
                    t->b_size[column + g][k] = size[4 * g + q];
                }
            }
        }
    return odd;
}

static uint32_t read_sums(struct tile *t, const struct matrix *x,
                          const struct warp *w)
{
    int down = x->m / BLOCK, each = x->c_type == TENSOR_F16 ? 1 : 2;
    _Alignas(64) uint32_t words[LANES];
    uint32_t odd = 0;
    for (int r = 0; r < x->n_c; r++) {
        turn(slot(w, x->c[r]), words);
        int at = r / each, block = at % down / 2, half = at % down % 2 * BLOCK;
        for (int q = 0; q < 4; q++) {
            int column = at / down * BLOCK + 2 * q + r % each;
            for (int g = 0; g < BLOCK; g++) {
                uint32_t word = words[BLOCK * q + g];
                t->whole[block][column][half + g] = (int32_t)word;
                if (each == 2) {
                    t->c[block][column][half + g] = as_float(word);
                    continue;
                }
                t->c[block][column][half + g] = from_half(word & 0xffff);
                t->c[block][column + 1][half + g] = from_half(word >> 16);
            }
        }
    }
    const struct format *f = &formats[x->c_type];
    if (x->c_type == TENSOR_S32)
        return 0;
    for (int b = 0; b < (x->m + ROWS - 1) / ROWS; b++)
        for (int n = 0; n < x->n; n++)
            for (int m = 0; m < ROWS; m++) {
                float of = __builtin_fabsf(t->c[b][n][m]);
                odd |= (uint32_t)!(of <= f->high) |
                       ((uint32_t)(of < f->low) & (as_bits(of) != 0));
            }
    return odd;
}

/* whole: the sums are integers. */
static void write_sums(const struct tile *t, const struct matrix *x,
                       struct warp *w, bool whole)
{
    int down = x->m / BLOCK, each = x->d_type == TENSOR_F16 ? 1 : 2;
    _Alignas(64) uint32_t words[LANES];
    for (int r = 0; r < x->n_d; r++) {
        int at = r / each, block = at % down / 2, half = at % down % 2 * BLOCK;
        for (int q = 0; q < 4; q++) {
            int column = at / down * BLOCK + 2 * q + r % each;
            const float *c = &t->c[block][column][half];
            const float *next = &t->c[block][column + (each == 1)][half];
            const int32_t *i = &t->whole[block][column][half];
            for (int g = 0; g < BLOCK; g++)
                words[BLOCK * q + g] =
                    whole       ? (uint32_t)i[g]
                    : each == 2 ? as_bits(c[g])
                                : to_half(c[g]) | to_half(next[g]) << 16;
        }
        turn_back(words, slot(w, x->d[r]));
    }
}

/* Floating point ----------------------------------------------------------- */

/* The total toward zero with so many bits below the first. */
static inline float cut_off(double total, uint64_t keep)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &total, sizeof bits);
    bits &= keep;
    __builtin_memcpy(&total, &bits, sizeof total);
    return (float)total;
}

/* To fp16's nearest, as an fp32: by adding what leaves its last bit. */
static inline float nearest_half(double total)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &total, sizeof bits);
    uint64_t exponent = bits >> 52 & 0x7ff, least = 1023 - 14;
    exponent = (exponent > least ? exponent : least) + 42;
    uint64_t magic_bits = exponent << 52 | 1ull << 51;
    double magic;
    __builtin_memcpy(&magic, &magic_bits, sizeof magic);
    return (float)(total + magic - magic);
}

/* One step of 16 rows and a column: products from k on, added to c. */
#define STEP(terms, fraction, finish)                                          \
    do {                                                                       \
        float most[ROWS], scale[ROWS];                                         \
        int32_t low[ROWS], high[ROWS];                                         \
        for (int m = 0; m < ROWS; m++) {                                       \
            uint32_t bits = as_bits(c[m]) & 0x7fffffff;                        \
            float e = as_float(bits & 0x7f800000);                             \
            e = e > least ? e : least;                                         \
            most[m] = as_float(bits ? as_bits(e) : 0);                         \
        }                                                                      \
        UNROLL for (int n = 0; n < (terms); n++)             \
            for (int m = 0; m < ROWS; m++) {                                   \
                float e = a_size[n][m] * b_size[n];                            \
                most[m] = most[m] > e ? most[m] : e;                           \
            }                                                                  \
        for (int m = 0; m < ROWS; m++) {                                       \
            most[m] = as_float(most[m] > 0 ? as_bits(most[m]) : 0x3f800000);   \
            scale[m] = as_float(((254u + (fraction)) << 23) -                  \
                                as_bits(most[m]));                             \
            low[m] = (int32_t)(c[m] * scale[m]);                               \
            high[m] = 0;                                                       \
        }                                                                      \
        UNROLL for (int n = 0; n < (terms) / 2; n++)         \
            for (int m = 0; m < ROWS; m++)                                     \
                low[m] += (int32_t)(a[n][m] * b[n] * scale[m]);                \
        UNROLL for (int n = (terms) / 2; n < (terms); n++)   \
            for (int m = 0; m < ROWS; m++)                                     \
                high[m] += (int32_t)(a[n][m] * b[n] * scale[m]);               \
        for (int m = 0; m < ROWS; m++) {                                       \
            double total = (double)low[m] + (double)high[m];                   \
            double unit = (double)most[m] * (1.0 / (1u << (fraction)));        \
            c[m] = finish;                                                     \
        }                                                                      \
    } while (0)

enum { KEEP_ALL = 23 };
#define KEEP(bits) (~(uint64_t)0 << (52 - (bits)))

#define STEPS(name, terms, fraction, finish)                                   \
    static void name(float *restrict c, const float (*a)[ROWS],                \
                     const float (*a_size)[ROWS], const float *b,              \
                     const float *b_size, float least)                         \
    {                                                                          \
        STEP(terms, fraction, finish);                                         \
    }
STEPS(step_16, 16, 25, cut_off(total, KEEP(KEEP_ALL)) * (float)unit)
STEPS(step_8, 8, 25, cut_off(total, KEEP(KEEP_ALL)) * (float)unit)
STEPS(step_4, 4, 25, cut_off(total, KEEP(KEEP_ALL)) * (float)unit)
STEPS(step_16_half, 16, 25, nearest_half(total * unit))
STEPS(step_8_half, 8, 25, nearest_half(total * unit))

typedef void step(float *restrict c, const float (*a)[ROWS],
                  const float (*a_size)[ROWS], const float *b,
                  const float *b_size, float least);

static step *step_of(const struct matrix *x, int terms)
{
    if (x->d_type == TENSOR_F16)
        return terms == 16 ? step_16_half : step_8_half;
    return terms == 16 ? step_16 : terms == 8 ? step_8 : step_4;
}

static void multiply(struct tile *t, const struct matrix *x,
                     const struct tensor_model *model)
{
    int terms = model->terms < x->k ? model->terms : x->k;
    step *one = step_of(x, terms);
    float least = formats[x->d_type].least_exponent;
    for (int b = 0; b < (x->m + ROWS - 1) / ROWS; b++)
        for (int n = 0; n < x->n; n++) {
            _Alignas(64) float sum[ROWS] = {0};
            float *c = t->c[b][n], *to = model->by_halves ? sum : c;
            for (int k = 0; k < x->k; k += terms)
                one(to, t->a[b] + k, t->a_size[b] + k, t->b[n] + k,
                    t->b_size[n] + k, least);
            if (model->by_halves)
                for (int m = 0; m < ROWS; m++)
                    c[m] += sum[m];
        }
}

/* Copies of the registers, as D may share theirs with A, B and C. */
static void multiply_slowly(struct warp *w, const struct matrix *x)
{
    word32 a[MATRIX_REGISTERS], b[MATRIX_REGISTERS], c[MATRIX_REGISTERS],
        d[MATRIX_REGISTERS];
    for (int r = 0; r < x->n_a; r++)
        __builtin_memcpy(a[r], slot(w, x->a[r]), sizeof *a);
    for (int r = 0; r < x->n_b; r++)
        __builtin_memcpy(b[r], slot(w, x->b[r]), sizeof *b);
    for (int r = 0; r < x->n_c; r++)
        __builtin_memcpy(c[r], slot(w, x->c[r]), sizeof *c);
    tensor_product(x, a, b, c, d);
    for (int r = 0; r < x->n_d; r++)
        __builtin_memcpy(slot(w, x->d[r]), d[r], sizeof *d);
}

static inline void count(struct warp *w, const struct matrix *x)
{
    uint8_t *counters = (uint8_t *)&w->worker->counters;
    *(uint64_t *)(counters + x->counter) += x->ops;
}

HANDLER(mma_float)
{
    const struct matrix *x = i->detail->matrix;
    if (mask != (uint32_t)FULL)
        return i->detail->slow(w, i, mask);
    const struct tensor_model *model = tensor_model_of(x->a_type, x->op);
    struct tile t;
    count(w, x);
    if (x->m < ROWS) {
        __builtin_memset(t.a, 0, sizeof t.a[0]);
        __builtin_memset(t.a_size, 0, sizeof t.a_size[0]);
        __builtin_memset(t.c, 0, sizeof t.c[0]);
    }
    if (read_a(&t, x, model, w) | read_b(&t, x, model, w) |
        read_sums(&t, x, w)) {
        multiply_slowly(w, x);
        return i + 1;
    }
    multiply(&t, x, model);
    write_sums(&t, x, w, false);
    return i + 1;
}

/* Integers ----------------------------------------------------------------- */

/* A sum of 64 products of bytes is exact in fp32. */
static void multiply_whole(struct tile *t, const struct matrix *x)
{
    for (int b = 0; b < (x->m + ROWS - 1) / ROWS; b++)
        for (int n = 0; n < x->n; n++) {
            float sum[ROWS] = {0};
            int32_t *c = t->whole[b][n];
            for (int k = 0; k < x->k; k++)
                for (int m = 0; m < ROWS; m++)
                    sum[m] += t->a[b][k][m] * t->b[n][k];
            for (int m = 0; m < ROWS; m++) {
                int64_t all = (int64_t)c[m] + (int32_t)sum[m];
                int64_t end = all < 0 ? INT32_MIN : INT32_MAX;
                bool stops = x->saturates && all != (int32_t)all;
                c[m] = (int32_t)(stops ? end : all);
            }
        }
}

HANDLER(mma_int)
{
    const struct matrix *x = i->detail->matrix;
    if (mask != (uint32_t)FULL)
        return i->detail->slow(w, i, mask);
    struct tile t;
    count(w, x);
    if (x->m < ROWS) {
        __builtin_memset(t.a, 0, sizeof t.a[0]);
        __builtin_memset(t.whole, 0, sizeof t.whole[0]);
    }
    read_a(&t, x, NULL, w);
    read_b(&t, x, NULL, w);
    read_sums(&t, x, w);
    multiply_whole(&t, x);
    write_sums(&t, x, w, true);
    return i + 1;
}

/* fp64 --------------------------------------------------------------------- */

HANDLER(mma_f64)
{
    const struct matrix *x = i->detail->matrix;
    if (mask != (uint32_t)FULL)
        return i->detail->slow(w, i, mask);
    double a[ROWS][ROWS], b[ROWS][BLOCK], sum[ROWS][BLOCK];
    count(w, x);
    for (int m = 0; m < x->m; m++)
        for (int k = 0; k < x->k; k++) {
            struct matrix_place at = matrix_a(x, m, k);
            a[m][k] = ((double *)slot(w, x->a[at.reg]))[at.lane];
        }
    for (int k = 0; k < x->k; k++)
        for (int n = 0; n < BLOCK; n++) {
            struct matrix_place at = matrix_b(x, k, n);
            b[k][n] = ((double *)slot(w, x->b[at.reg]))[at.lane];
        }
    for (int m = 0; m < x->m; m++)
        for (int n = 0; n < BLOCK; n++) {
            struct matrix_place at = matrix_sum(x, m, n, TENSOR_F64);
            sum[m][n] = ((double *)slot(w, x->c[at.reg]))[at.lane];
        }
    for (int m = 0; m < x->m; m++)
        for (int k = 0; k < x->k; k++)
            for (int n = 0; n < BLOCK; n++)
                sum[m][n] = fused_f64(a[m][k], b[k][n], sum[m][n]);
    for (int m = 0; m < x->m; m++)
        for (int n = 0; n < BLOCK; n++) {
            struct matrix_place at = matrix_sum(x, m, n, TENSOR_F64);
            ((double *)slot(w, x->d[at.reg]))[at.lane] = sum[m][n];
        }
    return i + 1;
}
