// SPDX-License-Identifier: MIT
/*
 * rows_newer.c: forms that PTX gained with sm_86 and later: fp32 in pairs and
 * with halves, minima of three, .xorsign.abs, tf32, .satfinite, cvt.pack; and
 * rare forms of older instructions. Source: the PTX ISA.
 */
#include "conformance.h"

#include <fenv.h>
#include <float.h>
#include <math.h>

static float single(uint64_t bits)
{
    union value v = {.u32 = (uint32_t)bits};
    return v.f32;
}

static uint32_t bits(float x)
{
    union value v = {.f32 = x};
    return v.u32;
}

static float half(uint32_t x)
{
    union value v = {.u16 = (uint16_t)x};
    return (float)v.f16;
}

static float bfloat(uint32_t x)
{
    return single((uint64_t)x << 16);
}

/* fp32 in a rounding mode; op: '+', '-', '*', 'f' for a fused a b + c. */
static float rounded(char op, int mode, volatile float a, volatile float b,
                     volatile float c)
{
    volatile float d;
    fesetround(mode);
    d = op == '+' ? a + b : op == '-' ? a - b : op == '*' ? a * b
                                                          : fmaf(a, b, c);
    fesetround(FE_TONEAREST);
    return d;
}

static float flushed(float x)
{
    return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

/* Where the result is NaN its bits are open. */
static uint64_t pair(struct row *row, int k, char op, int mode, bool ftz)
{
    uint64_t d = 0;
    row->any[k] = false;
    for (int at = 0; at < 64; at += 32) {
        float x[3];
        for (int n = 0; n < 3; n++) {
            x[n] = single(row->in[n][k].u64 >> at);
            x[n] = ftz ? flushed(x[n]) : x[n];
        }
        float y = rounded(op, mode, x[0], x[1], x[2]);
        y = ftz ? flushed(y) : y;
        row->any[k] |= isnan(y);
        d |= (uint64_t)bits(y) << at;
    }
    return d;
}

static void pairs(void)
{
    ROW(u64, "ll", "add.rn.f32x2 %d, %a, %b;",
        pair(row, k, '+', FE_TONEAREST, false));
    ROW(u64, "ll", "add.rm.f32x2 %d, %a, %b;",
        pair(row, k, '+', FE_DOWNWARD, false));
    ROW(u64, "ll", "sub.rz.f32x2 %d, %a, %b;",
        pair(row, k, '-', FE_TOWARDZERO, false));
    ROW(u64, "ll", "mul.rn.ftz.f32x2 %d, %a, %b;",
        pair(row, k, '*', FE_TONEAREST, true));
    ROW(u64, "ll", "mul.f32x2 %d, %a, %b;",
        pair(row, k, '*', FE_TONEAREST, false));
    ROW(u64, "lll", "fma.rp.f32x2 %d, %a, %b, %c;",
        pair(row, k, 'f', FE_UPWARD, false));
    ROW(u64, "lll", "fma.rn.ftz.f32x2 %d, %a, %b, %c;",
        pair(row, k, 'f', FE_TONEAREST, true));
}

static float sat(float x)
{
    return isnan(x) || x <= 0 ? 0 : x > 1 ? 1 : x;
}

static void mixed(void)
{
    ROW(f32, "jf", "add.f32.f16 %d, %a, %b;", half(a.u16) + b.f32);
    ROW(f32, "jf", "add.rz.sat.f32.f16 %d, %a, %b;",
        sat(rounded('+', FE_TOWARDZERO, half(a.u16), b.f32, 0)));
    ROW(f32, "jf", "sub.rn.f32.f16 %d, %a, %b;", half(a.u16) - b.f32);
    ROW(f32, "jjf", "fma.rn.f32.f16 %d, %a, %b, %c;",
        fmaf(half(a.u16), half(b.u16), c.f32));
    ROW(f32, "jf", "add.rm.f32.bf16 %d, %a, %b;",
        rounded('+', FE_DOWNWARD, bfloat(a.u16), b.f32, 0));
    ROW(f32, "jf", "sub.f32.bf16 %d, %a, %b;", bfloat(a.u16) - b.f32);
    ROW(f32, "jjf", "fma.rp.f32.bf16 %d, %a, %b, %c;",
        rounded('f', FE_UPWARD, bfloat(a.u16), bfloat(b.u16), c.f32));
}

/* One minimum (or maximum): a NaN loses, unless it must win; -0 < +0. */
static float extreme(float a, float b, bool greater, bool nan_wins)
{
    if (isnan(a) || isnan(b))
        return nan_wins ? NAN : isnan(a) ? b : a;
    bool first = a < b || (a == b && signbit(a));
    return first != greater ? a : b;
}

static float xorsign(float a, float b, bool greater, bool nan_wins)
{
    float x = extreme(fabsf(a), fabsf(b), greater, nan_wins);
    return isnan(x) || !signbit(a) == !signbit(b) ? x : -x;
}

/* As bits; NaN is one. */
static uint16_t half_bits(float x)
{
    union value v = {.f16 = (_Float16)x};
    return isnan(x) ? 0x7fff : v.u16;
}

static uint16_t bfloat_bits(float x)
{
    return isnan(x) ? 0x7fff : (uint16_t)(bits(x) >> 16);
}

static uint32_t two(float (*f)(uint32_t), uint16_t (*to)(float), uint32_t a,
                    uint32_t b, bool greater, bool nan_wins)
{
    return to(xorsign(f(a & 0xffff), f(b & 0xffff), greater, nan_wins)) |
           (uint32_t)to(xorsign(f(a >> 16), f(b >> 16), greater, nan_wins))
               << 16;
}

static void extremes(void)
{
    ROW(f32, "ff", "min.xorsign.abs.f32 %d, %a, %b;",
        xorsign(a.f32, b.f32, false, false));
    ROW(f32, "ff", "max.NaN.xorsign.abs.f32 %d, %a, %b;",
        xorsign(a.f32, b.f32, true, true));
    ROW(f32, "fff", "min.f32 %d, %a, %b, %c;",
        extreme(extreme(a.f32, b.f32, false, false), c.f32, false, false));
    ROW(f32, "fff", "max.f32 %d, %a, %b, %c;",
        extreme(extreme(a.f32, b.f32, true, false), c.f32, true, false));
    ROW(f32, "fff", "min.NaN.abs.f32 %d, %a, %b, %c;",
        extreme(extreme(fabsf(a.f32), fabsf(b.f32), false, true),
                fabsf(c.f32), false, true));
    ROW(f32, "fff", "max.ftz.f32 %d, %a, %b, %c;",
        extreme(extreme(flushed(a.f32), flushed(b.f32), true, false),
                flushed(c.f32), true, false));
    ROW(u16, "jj", "min.xorsign.abs.f16 %d, %a, %b;",
        half_bits(xorsign(half(a.u16), half(b.u16), false, false)));
    ROW(u16, "jj", "max.NaN.xorsign.abs.f16 %d, %a, %b;",
        half_bits(xorsign(half(a.u16), half(b.u16), true, true)));
    ROW(u16, "jj", "min.NaN.xorsign.abs.bf16 %d, %a, %b;",
        bfloat_bits(xorsign(bfloat(a.u16), bfloat(b.u16), false, true)));
    ROW(u16, "jj", "max.xorsign.abs.bf16 %d, %a, %b;",
        bfloat_bits(xorsign(bfloat(a.u16), bfloat(b.u16), true, false)));
    ROW(u32, "ii", "min.xorsign.abs.f16x2 %d, %a, %b;",
        two(half, half_bits, a.u32, b.u32, false, false));
    ROW(u32, "ii", "max.xorsign.abs.f16x2 %d, %a, %b;",
        two(half, half_bits, a.u32, b.u32, true, false));
    ROW(u32, "ii", "min.xorsign.abs.bf16x2 %d, %a, %b;",
        two(bfloat, bfloat_bits, a.u32, b.u32, false, false));
    ROW(u32, "ii", "max.NaN.xorsign.abs.bf16x2 %d, %a, %b;",
        two(bfloat, bfloat_bits, a.u32, b.u32, true, true));
}

/* To the next of two neighbours whose last 13 bits are zeros; up, down and
 * even are by magnitude. */
static uint32_t tf32(float x, char mode, bool relu, bool satfinite)
{
    double most = ldexp(2 - ldexp(1, -10), 127), size = fabs((double)x);
    int exponent;
    if (isnan(x))
        return relu || satfinite ? 0x7fffffff
               : mode == 'a'     ? bits(x) & 0xffffe000
                                 : 0x7fffe000;
    if (relu && signbit(x))
        return 0;
    frexp(size, &exponent);
    double unit = ldexp(1, (exponent < -125 ? -125 : exponent) - 11);
    double down = isinf(size) ? size : floor(size / unit) * unit;
    double part = isinf(size) ? 0 : (size - down) / unit;
    bool odd = isinf(size) ? false : fmod(down / unit, 2) != 0;
    bool up = mode == 'a' ? part >= 0.5
              : mode == 'n' ? part > 0.5 || (part == 0.5 && odd) : false;
    double y = up ? down + unit : down;
    if (y > most)
        y = satfinite ? most : INFINITY;
    return bits(copysignf((float)y, x));
}

/* f16 and bf16 from fp32, by trying all neighbours' order: to nearest even. */
static uint16_t narrowed(float x, bool to_half, bool relu, bool satfinite)
{
    uint16_t d;
    if (isnan(x))
        return 0x7fff;
    if (to_half) {
        d = half_bits(x);
        d = satfinite && (d & 0x7fff) == 0x7c00 ? (d & 0x8000) | 0x7bff : d;
    } else {
        uint32_t b = bits(x), rest = b & 0xffff;
        d = (uint16_t)(b >> 16);
        d = (uint16_t)(d + (rest > 0x8000 || (rest == 0x8000 && (d & 1))));
        d = satfinite && (d & 0x7fff) == 0x7f80 ? (d & 0x8000) | 0x7f7f : d;
    }
    return relu && (d & 0x8000) ? 0 : d;
}

static void narrowing(void)
{
    ROW(u32, "f", "cvt.rna.tf32.f32 %d, %a;", tf32(a.f32, 'a', false, false));
    ROW(u32, "f", "cvt.rna.satfinite.tf32.f32 %d, %a;",
        tf32(a.f32, 'a', false, true));
    ROW(u32, "f", "cvt.rn.tf32.f32 %d, %a;", tf32(a.f32, 'n', false, false));
    ROW(u32, "f", "cvt.rz.relu.tf32.f32 %d, %a;",
        tf32(a.f32, 'z', true, false));
    ROW(u32, "f", "cvt.rn.satfinite.tf32.f32 %d, %a;",
        tf32(a.f32, 'n', false, true));
    ROW(u32, "f", "cvt.rn.satfinite.relu.tf32.f32 %d, %a;",
        tf32(a.f32, 'n', true, true));
    ROW(u16, "f", "cvt.rn.relu.f16.f32 %d, %a;",
        narrowed(a.f32, true, true, false));
    ROW(u16, "f", "cvt.rn.relu.bf16.f32 %d, %a;",
        narrowed(a.f32, false, true, false));
    ROW(u16, "f", "cvt.rn.satfinite.f16.f32 %d, %a;",
        narrowed(a.f32, true, false, true));
    ROW(u16, "f", "cvt.rn.satfinite.bf16.f32 %d, %a;",
        narrowed(a.f32, false, false, true));
    ROW(u16, "f", "cvt.rn.relu.satfinite.f16.f32 %d, %a;",
        narrowed(a.f32, true, true, true));
    ROW(u16, "f", "cvt.rn.relu.satfinite.bf16.f32 %d, %a;",
        narrowed(a.f32, false, true, true));
#define TWO_OF(words, is_half, relu, satfinite)                                \
    ROW(u32, "ff", "cvt.rn." words ".f32 %d, %a, %b;",                         \
        (uint32_t)narrowed(a.f32, is_half, relu, satfinite) << 16 |            \
            narrowed(b.f32, is_half, relu, satfinite))
    TWO_OF("satfinite.f16x2", true, false, true);
    TWO_OF("satfinite.bf16x2", false, false, true);
    TWO_OF("relu.satfinite.f16x2", true, true, true);
    TWO_OF("relu.satfinite.bf16x2", false, true, true);
}

static int32_t clamp(int64_t x, int64_t low, int64_t high)
{
    return (int32_t)(x < low ? low : x > high ? high : x);
}

/* By division, as digits of base 2^bits. */
static uint32_t packed(int32_t a, int32_t b, uint32_t c, int width,
                       bool is_signed)
{
    int64_t base = (int64_t)1 << width;
    int64_t low = is_signed ? -base / 2 : 0, high = low + base - 1;
    uint64_t x = (uint64_t)((clamp(a, low, high) + base) % base);
    uint64_t y = (uint64_t)((clamp(b, low, high) + base) % base);
    return (uint32_t)((c * (uint64_t)(base * base)) + x * (uint64_t)base + y);
}

static void packs(void)
{
    ROW(u32, "ii", "cvt.pack.sat.s16.s32 %d, %a, %b;",
        packed(a.s32, b.s32, 0, 16, true));
    ROW(u32, "ii", "cvt.pack.sat.u16.s32 %d, %a, %b;",
        packed(a.s32, b.s32, 0, 16, false));
#define PACK(type, width, is_signed)                                           \
    ROW(u32, "iii", "cvt.pack.sat." type ".s32.b32 %d, %a, %b, %c;",           \
        packed(a.s32, b.s32, c.u32, width, is_signed))
    PACK("s8", 8, true);
    PACK("u8", 8, false);
    PACK("s4", 4, true);
    PACK("u4", 4, false);
    PACK("s2", 2, true);
    PACK("u2", 2, false);
}

/* Two halves of a by two bytes of b; first: of b's bytes. */
static uint32_t dot2(uint32_t a, uint32_t b, uint32_t c, bool s_a, bool s_b,
                     int first)
{
    for (int k = 0; k < 2; k++) {
        int64_t x = a >> 16 * k & 0xffff, y = b >> 8 * (k + first) & 0xff;
        x -= s_a && x > 0x7fff ? 0x10000 : 0;
        y -= s_b && y > 0x7f ? 0x100 : 0;
        c += (uint32_t)(x * y);
    }
    return c;
}

static int64_t low24(uint32_t x)
{
    int64_t low = x & 0xffffff;
    return low > 0x7fffff ? low - 0x1000000 : low;
}

static void integers(void)
{
    ROW(u32, "iii", "dp2a.lo.s32.u32 %d, %a, %b, %c;",
        dot2(a.u32, b.u32, c.u32, true, false, 0));
    ROW(u32, "iii", "dp2a.lo.u32.s32 %d, %a, %b, %c;",
        dot2(a.u32, b.u32, c.u32, false, true, 0));
    ROW(u32, "iii", "dp2a.hi.s32.u32 %d, %a, %b, %c;",
        dot2(a.u32, b.u32, c.u32, true, false, 2));
    ROW(u32, "iii", "dp2a.hi.u32.s32 %d, %a, %b, %c;",
        dot2(a.u32, b.u32, c.u32, false, true, 2));
    ROW(u16, "jjj", "mad.hi.s16 %d, %a, %b, %c;",
        (uint16_t)((a.s16 * b.s16 >> 16) + c.s16));
    ROW(u16, "jjj", "mad.hi.u16 %d, %a, %b, %c;",
        (uint16_t)(((uint32_t)a.u16 * b.u16 >> 16) + c.u16));
    ROW(s32, "iii", "mad.hi.sat.s32 %d, %a, %b, %c;",
        clamp(((int64_t)a.s32 * b.s32 >> 32) + c.s32, INT32_MIN, INT32_MAX));
    ROW(u32, "iii", "mad24.hi.s32 %d, %a, %b, %c;",
        (uint32_t)(low24(a.u32) * low24(b.u32) >> 16) + c.u32);
    ROW(u32, "iii", "mad24.hi.u32 %d, %a, %b, %c;",
        (uint32_t)((uint64_t)(a.u32 & 0xffffff) * (b.u32 & 0xffffff) >> 16) +
            c.u32);
    ROW(s32, "iii", "mad24.hi.sat.s32 %d, %a, %b, %c;",
        clamp((int32_t)(low24(a.u32) * low24(b.u32) >> 16) + (int64_t)c.s32,
              INT32_MIN, INT32_MAX));
}

static void choices(void)
{
#define SLCT(field, input, type)                                               \
    ROW(field, input input "i", "slct." type ".s32 %d, %a, %b, %c;",           \
        c.s32 >= 0 ? a.field : b.field)
#define SLCT_F32(field, input, type)                                           \
    ROW(field, input input "f", "slct." type ".f32 %d, %a, %b, %c;",           \
        c.f32 >= 0 ? a.field : b.field)
    SLCT(u16, "j", "b16");
    SLCT(u16, "j", "u16");
    SLCT(u16, "j", "s16");
    SLCT_F32(u16, "j", "b16");
    SLCT_F32(u16, "j", "u16");
    SLCT_F32(u16, "j", "s16");
    SLCT_F32(u64, "l", "b64");
    SLCT_F32(u64, "l", "u64");
    SLCT_F32(u64, "l", "s64");
    SLCT_F32(u64, "l", "f64");
}

static uint16_t without_tiny(uint32_t x)
{
    uint16_t h = (uint16_t)x;
    return h & 0x7c00 ? h : h & 0x8000;
}

static void halves(void)
{
    ROW(u16, "j", "neg.ftz.f16 %d, %a;",
        (row->any[k] = isnan(half(a.u16)), without_tiny(a.u16) ^ 0x8000));
    ROW(u16, "j", "abs.ftz.f16 %d, %a;",
        (row->any[k] = isnan(half(a.u16)), without_tiny(a.u16) & 0x7fff));
#define BOTH_HALVES(change)                                                    \
    (row->any[k] = isnan(half(a.u16)) || isnan(half(a.u32 >> 16)),             \
     (without_tiny(a.u16) | (uint32_t)without_tiny(a.u32 >> 16) << 16) change)
    ROW(u32, "i", "neg.ftz.f16x2 %d, %a;", BOTH_HALVES(^0x80008000u));
    ROW(u32, "i", "abs.ftz.f16x2 %d, %a;", BOTH_HALVES(&0x7fff7fffu));
}

void rows_newer(void)
{
    pairs();
    mixed();
    extremes();
    narrowing();
    packs();
    integers();
    choices();
    halves();
}
