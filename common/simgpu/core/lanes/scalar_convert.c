// SPDX-License-Identifier: MIT
/*
 * scalar_convert.c: cvt between any two types. Interface: carry.h.
 *
 * detail: type_class, type_bits are the result's; op, size the operand's.
 * Source: PTX ISA, cvt: integers clamp where the type is narrower only with
 * .sat, but always when they come from floating point. NaN becomes 0 where
 * neither type is of 64 bits, else the top bit alone.
 */
#include <float.h>
#include <math.h>

#include "carry.h"
#include "half.h"

static enum rounding mode_of(const struct inst *i)
{
    return (enum rounding)((i->mods & MOD_ROUND) >> 2);
}

static double float_operand(const struct inst *i, uint64_t a)
{
    const struct detail *t = i->detail;
    if (t->op == PTX_BFLOAT)
        return bfloat_to_double(a);
    if (t->size == 2)
        return half_to_double(a);
    if (t->size == 8) {
        double x;
        __builtin_memcpy(&x, &a, sizeof x);
        return x;
    }
    float x;
    uint32_t low = (uint32_t)a;
    __builtin_memcpy(&x, &low, sizeof x);
    if ((i->mods & MOD_FTZ) && fabsf(x) < FLT_MIN)
        x = copysignf(0, x);
    return x;
}

static double to_integral(double x, enum rounding mode)
{
    switch (mode) {
    case ROUND_ZERO: return trunc(x);
    case ROUND_DOWN: return floor(x);
    case ROUND_UP: return ceil(x);
    default: return nearbyint(x);
    }
}

static uint64_t finish_float(const struct inst *i, uint64_t rounded)
{
    uint32_t bits = (uint32_t)rounded;
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    if (i->mods & MOD_SAT)
        value = value > 0 ? value > 1 ? 1 : value : 0;
    if ((i->mods & MOD_FTZ) && fabsf(value) < FLT_MIN)
        value = copysignf(0, value);
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

static const struct float_format *format_of(const struct detail *t)
{
    return t->type_bits == 64              ? &soft_f64
           : t->type_bits == 32            ? &soft_f32
           : t->type_class == PTX_BFLOAT ? &soft_bf16
                                           : &soft_f16;
}

static uint64_t double_to_float(const struct inst *i, double x)
{
    const struct float_format *f = format_of(i->detail);
    if (i->mods & MOD_SAT && f != &soft_f32)
        x = x > 0 ? x > 1 ? 1 : x : 0;
    uint64_t bits = soft_from_double(f, x, mode_of(i));
    return f == &soft_f32 ? finish_float(i, bits) : bits;
}

/* v: what a lane holds, extended to 64 bits by the operand's sign. */
static uint64_t integer_to_float(const struct inst *i, uint64_t v)
{
    const struct float_format *f = format_of(i->detail);
    bool negative = i->detail->op == PTX_SIGNED && v >> 63;
    if (i->mods & MOD_SAT) {
        v = !negative && v;
        negative = false;
    }
    return soft_from_integer(f, negative, negative ? -v : v, mode_of(i));
}

/* Clamped to bits: as a signed or an unsigned number. */
static uint64_t clamp_float(double x, bool is_signed, int bits, bool wide)
{
    if (isnan(x))
        return wide ? 1ull << (bits - 1) : 0;
    double top = ldexp(1, is_signed ? bits - 1 : bits);
    double bottom = is_signed ? -top : 0;
    uint64_t most = is_signed ? (1ull << (bits - 1)) - 1
                              : UINT64_MAX >> (64 - bits);
    if (x >= top)
        return most;
    if (x <= bottom)
        return is_signed ? ~most : 0;
    return is_signed ? (uint64_t)(int64_t)x : (uint64_t)x;
}

static uint64_t integer_operand(const struct detail *t, uint64_t a)
{
    unsigned up = 64u - 8u * t->size;
    return t->op == PTX_SIGNED ? (uint64_t)((int64_t)(a << up) >> up)
                               : a << up >> up;
}

/* From a signed or an unsigned number to what a type of these bits holds. */
static uint64_t clamp_integer(uint64_t v, bool from_signed, bool is_signed,
                              int bits)
{
    uint64_t most = UINT64_MAX >> (64 - bits) >> is_signed;
    if (from_signed && v >> 63) {
        uint64_t least = is_signed ? ~most : 0;
        return (int64_t)v < (int64_t)least || !is_signed ? least : v;
    }
    return v > most ? most : v;
}

/* Into a register wider than the type: extended by the type's sign. */
static uint64_t fit(const struct detail *t, uint64_t v)
{
    unsigned up = 64u - t->type_bits;
    return t->type_class == PTX_SIGNED ? (uint64_t)((int64_t)(v << up) >> up)
                                       : v << up >> up;
}

/* Formats between which a NaN keeps its sign and payload: those that another
 * one has no room for are cut. fp16 and fp64 make it quiet; bf16 is the upper
 * half of fp32. */
static bool keeps_nan(const struct inst *i, uint64_t a, uint64_t *bits)
{
    const struct detail *t = i->detail;
    if (i->mods & MOD_SAT || t->type_class != PTX_FLOAT)
        return false;
    if (t->op == PTX_BFLOAT && t->type_bits == 32) {
        *bits = (a & 0xffff) << 16;
        return true;
    }
    if (t->op == PTX_FLOAT && t->size == 2 && t->type_bits == 64) {
        *bits = (a & 0x8000) << 48 | 0x7ff8ull << 48 | (a & 0x3ff) << 42;
        return true;
    }
    if (t->op == PTX_FLOAT && t->size == 8 && t->type_bits == 16) {
        *bits = (a >> 63) << 15 | 0x7e00 | (a >> 42 & 0x3ff);
        return true;
    }
    return false;
}

uint64_t eval_cvt(uint64_t a, uint64_t b, uint64_t c, const struct inst *i)
{
    const struct detail *t = i->detail;
    bool from_float = t->op == PTX_FLOAT || t->op == PTX_BFLOAT;
    bool to_fp = t->type_class == PTX_FLOAT || t->type_class == PTX_BFLOAT;
    bool is_signed = t->type_class == PTX_SIGNED;
    (void)b, (void)c;
    if (from_float) {
        double x = float_operand(i, a);
        uint64_t bits;
        if (isnan(x) && keeps_nan(i, a, &bits))
            return bits;
        if (!to_fp)
            return fit(t, clamp_float(to_integral(x, mode_of(i)), is_signed,
                                      t->type_bits,
                                      t->size == 8 || t->type_bits == 64));
        if (i->mods & MOD_INTEGER)
            x = copysign(to_integral(x, mode_of(i)), x);
        return double_to_float(i, x);
    }
    uint64_t v = integer_operand(t, a);
    if (to_fp)
        return integer_to_float(i, v);
    if (i->mods & MOD_SAT)
        v = clamp_integer(v, t->op == PTX_SIGNED, is_signed, t->type_bits);
    return fit(t, v);
}
