// SPDX-License-Identifier: MIT
/*
 * scalar_half.c: f16 and bf16. Interface: half.h, eval.h.
 *
 * Operands widen to double, where sums and products of two 16-bit formats are
 * exact or far from a tie; then one rounding.
 */
#include "half.h"

#include <math.h>
#include <string.h>

#include "eval.h"
#include "nan.h"

static double widen(uint64_t bits, const struct float_format *f)
{
    int special = (1 << f->exponent_bits) - 1;
    int exponent = (int)(bits >> f->fraction) & special;
    double fraction = (double)(bits & ((1u << f->fraction) - 1));
    double x;
    if (exponent == special)
        x = fraction > 0 ? NAN : INFINITY;
    else if (exponent == 0)
        x = ldexp(fraction, f->min_exponent - f->fraction);
    else
        x = ldexp(fraction + (1 << f->fraction),
                  f->min_exponent + exponent - 1 - f->fraction);
    return bits >> 15 & 1 ? -x : x;
}

static uint16_t narrow(double x, enum rounding mode,
                       const struct float_format *f)
{
    return (uint16_t)soft_from_double(f, x, mode);
}

double half_to_double(uint64_t bits)
{
    return widen(bits & 0xffff, &soft_f16);
}

double bfloat_to_double(uint64_t bits)
{
    return widen(bits & 0xffff, &soft_bf16);
}

uint16_t half_round(double x, enum rounding mode)
{
    return narrow(x, mode, &soft_f16);
}

uint16_t bfloat_round(double x, enum rounding mode)
{
    return narrow(x, mode, &soft_bf16);
}

/* a b + c where a b is exact, with what a rounding to 53 bits would lose
 * folded into the last bit ("round to odd"), so that the rounding that
 * follows sees it. */
static double fused_to_odd(double a, double b, double c)
{
    double p = a * b, s = p + c;
    double part = s - p, lost = (p - (s - part)) + (c - part);
    uint64_t bits;
    if (!isfinite(s) || lost == 0)
        return s;
    memcpy(&bits, &s, sizeof bits);
    if (!(bits & 1))
        bits += (lost > 0) == (s > 0) ? 1 : UINT64_MAX;
    memcpy(&s, &bits, sizeof s);
    return s;
}

enum arithmetic { SUM, DIFFERENCE, PRODUCT, FUSED };

static double compute(enum arithmetic op, double a, double b, double c)
{
    switch (op) {
    case SUM: return a + b;
    case DIFFERENCE: return a - b;
    case PRODUCT: return a * b;
    default: return fused_to_odd(a, b, c);
    }
}

static double flushed(double x, const struct float_format *f,
                      const struct inst *i)
{
    bool tiny = fabs(x) < ldexp(1, f->min_exponent);
    return (i->mods & MOD_FTZ) && tiny ? copysign(0, x) : x;
}

static uint64_t one(const struct float_format *f, enum arithmetic op,
                    uint64_t a, uint64_t b, uint64_t c, const struct inst *i)
{
    double x = compute(op, flushed(widen(a & 0xffff, f), f, i),
                       flushed(widen(b & 0xffff, f), f, i),
                       flushed(widen(c & 0xffff, f), f, i));
    if (i->mods & MOD_SAT)
        x = x > 0 ? x > 1 ? 1 : x : 0;
    enum rounding mode = (enum rounding)((i->mods & MOD_ROUND) >> 2);
    return narrow(flushed(x, f, i), mode, f);
}

static uint64_t two(const struct float_format *f, enum arithmetic op,
                    uint64_t a, uint64_t b, uint64_t c, const struct inst *i)
{
    return one(f, op, a, b, c, i) |
           one(f, op, a >> 16, b >> 16, c >> 16, i) << 16;
}

#define BOTH(name, op)                                                         \
    uint64_t eval_##name##_f16(uint64_t a, uint64_t b, uint64_t c,             \
                               const struct inst *i)                           \
    {                                                                          \
        return one(&soft_f16, op, a, b, c, i);                                 \
    }                                                                          \
    uint64_t eval_##name##_f16x2(uint64_t a, uint64_t b, uint64_t c,           \
                                 const struct inst *i)                         \
    {                                                                          \
        return two(&soft_f16, op, a, b, c, i);                                 \
    }                                                                          \
    uint64_t eval_##name##_bf16(uint64_t a, uint64_t b, uint64_t c,            \
                                const struct inst *i)                          \
    {                                                                          \
        return one(&soft_bf16, op, a, b, c, i);                                \
    }                                                                          \
    uint64_t eval_##name##_bf16x2(uint64_t a, uint64_t b, uint64_t c,          \
                                  const struct inst *i)                        \
    {                                                                          \
        return two(&soft_bf16, op, a, b, c, i);                                \
    }
BOTH(add, SUM)
BOTH(sub, DIFFERENCE)
BOTH(mul, PRODUCT)
BOTH(fma, FUSED)

#define BITWISE(name, expression)                                              \
    uint64_t eval_##name(uint64_t a, uint64_t b, uint64_t c,                   \
                         const struct inst *i)                                 \
    {                                                                          \
        (void)b, (void)c, (void)i;                                             \
        return (expression);                                                   \
    }
enum { INFINITY_F16 = 0x7c00, INFINITY_BF16 = 0x7f80 };
#define SIGNS(format, infinity)                                                \
    BITWISE(neg_##format, nan_half((uint32_t)a ^ 0x8000u, infinity))           \
    BITWISE(neg_##format##x2, nan_halves((uint32_t)a ^ 0x80008000u, infinity)) \
    BITWISE(abs_##format, nan_half(a & 0x7fffu, infinity))                     \
    BITWISE(abs_##format##x2, nan_halves(a & 0x7fff7fffu, infinity))
SIGNS(f16, INFINITY_F16)
SIGNS(bf16, INFINITY_BF16)

static uint64_t flushed_bits(uint64_t a, const struct inst *i)
{
    double x = widen(a & 0xffff, &soft_f16);
    return narrow(flushed(x, &soft_f16, i), ROUND_NEAREST, &soft_f16);
}

static uint64_t both_flushed(uint64_t a, const struct inst *i)
{
    return flushed_bits(a >> 16, i) << 16 | flushed_bits(a, i);
}

BITWISE(neg_ftz_f16, eval_neg_f16(flushed_bits(a, i), b, c, i))
BITWISE(abs_ftz_f16, eval_abs_f16(flushed_bits(a, i), b, c, i))
BITWISE(neg_ftz_f16x2, eval_neg_f16x2(both_flushed(a, i), b, c, i))
BITWISE(abs_ftz_f16x2, eval_abs_f16x2(both_flushed(a, i), b, c, i))
