// SPDX-License-Identifier: MIT
/*
 * tensor.c: sums of products as a tensor core makes them, one at a time: what
 * the vector code of lanes_product.c leaves out (NaN, infinity, exponents far
 * apart), and what it is tested against. Interface: tensor.h.
 */
#include "tensor.h"

#include "softfloat.h"

/* A finite number is (negative ? -1 : 1) significand 2^(exponent - fraction).
 */
struct number {
    bool negative, nan, infinite;
    uint32_t significand;
    int exponent, fraction;
};

struct format {
    int exponent_bits, fraction, skipped; /* skipped: low bits that do not count
                                           */
    bool has_infinity;
};

static const struct format formats[] = {
    [TENSOR_F16] = {5, 10, 0, true},  [TENSOR_BF16] = {8, 7, 0, true},
    [TENSOR_TF32] = {8, 10, 13, true}, [TENSOR_E4M3] = {4, 3, 0, false},
    [TENSOR_E5M2] = {5, 2, 0, true},  [TENSOR_F32] = {8, 23, 0, true},
};

static struct number number_of(uint8_t type, uint32_t bits)
{
    const struct format *f = &formats[type];
    int most = (1 << f->exponent_bits) - 1, bias = most / 2;
    bits >>= f->skipped;
    uint32_t fraction = bits & ((1u << f->fraction) - 1);
    int exponent = (int)(bits >> f->fraction) & most;
    struct number x = {.negative = bits >> (f->fraction + f->exponent_bits) & 1,
                       .significand = fraction, .exponent = 1 - bias,
                       .fraction = f->fraction};
    if (f->has_infinity && exponent == most) {
        x.nan = fraction != 0;
        x.infinite = !x.nan;
    } else if (!f->has_infinity && exponent == most &&
               fraction == (1u << f->fraction) - 1) {
        x.nan = true;
    } else if (exponent) {
        x.significand |= 1u << f->fraction;
        x.exponent = exponent - bias;
    }
    return x;
}

static bool is_zero(const struct number *x)
{
    return !x->nan && !x->infinite && x->significand == 0;
}

/* What NaN and infinity make of a step. */
struct special {
    bool nan, plus, minus;
};

static void note(struct special *s, const struct number *a,
                 const struct number *b)
{
    bool negative = a->negative ^ b->negative;
    if (a->nan || b->nan || (a->infinite && is_zero(b)) ||
        (b->infinite && is_zero(a)))
        s->nan = true;
    else if (a->infinite || b->infinite)
        *(negative ? &s->minus : &s->plus) = true;
}

/* significand 2^(exponent - fraction) in units of 2^(largest - kept), toward
 * zero. */
static int64_t aligned(bool negative, uint64_t significand, int exponent,
                       int fraction, int largest, int kept)
{
    int up = exponent - fraction - largest + kept;
    if (significand == 0) /* of any exponent */
        return 0;
    if (up >= 0)
        significand <<= up;
    else
        significand = up > -64 ? significand >> -up : 0;
    return negative ? -(int64_t)significand : (int64_t)significand;
}

/* units 2^scale as fp32 of so many bits of fraction, toward zero. */
static uint32_t cut_off(int64_t units, int scale, int kept)
{
    uint32_t sign = units < 0 ? 0x80000000u : 0;
    uint64_t size = units < 0 ? -(uint64_t)units : (uint64_t)units;
    if (size == 0)
        return 0;
    int top = 63 - __builtin_clzll(size), exponent = top + scale;
    if (exponent > 127)
        return sign | 0x7f800000u;
    int down = exponent < -126 ? -149 - scale : top - 23;
    size = down <= 0 ? size << -down : down < 64 ? size >> down : 0;
    size &= ~((1ull << (23 - kept)) - 1);
    if (exponent < -126)
        return sign | (uint32_t)size;
    return sign | (((uint32_t)(exponent + 126) << 23) + (uint32_t)size);
}

/* units 2^scale as fp16, to nearest. */
static uint32_t round_half(int64_t units, int scale)
{
    double x = (double)units;
    for (; scale > 0; scale--)
        x *= 2;
    for (; scale < 0; scale++)
        x /= 2;
    return (uint32_t)soft_from_double(&soft_f16, x, ROUND_NEAREST);
}

static uint32_t special_sum(const struct special *s, bool half)
{
    if (s->nan || (s->plus && s->minus))
        return half ? 0x7fff : 0x7fffffff;
    if (half)
        return s->plus ? 0x7c00 : 0xfc00;
    return s->plus ? 0x7f800000 : 0xff800000;
}

enum { TERMS_MOST = 32, NO_EXPONENT = -10000 };

