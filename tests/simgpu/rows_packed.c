// SPDX-License-Identifier: MIT
/*
 * rows_packed.c: two halves, two bfloats, two shorts or four bytes in a
 * register; set, minima and .relu of halves; 8-bit floats. Source: the PTX
 * ISA, as scalar_packed.c names its chapters.
 */
#include "conformance.h"

#include <math.h>

enum { OPEN_NAN = 0x7fff };

static float bfloat(uint32_t bits)
{
    union value v = {.u32 = bits << 16};
    return v.f32;
}

static float half(uint32_t bits)
{
    union value v = {.u16 = (uint16_t)bits};
    return (float)v.f16;
}

/* The representable number next to x, by trying; from bits to value by f. */
static uint16_t nearest(__float128 x, float (*f)(uint32_t), uint32_t infinity)
{
    uint32_t sign = x < 0 || (x == 0 && signbit((double)x)) ? 0x8000 : 0;
    uint32_t low = 0, high = infinity;
    if (x != x)
        return OPEN_NAN;
    if (x < 0)
        x = -x;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if ((__float128)f(middle) <= x)
            low = middle;
        else
            high = middle;
    }
    /* Infinity is where the next number would be. */
    __float128 below = f(low), above = f(high);
    if (high == infinity)
        above = below + (below - (__float128)f(low - 1));
    __float128 up = above - x, down = x - below;
    bool take_high = up < down || (up == down && (low & 1));
    return (uint16_t)(sign | (take_high ? high : low));
}

static uint16_t to_bfloat(__float128 x) { return nearest(x, bfloat, 0x7f80); }
static uint16_t to_half(__float128 x) { return nearest(x, half, 0x7c00); }

/* p + c; where 113 bits hold one of them only, off it by a bit of what they
 * lose, so that it is not taken for a tie. */
static __float128 exact_sum(__float128 p, __float128 c)
{
    __float128 s = p + c, lost = s == p ? c : s == c ? p : 0;
    return lost > 0 ? s + (s < 0 ? -s : s) * 0x1p-100
           : lost < 0 ? s - (s < 0 ? -s : s) * 0x1p-100
                      : s;
}

typedef uint16_t of_two(uint32_t a, uint32_t b, uint32_t c);

static uint16_t relu(uint16_t x)
{
    return x == OPEN_NAN ? x : x & 0x8000 ? 0 : x;
}

