// SPDX-License-Identifier: MIT
/*
 * lanes_product.c: D = A B + C of a tile, as tensor.h models it, in vector
 * code. Interface: product.h.
 *
 * The hard idea is the model's alignment in floats. A product of two numbers is
 * exact in fp32; multiplied by a power of two and converted to an integer, it
 * is cut off where the model cuts it. Beside the numbers themselves that takes
 * the largest sum of exponents per element of D. Two values of k share a
 * 32-bit lane for it, in halves of 16 bits.
 *
 * What has an exponent that fp32 cannot follow, and NaN and infinity, is marked
 * odd: what comes out for it is wrong, and whoever called does it over.
 */
#include "product.h"

/* Sums stay in registers. With a sanitizer's checks the compiler would take
 * minutes for it. */
#ifdef __SANITIZE_ADDRESS__
#define UNROLL
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

#define SIGN 0x80000000u

enum {
    BIAS = 127,
    NO_EXPONENT = -0x2000, /* of zero: twice that fits in 16 bits */
    LEAST_SUM = 153,       /* of exponents of two factors, with twice BIAS:
                              sums of smaller ones are no normal numbers */
};

/* Sizes that the vector code takes, beside 0, as bits of an fp32; and the
 * exponent of subnormal numbers, with BIAS. */
struct format {
    uint32_t low, high;
    int32_t least;
};

#define POWER(n) ((uint32_t)((n) + BIAS) << 23)
static const struct format formats[TENSOR_TYPES] = {
    [TENSOR_F16] = {0, 0x477fe000 /* 65504 */, BIAS - 14},
    [TENSOR_BF16] = {POWER(-38), POWER(38), 0},
    [TENSOR_TF32] = {POWER(-38), POWER(38), 0},
    [TENSOR_E4M3] = {0, 0x43e00000 /* 448 */, BIAS - 6},
    [TENSOR_E5M2] = {0, 0x47600000 /* 57344 */, BIAS - 14},
    [TENSOR_S8] = {0, UINT32_MAX, 0},
    [TENSOR_U8] = {0, UINT32_MAX, 0},
    [TENSOR_S4] = {0, UINT32_MAX, 0},
    [TENSOR_U4] = {0, UINT32_MAX, 0},
    [TENSOR_F32] = {POWER(-76), POWER(76), 0},
};

/* Spreading out ------------------------------------------------------------ */

/* Element j of a word. */
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

ACCESS_INLINE uint32_t is_odd(const struct format *f, uint32_t size)
{
    return (uint32_t)(size - f->low > f->high - f->low) & (size != 0);
}

/* Element j of n words. What is odd becomes 0. */
ACCESS_INLINE void spread(uint8_t type, const uint32_t *words, int j, int n,
                          float *restrict value, int32_t *restrict exponent,
                          uint32_t *restrict odd)
{
    const struct format f = formats[type];
    for (int l = 0; l < n; l++) {
        float x = convert(type, words[l], j);
        uint32_t size = as_bits(x) & 0x7fffffff;
        int32_t e = (int32_t)(size >> 23);
        uint32_t wrong = is_odd(&f, size);
        e = e > f.least ? e : f.least;
        value[l] = wrong ? 0 : x;
        exponent[l] = size && !wrong ? e : NO_EXPONENT;
        odd[l] = wrong;
    }
}

/* Four words of n rows or columns; k's elements lie `apart`. Blocks of 8
 * columns are spread together: the compiler has no vectors so short. */
