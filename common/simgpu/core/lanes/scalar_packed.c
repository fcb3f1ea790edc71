// SPDX-License-Identifier: MIT
/*
 * scalar_packed.c: two or four small numbers in a register, and what came
 * with them: minima of halves, .relu, bytes as 8-bit floats. Interface: eval.h.
 *
 * Sources: the PTX ISA, "Integer Arithmetic Instructions" (.s16x2, .relu),
 * "Half Precision Floating Point Instructions", "SIMD Video Instructions",
 * "Data Movement and Conversion Instructions: cvt".
 */
#include <math.h>

#include "approx.h"
#include "eval.h"
#include "half.h"

/* Pairs of 16 bits ------------------------------------------------------- */

static int32_t half_of(uint64_t x, int k, bool is_signed)
{
    uint32_t bits = (uint32_t)(x >> 16 * k) & 0xffff;
    return is_signed ? (int16_t)bits : (int32_t)bits;
}

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t sum(int32_t a, int32_t b) { return a + b; }
static int32_t least_relu(int32_t a, int32_t b) { return most(0, least(a, b)); }
static int32_t most_relu(int32_t a, int32_t b) { return most(0, most(a, b)); }

#define PAIR(name, is_signed, f)                                               \
    uint64_t eval_##name(uint64_t a, uint64_t b, uint64_t c,                   \
                         const struct inst *i)                                 \
    {                                                                          \
        uint32_t d = 0;                                                        \
        (void)c, (void)i;                                                      \
        for (int k = 0; k < 2; k++)                                            \
            d |= ((uint32_t)f(half_of(a, k, is_signed),                        \
                              half_of(b, k, is_signed)) & 0xffff) << 16 * k;   \
        return d;                                                              \
    }
PAIR(add_x2, false, sum)
PAIR(min_s16x2, true, least)
PAIR(max_s16x2, true, most)
PAIR(min_u16x2, false, least)
PAIR(max_u16x2, false, most)
PAIR(min_relu_s16x2, true, least_relu)
PAIR(max_relu_s16x2, true, most_relu)

uint64_t eval_min_relu_s32(uint64_t a, uint64_t b, uint64_t c,
                           const struct inst *i)
{
    (void)c, (void)i;
    return (uint32_t)least_relu((int32_t)a, (int32_t)b);
}

uint64_t eval_max_relu_s32(uint64_t a, uint64_t b, uint64_t c,
                           const struct inst *i)
{
    (void)c, (void)i;
    return (uint32_t)most_relu((int32_t)a, (int32_t)b);
}

/* vabsdiff{2,4}: with .add the distances are summed onto c, else they are
 * the parts of the result, c where none is written: all are. */
static uint64_t distances(uint64_t a, uint64_t b, uint64_t c, int width,
                          bool is_signed, bool add)
{
    uint32_t parts = 0, total = 0, mask = (1u << width) - 1;
    for (int at = 0; at < 32; at += width) {
        int64_t x = (int64_t)(a >> at & mask), y = (int64_t)(b >> at & mask);
        if (is_signed) {
            x -= (x >> (width - 1)) << width;
            y -= (y >> (width - 1)) << width;
        }
        uint32_t distance = (uint32_t)(x > y ? x - y : y - x);
        parts |= (distance & mask) << at;
        total += distance;
    }
    return add ? (uint32_t)c + total : parts;
}

#define VIDEO(name, width, is_signed, add)                                     \
    uint64_t eval_##name(uint64_t a, uint64_t b, uint64_t c,                   \
                         const struct inst *i)                                 \
    {                                                                          \
        (void)i;                                                               \
        return distances(a, b, c, width, is_signed, add);                      \
    }
VIDEO(vabsdiff2_u32, 16, false, false)
VIDEO(vabsdiff2_s32, 16, true, false)
VIDEO(vabsdiff4_u32, 8, false, false)
VIDEO(vabsdiff4_s32, 8, true, false)
VIDEO(vabsdiff2_add_u32, 16, false, true)
VIDEO(vabsdiff2_add_s32, 16, true, true)
VIDEO(vabsdiff4_add_u32, 8, false, true)
VIDEO(vabsdiff4_add_s32, 8, true, true)