#define FORMAT(type, widen, round)                                             \
    static uint16_t type##_sum(uint32_t a, uint32_t b, uint32_t c)             \
    {                                                                          \
        (void)c;                                                               \
        return round((__float128)widen(a) + widen(b));                         \
    }                                                                          \
    static uint16_t type##_difference(uint32_t a, uint32_t b, uint32_t c)      \
    {                                                                          \
        (void)c;                                                               \
        return round((__float128)widen(a) - widen(b));                         \
    }                                                                          \
    static uint16_t type##_product(uint32_t a, uint32_t b, uint32_t c)         \
    {                                                                          \
        (void)c;                                                               \
        return round((__float128)widen(a) * widen(b));                         \
    }                                                                          \
    static uint16_t type##_fused(uint32_t a, uint32_t b, uint32_t c)           \
    {                                                                          \
        return round(exact_sum((__float128)widen(a) * widen(b), widen(c)));    \
    }                                                                          \
    static uint16_t type##_fused_relu(uint32_t a, uint32_t b, uint32_t c)      \
    {                                                                          \
        return relu(type##_fused(a, b, c));                                    \
    }                                                                          \
    static uint16_t type##_min(uint32_t a, uint32_t b, uint32_t c)             \
    {                                                                          \
        float x = widen(a), y = widen(b);                                      \
        (void)c;                                                               \
        if (isnan(x) || isnan(y))                                              \
            return isnan(x) && isnan(y) ? OPEN_NAN                             \
                                        : (uint16_t)(isnan(x) ? b : a);        \
        return (uint16_t)(x < y || (x == y && signbit(x)) ? a : b);            \
    }                                                                          \
    static uint16_t type##_max(uint32_t a, uint32_t b, uint32_t c)             \
    {                                                                          \
        float x = widen(a), y = widen(b);                                      \
        (void)c;                                                               \
        if (isnan(x) || isnan(y))                                              \
            return isnan(x) && isnan(y) ? OPEN_NAN                             \
                                        : (uint16_t)(isnan(x) ? b : a);        \
        return (uint16_t)(x > y || (x == y && !signbit(x)) ? a : b);           \
    }                                                                          \
    static uint16_t type##_min_nan(uint32_t a, uint32_t b, uint32_t c)         \
    {                                                                          \
        return isnan(widen(a)) || isnan(widen(b)) ? OPEN_NAN                   \
                                                  : type##_min(a, b, c);       \
    }                                                                          \
    static uint16_t type##_max_nan(uint32_t a, uint32_t b, uint32_t c)         \
    {                                                                          \
        return isnan(widen(a)) || isnan(widen(b)) ? OPEN_NAN                   \
                                                  : type##_max(a, b, c);       \
    }                                                                          \
    static bool type##_is_nan(uint16_t x) { return isnan(widen(x)); }
FORMAT(bf16, bfloat, to_bfloat)
FORMAT(f16, half, to_half)

/* A NaN's bits are open, in either half. */
static uint32_t two(struct row *row, int k, bool (*is_nan)(uint16_t),
                    of_two *f, union value a, union value b, union value c)
{
    uint16_t low = f(a.u16, b.u16, c.u16);
    uint16_t high = f(a.u32 >> 16, b.u32 >> 16, c.u32 >> 16);
    row->any[k] = is_nan(low) || is_nan(high);
    return (uint32_t)high << 16 | low;
}

static uint16_t one(struct row *row, int k, bool (*is_nan)(uint16_t),
                    of_two *f, union value a, union value b, union value c)
{
    uint16_t x = f(a.u16, b.u16, c.u16);
    row->any[k] = is_nan(x);
    return x;
}

#define PAIR(type, letters, ptx, f)                                            \
    ROW(u32, letters, ptx, two(row, k, type##_is_nan, type##_##f, a, b, c))
#define SINGLE(type, letters, ptx, f)                                          \
    ROW(u16, letters, ptx, one(row, k, type##_is_nan, type##_##f, a, b, c))
#define BOTH_MINIMA(type, letter, letters)                                     \
    PAIR(type, letters, "min." #type "x2 %d, %a, %b;", min);                   \
    PAIR(type, letters, "max." #type "x2 %d, %a, %b;", max);                   \
    PAIR(type, letters, "min.NaN." #type "x2 %d, %a, %b;", min_nan);           \
    PAIR(type, letters, "max.NaN." #type "x2 %d, %a, %b;", max_nan);           \
    SINGLE(type, letter, "min." #type " %d, %a, %b;", min);                    \
    SINGLE(type, letter, "max." #type " %d, %a, %b;", max);                    \
    SINGLE(type, letter, "max.NaN." #type " %d, %a, %b;", max_nan)

/* A NaN of 16 bits is always the same one, as an H200 gave it. */
enum infinities { F16 = 0x7c00, BF16 = 0x7f80 };

static uint16_t one_nan(uint32_t x, enum infinities infinity)
{
    return (x & 0x7fff) > infinity ? 0x7fff : (uint16_t)x;
}

static uint32_t one_nans(uint32_t x, enum infinities infinity)
{
    return one_nan(x, infinity) | (uint32_t)one_nan(x >> 16, infinity) << 16;
}

static void arithmetic(void)
{
    PAIR(bf16, "ii", "add.rn.bf16x2 %d, %a, %b;", sum);
    PAIR(bf16, "ii", "sub.rn.bf16x2 %d, %a, %b;", difference);
    PAIR(f16, "ii", "add.f16x2 %d, %a, %b;", sum);
    PAIR(f16, "ii", "sub.f16x2 %d, %a, %b;", difference);
    PAIR(f16, "ii", "mul.f16x2 %d, %a, %b;", product);
    PAIR(bf16, "ii", "mul.rn.bf16x2 %d, %a, %b;", product);
    PAIR(bf16, "iii", "fma.rn.bf16x2 %d, %a, %b, %c;", fused);
    PAIR(f16, "iii", "fma.rn.f16x2 %d, %a, %b, %c;", fused);
    PAIR(bf16, "iii", "fma.rn.relu.bf16x2 %d, %a, %b, %c;", fused_relu);
    PAIR(f16, "iii", "fma.rn.relu.f16x2 %d, %a, %b, %c;", fused_relu);
    SINGLE(bf16, "jjj", "fma.rn.bf16 %d, %a, %b, %c;", fused);
    SINGLE(bf16, "jjj", "fma.rn.relu.bf16 %d, %a, %b, %c;", fused_relu);
    SINGLE(f16, "jjj", "fma.rn.relu.f16 %d, %a, %b, %c;", fused_relu);
    BOTH_MINIMA(f16, "jj", "ii");
    BOTH_MINIMA(bf16, "jj", "ii");
    ROW(u16, "j", "neg.bf16 %d, %a;", one_nan(a.u16 ^ 0x8000u, BF16));
    ROW(u32, "i", "neg.bf16x2 %d, %a;",
        one_nans(a.u32 ^ 0x80008000u, BF16));
    ROW(u16, "j", "abs.bf16 %d, %a;", one_nan(a.u16 & 0x7fffu, BF16));
    ROW(u32, "i", "abs.bf16x2 %d, %a;",
        one_nans(a.u32 & 0x7fff7fffu, BF16));
    ROW(u32, "i", "abs.f16x2 %d, %a;",
        one_nans(a.u32 & 0x7fff7fffu, F16));
}

/* tanh and 2^x; against the exact value, rounded. */
#define NEAR_HALF(letter, ptx, f)                                              \
    ROW_NEAR(f32, letter, ptx " cvt.f32.f16 %d, %h1;", 0x1p-9,                 \
             half(to_half(f((double)half(a.u16)))))
#define NEAR_BFLOAT(ptx, f)                                                    \
    ROW_NEAR(f32, "j", ptx " cvt.f32.bf16 %d, %h1;", 0x1p-6,                   \
             bfloat(to_bfloat(f((double)bfloat(a.u16)))))

static double ex2_ftz(double x)
{
    double y = exp2(x);
    return y < 0x1p-126 ? 0 : y;
}

static void approximate(void)
{
    NEAR_HALF("h", "tanh.approx.f16 %h1, %a;", tanh);
    NEAR_HALF("i", "tanh.approx.f16x2 %t1, %a; mov.b32 {%h1, %h2}, %t1;",
              tanh);
    NEAR_HALF("h", "ex2.approx.f16 %h1, %a;", exp2);
    NEAR_HALF("i", "ex2.approx.f16x2 %t1, %a; mov.b32 {%h1, %h2}, %t1;",
              exp2);
    NEAR_BFLOAT("tanh.approx.bf16 %h1, %a;", tanh);
    NEAR_BFLOAT("mov.b32 %t1, {%a, %a}; tanh.approx.bf16x2 %t1, %t1; "
                "mov.b32 {%h2, %h1}, %t1;", tanh);
    NEAR_BFLOAT("ex2.approx.ftz.bf16 %h1, %a;", ex2_ftz);
    NEAR_BFLOAT("mov.b32 %t1, {%a, %a}; ex2.approx.ftz.bf16x2 %t1, %t1; "
                "mov.b32 {%h2, %h1}, %t1;", ex2_ftz);
}

static int16_t small(uint32_t x, int part) { return (int16_t)(x >> part); }

static uint32_t shorts(int32_t high, int32_t low)
{
    return (uint32_t)high << 16 | (uint16_t)low;
}

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

#define SHORTS(ptx, f)                                                         \
    ROW(u32, "ii", ptx, shorts(f(small(a.u32, 16), small(b.u32, 16)),          \
                               f(small(a.u32, 0), small(b.u32, 0))))
#define WORDS(ptx, f)                                                          \
    ROW(u32, "ii", ptx, shorts(f((int32_t)(a.u32 >> 16),                       \
                                 (int32_t)(b.u32 >> 16)),                      \
                               f(a.u16, b.u16)))
#define SUM(x, y) ((x) + (y))
#define LEAST_RELU(x, y) most(0, least(x, y))
#define MOST_RELU(x, y) most(0, most(x, y))

static uint32_t apart(uint32_t a, uint32_t b, uint32_t c, int width,
                      bool is_signed, bool add)
{
    uint32_t parts = 0, total = c;
    for (int at = 0; at < 32; at += width) {
        int up = 32 - width;
        int64_t x = is_signed ? (int32_t)(a >> at << up) >> up
                              : (int64_t)(a >> at << up >> up);
        int64_t y = is_signed ? (int32_t)(b >> at << up) >> up
                              : (int64_t)(b >> at << up >> up);
        uint32_t d = (uint32_t)(x > y ? x - y : y - x);
        total += d;
        parts |= d << at;
    }
    return add ? total : parts;
}

#define DISTANCE(n, type, width, is_signed)                                    \
    ROW(u32, "iii", "vabsdiff" #n ".u32." #type "." #type " %d, %a, %b, %c;",  \
        apart(a.u32, b.u32, c.u32, width, is_signed, false));                  \
    ROW(u32, "iii",                                                            \
        "vabsdiff" #n ".u32." #type "." #type ".add %d, %a, %b, %c;",          \
        apart(a.u32, b.u32, c.u32, width, is_signed, true))

static void integer_parts(void)
{
    SHORTS("add.s16x2 %d, %a, %b;", SUM);
    WORDS("add.u16x2 %d, %a, %b;", SUM);
    SHORTS("min.s16x2 %d, %a, %b;", least);
    SHORTS("max.s16x2 %d, %a, %b;", most);
    WORDS("min.u16x2 %d, %a, %b;", least);
    WORDS("max.u16x2 %d, %a, %b;", most);
    SHORTS("min.s16x2.relu %d, %a, %b;", LEAST_RELU);
    SHORTS("max.s16x2.relu %d, %a, %b;", MOST_RELU);
    ROW(s32, "ii", "min.s32.relu %d, %a, %b;", LEAST_RELU(a.s32, b.s32));
    ROW(s32, "ii", "max.s32.relu %d, %a, %b;", MOST_RELU(a.s32, b.s32));
    DISTANCE(2, u32, 16, false);
    DISTANCE(2, s32, 16, true);
    DISTANCE(4, u32, 8, false);
    DISTANCE(4, s32, 8, true);
}

/* What set writes a half at a time. */
static uint32_t both(bool high, bool low, uint32_t value)
{
    return (high ? value << 16 : 0) | (low ? value : 0);
}

#define COMPARED(f, op, value)                                                 \
    both(f(a.u32 >> 16) op f(b.u32 >> 16), f(a.u32) op f(b.u32), value)

static float low_bfloat(uint32_t x) { return bfloat(x & 0xffff); }

static void comparisons(void)
{
    ROW(u32, "ii", "set.lt.f16x2.f16x2 %d, %a, %b;",
        COMPARED(half, <, 0x3c00));
    ROW(u32, "ii", "set.geu.f16x2.f16x2 %d, %a, %b;",
        both(!(half(a.u32 >> 16) < half(b.u32 >> 16)),
             !(half(a.u32) < half(b.u32)), 0x3c00));
    ROW(u32, "ii", "set.eq.u32.f16x2 %d, %a, %b;",
        COMPARED(half, ==, 0xffff));
    ROW(u32, "ii", "set.gt.bf16x2.bf16x2 %d, %a, %b;",
        COMPARED(low_bfloat, >, 0x3f80));
    ROW(u32, "ii", "set.ne.u32.bf16x2 %d, %a, %b;",
        both(low_bfloat(a.u32 >> 16) < low_bfloat(b.u32 >> 16) ||
                 low_bfloat(a.u32 >> 16) > low_bfloat(b.u32 >> 16),
             low_bfloat(a.u32) < low_bfloat(b.u32) ||
                 low_bfloat(a.u32) > low_bfloat(b.u32), 0xffff));
    ROW(u16, "jj", "set.le.f16.f16 %d, %a, %b;",
        half(a.u16) <= half(b.u16) ? 0x3c00 : 0);
    ROW(u16, "jj", "set.nan.bf16.bf16 %d, %a, %b;",
        isnan(bfloat(a.u16)) || isnan(bfloat(b.u16)) ? 0x3f80 : 0);
}

/* 8-bit floats, by the value of each of the 256. */
static double byte_value(uint32_t byte, int fraction, int bias)
{
    uint32_t exponent = (byte & 127) >> fraction;
    double part = (double)(byte & ((1u << fraction) - 1)) / (1 << fraction);
    double x = exponent ? ldexp(1 + part, (int)exponent - bias)
                        : ldexp(part, 1 - bias);
    return byte & 128 ? -x : x;
}

static uint32_t to_byte(float x, int fraction, int bias, uint32_t most_byte)
{
    uint32_t best = 0;
    if (isnan(x))
        return 0x7f;
    if (fabs((double)x) >= byte_value(most_byte, fraction, bias))
        return most_byte | (signbit(x) ? 128 : 0);
    for (uint32_t byte = 1; byte <= most_byte; byte++) {
        double now = fabs(byte_value(byte, fraction, bias) - fabs((double)x));
        double was = fabs(byte_value(best, fraction, bias) - fabs((double)x));
        if (now < was || (now == was && !(byte & 1)))
            best = byte;
    }
    return best | (signbit(x) ? 128 : 0);
}

#define E4M3(x) to_byte(x, 3, 7, 0x7e)
#define E5M2(x) to_byte(x, 2, 15, 0x7b)

static uint32_t halves_of(struct row *row, int k, uint32_t bytes, int fraction,
                          int bias, uint32_t first_nan)
{
    uint32_t d = 0;
    for (int at = 0; at < 2; at++) {
        uint32_t byte = bytes >> 8 * at & 255;
        union value v = {.f16 =
                             (_Float16)byte_value(byte, fraction, bias)};
        if (fraction == 2 && (byte & 127) == 0x7c)
            v.u16 = (uint16_t)(0x7c00 | (byte & 128) << 8);
        row->any[k] |= (byte & 127) >= first_nan;
        d |= (uint32_t)v.u16 << 16 * at;
    }
    return d;
}

/* Of halves that are no NaN. */
static uint32_t relu2(uint32_t x)
{
    return (x & 0x8000 ? 0 : x & 0xffff) |
           (x & 0x80000000u ? 0 : x & 0xffff0000u);
}

static void conversions(void)
{
    ROW(u16, "ff", "cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b;",
        (uint16_t)(E4M3(a.f32) << 8 | E4M3(b.f32)));
    ROW(u16, "ff", "cvt.rn.satfinite.e5m2x2.f32 %d, %a, %b;",
        (uint16_t)(E5M2(a.f32) << 8 | E5M2(b.f32)));
    ROW(u16, "i", "cvt.rn.satfinite.e4m3x2.f16x2 %d, %a;",
        (uint16_t)(E4M3(half(a.u32 >> 16)) << 8 | E4M3(half(a.u32))));
    ROW(u16, "i", "cvt.rn.satfinite.e5m2x2.f16x2 %d, %a;",
        (uint16_t)(E5M2(half(a.u32 >> 16)) << 8 | E5M2(half(a.u32))));
    ROW(u32, "j", "cvt.rn.f16x2.e4m3x2 %d, %a;",
        (row->any[k] = false, halves_of(row, k, a.u16, 3, 7, 0x7f)));
    ROW(u32, "j", "cvt.rn.f16x2.e5m2x2 %d, %a;",
        (row->any[k] = false, halves_of(row, k, a.u16, 2, 15, 0x7d)));
#define RELU8(x) ((x) & 0x80 && (x) != 0x7f ? 0 : (x))
    ROW(u16, "ff", "cvt.rn.satfinite.relu.e4m3x2.f32 %d, %a, %b;",
        (uint16_t)(RELU8(E4M3(a.f32)) << 8 | RELU8(E4M3(b.f32))));
    ROW(u16, "ff", "cvt.rn.satfinite.relu.e5m2x2.f32 %d, %a, %b;",
        (uint16_t)(RELU8(E5M2(a.f32)) << 8 | RELU8(E5M2(b.f32))));
    ROW(u16, "i", "cvt.rn.satfinite.relu.e4m3x2.f16x2 %d, %a;",
        (uint16_t)(RELU8(E4M3(half(a.u32 >> 16))) << 8 |
                   RELU8(E4M3(half(a.u32)))));
    ROW(u16, "i", "cvt.rn.satfinite.relu.e5m2x2.f16x2 %d, %a;",
        (uint16_t)(RELU8(E5M2(half(a.u32 >> 16))) << 8 |
                   RELU8(E5M2(half(a.u32)))));
    ROW(u32, "j", "cvt.rn.relu.f16x2.e4m3x2 %d, %a;",
        (row->any[k] = false, relu2(halves_of(row, k, a.u16, 3, 7, 0x7f))));
    ROW(u32, "j", "cvt.rn.relu.f16x2.e5m2x2 %d, %a;",
        (row->any[k] = false, relu2(halves_of(row, k, a.u16, 2, 15, 0x7d))));
    ROW(u32, "ff", "cvt.rn.relu.f16x2.f32 %d, %a, %b;",
        (row->any[k] = isnan(a.f32) || isnan(b.f32),
         (uint32_t)relu(to_half(a.f32)) << 16 | relu(to_half(b.f32))));
    ROW(u32, "ff", "cvt.rn.relu.bf16x2.f32 %d, %a, %b;",
        (row->any[k] = isnan(a.f32) || isnan(b.f32),
         (uint32_t)relu(to_bfloat(a.f32)) << 16 | relu(to_bfloat(b.f32))));
}

void rows_packed(void)
{
    arithmetic();
    approximate();
    integer_parts();
    comparisons();
    conversions();
}