ACCESS_INLINE void unfold(uint8_t type, const struct places *places,
                          const uint32_t *words, size_t stride, const int n,
                          size_t apart, float *value, uint32_t *pairs,
                          uint32_t *odd)
{
    enum { MOST = QUAD * BLOCK };
    const struct places at = *places;
    const bool ordered = at.order && at.order->by_halves;
    const int together = n == BLOCK ? QUAD : 1;
    _Alignas(64) int32_t exponent[MATRIX_K][MATRIX_ROWS], e[MOST];
    _Alignas(64) float x[MOST];
    _Alignas(64) uint32_t wrong[MOST];
    const size_t bytes = (size_t)n * sizeof *x;
    for (int first = 0; first < QUAD; first += together)
        for (int j = 0; j < at.pack; j++) {
            spread(type, words + stride * (size_t)first, j, together * n, x, e,
                   wrong);
            for (int q = 0; q < together; q++) {
                int k = at.first + at.pack * (first + q) + j;
                k = ordered ? tensor_place(at.order, k) : k;
                __builtin_memcpy(value + apart * (size_t)k, x + n * q, bytes);
                __builtin_memcpy(exponent[k], e + n * q, bytes);
                for (int l = 0; l < n; l++)
                    odd[l] |= wrong[n * q + l];
            }
        }
    for (int i = 0; i < QUAD * at.pack; i += 2) {
        int k = at.first + i;
        k = ordered ? tensor_place(at.order, k) : k;
        uint32_t *to = pairs + apart * (size_t)(k / 2);
        for (int l = 0; l < n; l++)
            to[l] = ((uint32_t)exponent[k][l] & 0xffff) |
                    (uint32_t)exponent[k + 1][l] << 16;
    }
}

#define TYPES(X)                                                               \
    X(F16) X(BF16) X(TF32) X(E4M3) X(E5M2) X(S8) X(U8) X(S4) X(U4)

void product_rows(struct product *p, int block, const struct places *at,
                  const uint32_t (*words)[ROWS])
{
    switch (at->type) {
#define X(name)                                                                \
    case TENSOR_##name:                                                        \
        unfold(TENSOR_##name, at, words[0], ROWS, ROWS, ROWS, p->a[block][0],  \
               p->a_exponents[block][0].word, p->odd_a[block]);                \
        break;
        TYPES(X)
#undef X
    }
}

void product_columns(struct product *p, int column, int n,
                     const struct places *at, const uint32_t *words,
                     size_t stride)
{
    float *value = &p->b[0][column];
    uint32_t *pairs = &p->b_exponents[0][column], *odd = &p->odd_b[column];
    switch (at->type) {
#define X(name)                                                                \
    case TENSOR_##name:                                                        \
        if (n == BLOCK)                                                        \
            unfold(TENSOR_##name, at, words, stride, BLOCK, MATRIX_ROWS,       \
                   value, pairs, odd);                                         \
        else                                                                   \
            unfold(TENSOR_##name, at, words, stride, MATRIX_ROWS, MATRIX_ROWS, \
                   value, pairs, odd);                                         \
        break;
        TYPES(X)
#undef X
    }
}

/* Of a column. Within the loop over columns gcc would shuffle them. */
static __attribute__((noinline)) void odd_sums(const struct format *f,
                                               uint32_t *restrict bits,
                                               uint32_t *restrict odd)
{
    uint32_t low = f->low, high = f->high;
    for (int m = 0; m < ROWS; m++) {
        const struct format range = {low, high, 0};
        uint32_t wrong = is_odd(&range, bits[m] & 0x7fffffff);
        bits[m] = wrong ? 0 : bits[m];
        odd[m] = wrong;
    }
}

void product_odd_sums(struct product *p, const struct matrix *x)
{
    for (int b = 0; b < (x->m + ROWS - 1) / ROWS; b++)
        for (int n = 0; n < x->n; n++)
            odd_sums(&formats[x->c_type], p->c_bits[b][n], p->odd_c[b][n]);
}

/* Floating point ----------------------------------------------------------- */

/* To fp16's nearest, as an fp32: by adding what leaves its last bit. A zero
 * keeps the sign of what was rounded. */
static inline float nearest_half(double total)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &total, sizeof bits);
    uint64_t exponent = bits >> 52 & 0x7ff, least = 1023 - 14;
    exponent = (exponent > least ? exponent : least) + 42;
    uint64_t magic_bits = exponent << 52 | 1ull << 51;
    double magic;
    __builtin_memcpy(&magic, &magic_bits, sizeof magic);
    float nearest = (float)(total + magic - magic);
    return as_float(as_bits(nearest) | ((uint32_t)(bits >> 32) & SIGN));
}