/* One step: a sum and n products. */
static uint32_t step(const struct matrix *x, const struct tensor_model *model,
                     const uint32_t *a, const uint32_t *b, int n,
                     uint8_t c_type, uint32_t sum)
{
    static const struct number one = {.significand = 1};
    struct number c = number_of(c_type, sum), p[TERMS_MOST], q[TERMS_MOST];
    struct special s = {0};
    int largest = is_zero(&c) ? NO_EXPONENT : c.exponent;
    note(&s, &c, &one);
    for (int k = 0; k < n; k++) {
        p[k] = number_of(x->a_type, a[k]);
        q[k] = number_of(x->b_type, b[k]);
        note(&s, &p[k], &q[k]);
        if (!is_zero(&p[k]) && !is_zero(&q[k]) &&
            p[k].exponent + q[k].exponent > largest)
            largest = p[k].exponent + q[k].exponent;
    }
    if (s.nan || s.plus || s.minus)
        return special_sum(&s, x->d_type == TENSOR_F16);
    int bits = model->fraction;
    int64_t units = aligned(c.negative, c.significand, c.exponent, c.fraction,
                            largest, bits);
    for (int k = 0; k < n; k++)
        units += aligned(p[k].negative ^ q[k].negative,
                         (uint64_t)p[k].significand * q[k].significand,
                         p[k].exponent + q[k].exponent,
                         p[k].fraction + q[k].fraction, largest, bits);
    return x->d_type == TENSOR_F16
               ? round_half(units, largest - bits)
               : cut_off(units, largest - bits, model->kept);
}

const struct tensor_model *tensor_model_of(uint8_t type, uint8_t op)
{
    static const struct tensor_model models[] = {
        [TENSOR_F16] = {16, 25, 23, false},
        [TENSOR_BF16] = {16, 25, 23, false},
        [TENSOR_TF32] = {8, 25, 23, false},
        [TENSOR_E4M3] = {16, 25, 23, true},
        [TENSOR_E5M2] = {16, 25, 23, true},
    }, group_fp8 = {32, 13, 13, false}, wmma_tf32 = {4, 25, 23, false};
    if (op == TENSOR_WGMMA && tensor_bits(type) == 8)
        return &group_fp8;
    return op == TENSOR_WMMA && type == TENSOR_TF32 ? &wmma_tf32
                                                    : &models[type];
}

/* An element of D, of a type. a, b: k elements' bits in the order of the
 * steps. c: bits of c_type. */
static uint32_t dot(const struct matrix *x, const struct tensor_model *model,
                    const uint32_t *a, const uint32_t *b, uint32_t c)
{
    uint32_t sum = model->by_halves ? 0 : c;
    for (int at = 0; at < x->k; at += model->terms)
        sum = step(x, model, a + at, b + at,
                   x->k - at < model->terms ? x->k - at : model->terms,
                   at || model->by_halves ? x->d_type : x->c_type, sum);
    return model->by_halves
               ? (uint32_t)soft_add(&soft_f32, c, sum, ROUND_NEAREST)
               : sum;
}

uint32_t tensor_dot(const struct matrix *x, const uint32_t *a,
                    const uint32_t *b, uint32_t c)
{
    return dot(x, tensor_model_of(x->a_type, x->op), a, b, c);
}

/* Of a register that holds elements of so many bits. */
static uint32_t element(const uint32_t (*regs)[32], struct matrix_place at,
                        int bits)
{
    uint32_t word = regs[at.reg][at.lane];
    return bits == 32 ? word : word >> at.place * bits & ((1u << bits) - 1);
}

void tensor_product(const struct matrix *x, const uint32_t (*a)[32],
                    const uint32_t (*b)[32], const uint32_t (*c)[32],
                    uint32_t (*d)[32])
{
    const struct tensor_model *model = tensor_model_of(x->a_type, x->op);
    uint32_t row[MATRIX_K], column[MATRIX_K];
    for (int r = 0; r < x->n_d; r++)
        for (int l = 0; l < 32; l++)
            d[r][l] = 0;
    for (int m = 0; m < x->m; m++)
        for (int n = 0; n < x->n; n++) {
            for (int k = 0; k < x->k; k++) {
                int at = tensor_place(model, k);
                row[at] = element(a, matrix_a(x, m, k),
                                  tensor_bits(x->a_type));
                column[at] = element(b, matrix_b(x, k, n),
                                     tensor_bits(x->b_type));
            }
            struct matrix_place to = matrix_sum(x, m, n, x->d_type);
            uint32_t sum = element(c, matrix_sum(x, m, n, x->c_type),
                                   tensor_bits(x->c_type));
            d[to.reg][to.lane] |= dot(x, model, row, column, sum)
                                  << 16 * to.place;
        }
}