/* Halves ----------------------------------------------------------------- */

struct kind {
    double (*widen)(uint64_t bits);
    uint16_t (*narrow)(double x, enum rounding mode);
    double tiny; /* below: subnormal */
};
static const struct kind f16 = {half_to_double, half_round, 0x1p-14};
static const struct kind bf16 = {bfloat_to_double, bfloat_round, 0x1p-126};

static double operand_of(const struct kind *f, uint64_t bits,
                         const struct inst *i)
{
    double x = f->widen(bits & 0xffff);
    return (i->mods & MOD_FTZ) && fabs(x) < f->tiny ? copysign(0, x) : x;
}

/* -0 is less than +0; of a number and a NaN the number, unless .NaN. */
static double extreme(double x, double y, bool greater, bool nan)
{
    if (isnan(x) || isnan(y))
        return nan ? NAN : isnan(x) ? y : x;
    if (x == y)
        return !signbit(x) == greater ? x : y;
    return (x > y) == greater ? x : y;
}

static uint16_t extreme_half(const struct kind *f, uint64_t a, uint64_t b,
                             const struct inst *i, bool greater)
{
    return f->narrow(extreme(operand_of(f, a, i), operand_of(f, b, i), greater,
                             i->mods & MOD_NAN), ROUND_NEAREST);
}

static uint16_t relu(uint16_t x, const struct kind *f)
{
    double value = f->widen(x);
    return isnan(value) ? 0x7fff : signbit(value) ? 0 : x;
}

typedef uint16_t lane_function(const struct kind *f, uint64_t a, uint64_t b,
                               uint64_t c, const struct inst *i);

static uint16_t min_of(const struct kind *f, uint64_t a, uint64_t b,
                       uint64_t c, const struct inst *i)
{
    (void)c;
    return extreme_half(f, a, b, i, false);
}

static uint16_t max_of(const struct kind *f, uint64_t a, uint64_t b,
                       uint64_t c, const struct inst *i)
{
    (void)c;
    return extreme_half(f, a, b, i, true);
}

static uint16_t fma_relu_of(const struct kind *f, uint64_t a, uint64_t b,
                            uint64_t c, const struct inst *i)
{
    scalar *fma_of = f == &f16 ? eval_fma_f16 : eval_fma_bf16;
    return relu((uint16_t)fma_of(a, b, c, i), f);
}

static uint16_t tanh_of(const struct kind *f, uint64_t a, uint64_t b,
                        uint64_t c, const struct inst *i)
{
    (void)b, (void)c;
    return f->narrow(approx_tanh(operand_of(f, a, i)), ROUND_NEAREST);
}

static uint16_t ex2_of(const struct kind *f, uint64_t a, uint64_t b,
                       uint64_t c, const struct inst *i)
{
    (void)b, (void)c;
    return f->narrow(approx_exp2(operand_of(f, a, i)), ROUND_NEAREST);
}

#define HALF(name, format, f)                                                  \
    uint64_t eval_##name##_##format(uint64_t a, uint64_t b, uint64_t c,        \
                                    const struct inst *i)                      \
    {                                                                          \
        return f(&format, a, b, c, i);                                         \
    }                                                                          \
    uint64_t eval_##name##_##format##x2(uint64_t a, uint64_t b, uint64_t c,    \
                                        const struct inst *i)                  \
    {                                                                          \
        return f(&format, a, b, c, i) |                                        \
               (uint32_t)f(&format, a >> 16, b >> 16, c >> 16, i) << 16;       \
    }
HALF(min, f16, min_of)
HALF(min, bf16, min_of)
HALF(max, f16, max_of)
HALF(max, bf16, max_of)
HALF(fma_relu, f16, fma_relu_of)
HALF(fma_relu, bf16, fma_relu_of)
HALF(tanh, f16, tanh_of)
HALF(tanh, bf16, tanh_of)
HALF(ex2, f16, ex2_of)
HALF(ex2, bf16, ex2_of)

/* Two floats, the first into the upper half. */
static double from_f32(uint64_t bits)
{
    union { uint32_t u; float f; } v = {(uint32_t)bits};
    return (double)v.f;
}