/* fp32 of an integer whose size is below 2^31 - 2^6, toward zero, with so many
 * bits of fraction. */
static inline float cut_off(uint32_t sum, int32_t size, int kept)
{
    float nearest = (float)size;
    uint32_t bits = as_bits(nearest) - ((int32_t)nearest > size);
    bits &= UINT32_MAX << (23 - kept);
    return as_float(bits | (sum & SIGN));
}

/* A step of products on 16 rows of a column. odd: to be done over, in
 * integers of 64 bits. least: the exponent of c's subnormal numbers, with
 * BIAS. */
struct column {
    float *c;
    int32_t least;
    uint32_t *odd;
    const float (*a)[ROWS], (*b)[MATRIX_ROWS];
    const union pairs *a_exponents;
    const uint32_t (*b_exponents)[MATRIX_ROWS];
};

/* The largest exponent of the sum and the products, per row; with twice
 * BIAS. */
ACCESS_INLINE void largest_exponents(const struct column *x, int terms,
                                     int32_t least, int32_t *restrict largest)
{
    union pairs most, b;
    for (int l = 0; l < 2 * ROWS; l++)
        most.half[l] = LEAST_SUM;
    UNROLL for (int k = 0; k < terms / 2; k++) {
        for (int m = 0; m < ROWS; m++)
            b.word[m] = x->b_exponents[k][0];
        for (int l = 0; l < 2 * ROWS; l++) {
            int16_t e = (int16_t)(x->a_exponents[k].half[l] + b.half[l]);
            most.half[l] = most.half[l] > e ? most.half[l] : e;
        }
    }
    for (int m = 0; m < ROWS; m++) {
        int32_t high = (int32_t)most.word[m] >> 16;
        int32_t low = (int32_t)(most.word[m] << 16) >> 16;
        uint32_t size = as_bits(x->c[m]) & 0x7fffffff;
        int32_t e = (int32_t)(size >> 23);
        e = (size ? (e > least ? e : least) : 0) + BIAS;
        low = low > high ? low : high;
        largest[m] = low > e ? low : e;
    }
}

/* terms: products, two at least; fraction, kept: struct tensor_model. half: D
 * is fp16. Half the products fit in 32 bits, and so do all of them unless they
 * are 16 of nearly the largest size. */
ACCESS_INLINE void step(const struct column *x, const int terms,
                        const int fraction, const int kept, const bool half)
{
    int32_t largest[ROWS], low[ROWS], high[ROWS];
    float scale[ROWS];
    largest_exponents(x, terms, x->least, largest);
    for (int m = 0; m < ROWS; m++) {
        int32_t up = fraction + 3 * BIAS - largest[m];
        scale[m] = as_float((uint32_t)up << 23);
        low[m] = (int32_t)(x->c[m] * scale[m]);
        high[m] = 0;
    }
    UNROLL for (int k = 0; k < terms / 2; k++)
        for (int m = 0; m < ROWS; m++)
            low[m] += (int32_t)(x->a[k][m] * x->b[k][0] * scale[m]);
    UNROLL for (int k = terms / 2; k < terms; k++)
        for (int m = 0; m < ROWS; m++)
            high[m] += (int32_t)(x->a[k][m] * x->b[k][0] * scale[m]);
    for (int m = 0; m < ROWS; m++) {
        int32_t down = largest[m] - BIAS - fraction;
        float unit = as_float((uint32_t)down << 23);
        if (half) {
            double total = (double)low[m] + (double)high[m];
            x->c[m] = nearest_half(total * (double)unit);
            continue;
        }
        uint32_t sum = (uint32_t)low[m] + (uint32_t)high[m];
        uint32_t size = sum & SIGN ? -sum : sum;
        uint32_t wraps = ((uint32_t)low[m] ^ sum) & ((uint32_t)high[m] ^ sum);
        if (terms == 16)
            x->odd[m] |= (wraps | (size + 64)) >> 31;
        x->c[m] = cut_off(sum, (int32_t)size, kept) * unit;
    }
}

