// SPDX-License-Identifier: MIT
/*
 * rows_half.c: half and bfloat arithmetic, single and in pairs, and their
 * conversions from two floats at once. Source: the PTX ISA, "Half Precision
 * Floating Point Instructions".
 */
#include "conformance.h"

#include <math.h>

static _Float16 as_half(uint32_t bits)
{
    union value v = {.u16 = (uint16_t)bits};
    return v.f16;
}

static uint16_t half_bits(_Float16 x)
{
    union value v = {.f16 = x};
    return v.u16;
}

static _Float16 fused(_Float16 a, _Float16 b, _Float16 c)
{
    return (_Float16)fma((double)a, (double)b, (double)c);
}

/* To nearest even by hand: a bfloat is the upper half of a float. */
static float as_bfloat(float x)
{
    union value v = {.f32 = x};
    if (isnan(x))
        return x;
    v.u32 += 0x7fff + (v.u32 >> 16 & 1);
    v.u32 &= 0xffff0000;
    return v.f32;
}

static uint16_t bfloat_bits(float x)
{
    union value v = {.f32 = as_bfloat(x)};
    return (uint16_t)(v.u32 >> 16);
}

/* A NaN's bits are open, in either half. */
static uint32_t pair(struct row *row, int k, _Float16 high, _Float16 low)
{
    row->any[k] = isnan((float)high) || isnan((float)low);
    return (uint32_t)half_bits(high) << 16 | half_bits(low);
}

static uint16_t bfloat(struct row *row, int k, float x)
{
    row->any[k] = isnan(x);
    return bfloat_bits(x);
}

static uint32_t bfloat_pair(struct row *row, int k, float high, float low)
{
    row->any[k] = isnan(high) || isnan(low);
    return (uint32_t)bfloat_bits(high) << 16 | bfloat_bits(low);
}

#define HIGH(x) as_half((x).u32 >> 16)
#define LOW(x) as_half((x).u32)

static void halves(void)
{
    ROW(f16, "hh", "add.f16 %d, %a, %b;", (_Float16)(a.f16 + b.f16));
    ROW(f16, "hh", "sub.rn.f16 %d, %a, %b;", (_Float16)(a.f16 - b.f16));
    ROW(f16, "hh", "mul.f16 %d, %a, %b;", (_Float16)(a.f16 * b.f16));
    ROW(f16, "hhh", "fma.rn.f16 %d, %a, %b, %c;",
        fused(a.f16, b.f16, c.f16));
    ROW(f16, "h", "neg.f16 %d, %a;", -a.f16);
    ROW(f16, "h", "abs.f16 %d, %a;", (_Float16)fabsf((float)a.f16));
    ROW(pred, "hh", "setp.lt.f16 %d, %a, %b;",
        (float)a.f16 < (float)b.f16);
    ROW(pred, "hh", "setp.neu.f16 %d, %a, %b;",
        (float)a.f16 != (float)b.f16);
}

static void pairs(void)
{
    ROW(u32, "HH", "add.f16x2 %d, %a, %b;",
        pair(row, k, HIGH(a) + HIGH(b), LOW(a) + LOW(b)));
    ROW(u32, "HH", "sub.f16x2 %d, %a, %b;",
        pair(row, k, HIGH(a) - HIGH(b), LOW(a) - LOW(b)));
    ROW(u32, "HH", "mul.f16x2 %d, %a, %b;",
        pair(row, k, HIGH(a) * HIGH(b), LOW(a) * LOW(b)));
    ROW(u32, "HHH", "fma.rn.f16x2 %d, %a, %b, %c;",
        pair(row, k, fused(HIGH(a), HIGH(b), HIGH(c)),
             fused(LOW(a), LOW(b), LOW(c))));
    ROW(u32, "H", "neg.f16x2 %d, %a;",
        pair(row, k, -HIGH(a), -LOW(a)));
    ROW(u32, "ff", "cvt.rn.f16x2.f32 %d, %a, %b;",
        pair(row, k, (_Float16)a.f32, (_Float16)b.f32));
}

#define TO_BFLOAT "cvt.rn.bf16.f32 %h1, %a; cvt.rn.bf16.f32 %h2, %b; "

static void bfloats(void)
{
    ROW(u16, "f", "cvt.rn.bf16.f32 %d, %a;", bfloat(row, k, a.f32));
    ROW(f32, "f", "cvt.rn.bf16.f32 %h1, %a; cvt.f32.bf16 %d, %h1;",
        as_bfloat(a.f32));
    ROW(u32, "ff", "cvt.rn.bf16x2.f32 %d, %a, %b;",
        bfloat_pair(row, k, a.f32, b.f32));
    ROW(u16, "ff", TO_BFLOAT "add.rn.bf16 %d, %h1, %h2;",
        bfloat(row, k, as_bfloat(a.f32) + as_bfloat(b.f32)));
    ROW(u16, "ff", TO_BFLOAT "sub.rn.bf16 %d, %h1, %h2;",
        bfloat(row, k, as_bfloat(a.f32) - as_bfloat(b.f32)));
    ROW(u16, "ff", TO_BFLOAT "mul.rn.bf16 %d, %h1, %h2;",
        bfloat(row, k, as_bfloat(a.f32) * as_bfloat(b.f32)));
}

void rows_half(void)
{
    halves();
    pairs();
    bfloats();
}