static uint16_t from_single(const struct kind *f, uint64_t bits,
                            const struct inst *i)
{
    uint16_t x = f->narrow(from_f32(bits),
                           (enum rounding)((i->mods & MOD_ROUND) >> 2));
    if (i->p1 && isinf(f->widen(x)))
        x--; /* .satfinite: the largest number is one below */
    return i->p0 ? relu(x, f) : x;
}

#define FROM_SINGLE(name, format)                                              \
    uint64_t eval_##name##x2(uint64_t a, uint64_t b, uint64_t c,               \
                             const struct inst *i)                             \
    {                                                                          \
        (void)c;                                                               \
        return (uint32_t)from_single(&format, a, i) << 16 |                    \
               from_single(&format, b, i);                                     \
    }                                                                          \
    uint64_t eval_##name##_f32(uint64_t a, uint64_t b, uint64_t c,             \
                               const struct inst *i)                           \
    {                                                                          \
        (void)b, (void)c;                                                      \
        return from_single(&format, a, i);                                     \
    }
FROM_SINGLE(f16, f16)
FROM_SINGLE(bf16, bf16)

/* 8-bit floats ----------------------------------------------------------- */

struct tiny {
    int fraction, min_exponent;
    double most; /* what larger ones become: .satfinite */
};
static const struct tiny e4m3 = {3, -6, 448}, e5m2 = {2, -14, 57344};

static uint8_t narrow8(double x, const struct tiny *f, const struct inst *i)
{
    uint8_t sign = signbit(x) ? 0x80 : 0;
    if (isnan(x))
        return 0x7f;
    if (i->p0 && sign)
        return 0; /* .relu */
    x = fabs(x) > f->most ? f->most : fabs(x);
    if (x == 0)
        return sign;
    int exponent = ilogb(x);
    if (exponent < f->min_exponent)
        exponent = f->min_exponent;
    int units = (int)nearbyint(ldexp(x, f->fraction - exponent));
    return (uint8_t)(sign | (((exponent - f->min_exponent) << f->fraction) +
                             units));
}

static uint16_t widen_e4m3(uint8_t bits)
{
    int exponent = bits >> 3 & 15, fraction = bits & 7;
    if ((bits & 0x7f) == 0x7f)
        return 0x7fff;
    double x = exponent ? ldexp(8 + fraction, exponent - 10)
                        : ldexp(fraction, -9);
    return half_round(bits & 0x80 ? -x : x, ROUND_NEAREST);
}

static uint16_t widen_e5m2(uint8_t bits)
{
    return (bits & 0x7f) > 0x7c ? 0x7fff : (uint16_t)(bits << 8);
}

#define BYTES(name, format)                                                    \
    uint64_t eval_##name##_f32(uint64_t a, uint64_t b, uint64_t c,             \
                               const struct inst *i)                           \
    {                                                                          \
        (void)c;                                                               \
        return (uint32_t)narrow8(from_f32(a), &format, i) << 8 |               \
               narrow8(from_f32(b), &format, i);                               \
    }                                                                          \
    uint64_t eval_##name##_f16x2(uint64_t a, uint64_t b, uint64_t c,           \
                                 const struct inst *i)                         \
    {                                                                          \
        (void)b, (void)c;                                                      \
        return (uint32_t)narrow8(half_to_double(a >> 16), &format, i) << 8 |   \
               narrow8(half_to_double(a), &format, i);                         \
    }                                                                          \
    uint64_t eval_f16x2_##name(uint64_t a, uint64_t b, uint64_t c,             \
                               const struct inst *i)                           \
    {                                                                          \
        uint16_t high = widen_##format((uint8_t)(a >> 8));                     \
        uint16_t low = widen_##format((uint8_t)a);                             \
        (void)b, (void)c;                                                      \
        if (i->p0) {                                                           \
            high = relu(high, &f16);                                           \
            low = relu(low, &f16);                                             \
        }                                                                      \
        return (uint32_t)high << 16 | low;                                     \
    }
BYTES(e4m3x2, e4m3)
BYTES(e5m2x2, e5m2)