typedef void step_of_column(const struct column *x);
#define STEP(name, terms, fraction, kept, half)                                \
    static void name(const struct column *x)                                   \
    {                                                                          \
        step(x, terms, fraction, kept, half);                                  \
    }
STEP(step_4, 4, 25, 23, false)
STEP(step_8, 8, 25, 23, false)
STEP(step_16, 16, 25, 23, false)
STEP(step_32, 32, 13, 13, false)
STEP(step_8_half, 8, 25, 23, true)
STEP(step_16_half, 16, 25, 23, true)
STEP(step_32_half, 32, 13, 13, true)

static step_of_column *step_for(const struct matrix *x, int terms)
{
    bool half = x->d_type == TENSOR_F16;
    switch (terms) {
    case 4: return step_4;
    case 8: return half ? step_8_half : step_8;
    case 16: return half ? step_16_half : step_16;
    default: return half ? step_32_half : step_32;
    }
}

/* Rows of a block, and a column. */
static void multiply(struct product *p, const struct matrix *x,
                     const struct tensor_model *model, step_of_column *one,
                     int block, int n)
{
    _Alignas(64) float sum[ROWS] = {0};
    int terms = model->terms < x->k ? model->terms : x->k;
    float *c = p->c[block][n];
    for (int k = 0; k < x->k; k += terms) {
        struct column at = {
            .c = model->by_halves ? sum : c, .odd = p->odd_c[block][n],
            .least = formats[x->c_type].least,
            .a = p->a[block] + k, .a_exponents = p->a_exponents[block] + k / 2,
            .b = (const void *)&p->b[k][n],
            .b_exponents = (const void *)&p->b_exponents[k / 2][n]};
        one(&at);
    }
    for (int m = 0; model->by_halves && m < ROWS; m++)
        c[m] += sum[m];
}

static __attribute__((noinline)) void
gather_odd(uint32_t *restrict odd, const uint32_t *restrict row,
           uint32_t column, uint32_t *restrict any)
{
    for (int m = 0; m < ROWS; m++) {
        odd[m] |= row[m] | column;
        any[m] |= odd[m];
    }
}

bool product_float(struct product *p, const struct matrix *x,
                   const struct tensor_model *model)
{
    int terms = model->terms < x->k ? model->terms : x->k;
    step_of_column *one = step_for(x, terms);
    uint32_t odd[ROWS] = {0};
    for (int b = 0; b < (x->m + ROWS - 1) / ROWS; b++)
        for (int n = 0; n < x->n; n++) {
            multiply(p, x, model, one, b, n);
            gather_odd(p->odd_c[b][n], p->odd_a[b], p->odd_b[n], odd);
        }
    uint32_t any = 0;
    for (int m = 0; m < ROWS; m++)
        any |= odd[m];
    return any;
}

/* Integers ----------------------------------------------------------------- */

/* A sum of 64 products of bytes is exact in fp32. */
void product_whole(struct product *p, const struct matrix *x)
{
    for (int b = 0; b < (x->m + ROWS - 1) / ROWS; b++)
        for (int n = 0; n < x->n; n++) {
            float sum[ROWS] = {0};
            int32_t *c = p->whole[b][n];
            for (int k = 0; k < x->k; k++)
                for (int m = 0; m < ROWS; m++)
                    sum[m] += p->a[b][k][m] * p->b[k][n];
            for (int m = 0; m < ROWS; m++) {
                int64_t all = (int64_t)c[m] + (int32_t)sum[m];
                int64_t end = all < 0 ? INT32_MIN : INT32_MAX;
                bool stops = x->saturates && all != (int32_t)all;
                c[m] = (int32_t)(stops ? end : all);
            }
        }
}
