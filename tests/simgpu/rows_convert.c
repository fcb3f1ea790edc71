// SPDX-License-Identifier: MIT
/*
 * rows_convert.c: cvt between all types: widening, narrowing, saturating, every
 * rounding, out of range, NaN. Source: the PTX ISA, "cvt".
 */
#include "conformance.h"

#include <fenv.h>
#include <limits.h>
#include <math.h>

static int64_t clamp(__int128 x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : (int64_t)x;
}

/* To the integer that the mode asks for; NaN stays NaN. */
static double to_integral(double x, int mode)
{
    switch (mode) {
    case FE_TOWARDZERO: return trunc(x);
    case FE_DOWNWARD: return floor(x);
    case FE_UPWARD: return ceil(x);
    default: return nearbyint(x);
    }
}

/* Out of range gives the nearest end; nan is what a NaN gives. */
static int64_t to_signed(double x, int mode, int bits, int64_t nan)
{
    double end = ldexp(1, bits - 1);
    x = to_integral(x, mode);
    if (isnan(x))
        return nan;
    if (x >= end)
        return bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
    return x < -end ? -(int64_t)(end / 2) * 2 : (int64_t)x;
}

static uint64_t to_unsigned(double x, int mode, int bits, uint64_t nan)
{
    x = to_integral(x, mode);
    if (isnan(x))
        return nan;
    if (x >= ldexp(1, bits))
        return UINT64_MAX >> (64 - bits);
    return x <= 0 ? 0 : (uint64_t)x;
}

static float narrow(int mode, volatile double x)
{
    volatile float result;
    fesetround(mode);
    result = (float)x;
    fesetround(FE_TONEAREST);
    return result;
}

#define FROM_INTEGER(name, type)                                               \
    static float name##_f32(int mode, volatile type x)                         \
    {                                                                          \
        volatile float result;                                                 \
        fesetround(mode);                                                      \
        result = (float)x;                                                     \
        fesetround(FE_TONEAREST);                                              \
        return result;                                                         \
    }                                                                          \
    static double name##_f64(int mode, volatile type x)                        \
    {                                                                          \
        volatile double result;                                                \
        fesetround(mode);                                                      \
        result = (double)x;                                                    \
        fesetround(FE_TONEAREST);                                              \
        return result;                                                         \
    }
FROM_INTEGER(s32, int32_t)
FROM_INTEGER(u32, uint32_t)
FROM_INTEGER(s64, int64_t)
FROM_INTEGER(u64, uint64_t)

static void integer_to_integer(void)
{
    ROW(u32, "j", "cvt.u32.u16 %d, %a;", a.u16);
    ROW(s32, "j", "cvt.s32.s16 %d, %a;", a.s16);
    ROW(s64, "i", "cvt.s64.s32 %d, %a;", a.s32);
    ROW(u64, "i", "cvt.u64.u32 %d, %a;", a.u32);
    ROW(u64, "j", "cvt.u64.u16 %d, %a;", a.u16);
    ROW(s64, "j", "cvt.s64.s16 %d, %a;", a.s16);
    ROW(u32, "l", "cvt.u32.u64 %d, %a;", a.u32);
    ROW(s32, "i", "cvt.s32.u32 %d, %a;", a.s32);
    ROW(u32, "i", "cvt.u32.s32 %d, %a;", a.u32);
    ROW(u64, "i", "cvt.u64.s32 %d, %a;", (uint64_t)(int64_t)a.s32);
    ROW(s64, "i", "cvt.s64.u32 %d, %a;", (int64_t)a.u32);
    ROW(s32, "l", "cvt.s32.s64 %d, %a;", a.s32);
    ROW(u32, "l", "cvt.u32.s64 %d, %a;", a.u32);
    ROW(s32, "l", "cvt.s32.u64 %d, %a;", a.s32);
    ROW(u16, "i", "cvt.u16.s32 %d, %a;", a.u16);
    ROW(u64, "l", "cvt.u64.s64 %d, %a;", a.u64);
    ROW(s64, "l", "cvt.s64.u64 %d, %a;", a.s64);
    ROW(u16, "i", "cvt.u16.u32 %d, %a;", a.u16);
    ROW(u16, "l", "cvt.u16.u64 %d, %a;", a.u16);
    ROW(s32, "i", "cvt.s32.s8 %d, %a;", (int8_t)a.u32);
    ROW(u32, "i", "cvt.u32.u8 %d, %a;", a.u32 & 255);
    ROW(s16, "j", "cvt.s16.s8 %d, %a;", (int8_t)a.u16);
    ROW(u32, "i", "cvt.u8.u32 %d, %a;", a.u32 & 255);
    ROW(s32, "i", "cvt.s8.s32 %d, %a;", (int8_t)a.u32);
    ROW(s64, "l", "cvt.s64.s8 %d, %a;", (int8_t)a.u64);
    ROW(u32, "i", "cvt.sat.u8.s32 %d, %a;", (uint32_t)clamp(a.s32, 0, 255));
    ROW(s32, "i", "cvt.sat.s8.s32 %d, %a;",
        (int32_t)clamp(a.s32, -128, 127));
    ROW(s16, "i", "cvt.sat.s16.s32 %d, %a;",
        (int16_t)clamp(a.s32, -32768, 32767));
    ROW(u16, "i", "cvt.sat.u16.u32 %d, %a;",
        (uint16_t)clamp(a.u32, 0, 65535));
    ROW(u32, "i", "cvt.sat.u32.s32 %d, %a;",
        (uint32_t)clamp(a.s32, 0, UINT32_MAX));
    ROW(s32, "i", "cvt.sat.s32.u32 %d, %a;",
        (int32_t)clamp(a.u32, INT32_MIN, INT32_MAX));
    ROW(s32, "l", "cvt.sat.s32.s64 %d, %a;",
        (int32_t)clamp(a.s64, INT32_MIN, INT32_MAX));
    ROW(u32, "l", "cvt.sat.u32.u64 %d, %a;",
        (uint32_t)clamp((__int128)a.u64, 0, UINT32_MAX));
}

#define INTEGER_TO_FLOAT(r, mode)                                              \
    ROW(f32, "i", "cvt." r ".f32.s32 %d, %a;", s32_f32(mode, a.s32));          \
    ROW(f32, "i", "cvt." r ".f32.u32 %d, %a;", u32_f32(mode, a.u32));          \
    ROW(f32, "l", "cvt." r ".f32.s64 %d, %a;", s64_f32(mode, a.s64));          \
    ROW(f32, "l", "cvt." r ".f32.u64 %d, %a;", u64_f32(mode, a.u64));          \
    ROW(f64, "l", "cvt." r ".f64.s64 %d, %a;", s64_f64(mode, a.s64));          \
    ROW(f64, "l", "cvt." r ".f64.u64 %d, %a;", u64_f64(mode, a.u64))

static void integer_to_float(void)
{
    INTEGER_TO_FLOAT("rn", FE_TONEAREST);
    INTEGER_TO_FLOAT("rz", FE_TOWARDZERO);
    INTEGER_TO_FLOAT("rm", FE_DOWNWARD);
    INTEGER_TO_FLOAT("rp", FE_UPWARD);
    ROW(f64, "i", "cvt.rn.f64.s32 %d, %a;", s32_f64(FE_TONEAREST, a.s32));
    ROW(f64, "i", "cvt.rn.f64.u32 %d, %a;", u32_f64(FE_TONEAREST, a.u32));
    ROW(f32, "j", "cvt.rn.f32.s16 %d, %a;", a.s16);
    ROW(f32, "j", "cvt.rn.f32.u16 %d, %a;", a.u16);
    ROW(f32, "j", "cvt.rn.f32.s8 %d, %a;", (int8_t)a.u16);
    ROW(f32, "j", "cvt.rn.f32.u8 %d, %a;", (uint8_t)a.u16);
    ROW(f64, "j", "cvt.rn.f64.s16 %d, %a;", a.s16);
}

/* A NaN gives zero between 32-bit types, else the top bit alone. */
#define FLOAT_TO_INTEGER(r, mode)                                              \
    ROW(s32, "f", "cvt." r ".s32.f32 %d, %a;",                                 \
        (int32_t)to_signed(a.f32, mode, 32, 0));                               \
    ROW(u32, "f", "cvt." r ".u32.f32 %d, %a;",                                 \
        (uint32_t)to_unsigned(a.f32, mode, 32, 0));                            \
    ROW(s64, "f", "cvt." r ".s64.f32 %d, %a;",                                 \
        to_signed(a.f32, mode, 64, INT64_MIN));                                \
    ROW(u64, "f", "cvt." r ".u64.f32 %d, %a;",                                 \
        to_unsigned(a.f32, mode, 64, UINT64_C(1) << 63));                      \
    ROW(s32, "d", "cvt." r ".s32.f64 %d, %a;",                                 \
        (int32_t)to_signed(a.f64, mode, 32, INT32_MIN));                       \
    ROW(u32, "d", "cvt." r ".u32.f64 %d, %a;",                                 \
        (uint32_t)to_unsigned(a.f64, mode, 32, UINT32_C(1) << 31));            \
    ROW(s64, "d", "cvt." r ".s64.f64 %d, %a;",                                 \
        to_signed(a.f64, mode, 64, INT64_MIN));                                \
    ROW(u64, "d", "cvt." r ".u64.f64 %d, %a;",                                 \
        to_unsigned(a.f64, mode, 64, UINT64_C(1) << 63));                      \
    ROW(f32, "f", "cvt." r ".f32.f32 %d, %a;",                                 \
        (float)to_integral(a.f32, mode));                                      \
    ROW(f64, "d", "cvt." r ".f64.f64 %d, %a;", to_integral(a.f64, mode))

static void float_to_integer(void)
{
    FLOAT_TO_INTEGER("rni", FE_TONEAREST);
    FLOAT_TO_INTEGER("rzi", FE_TOWARDZERO);
    FLOAT_TO_INTEGER("rmi", FE_DOWNWARD);
    FLOAT_TO_INTEGER("rpi", FE_UPWARD);
    ROW(s16, "f", "cvt.rzi.s16.f32 %d, %a;",
        (int16_t)to_signed(a.f32, FE_TOWARDZERO, 16, 0));
    ROW(u16, "f", "cvt.rni.u16.f32 %d, %a;",
        (uint16_t)to_unsigned(a.f32, FE_TONEAREST, 16, 0));
    ROW(u32, "f", "cvt.rzi.u8.f32 %d, %a;",
        (uint32_t)to_unsigned(a.f32, FE_TOWARDZERO, 8, 0));
    ROW(s32, "f", "cvt.rni.ftz.s32.f32 %d, %a;",
        (int32_t)to_signed(a.f32, FE_TONEAREST, 32, 0));
}

static float saturate(float x)
{
    return x > 1 ? 1 : x > 0 ? x : 0;
}

static void float_to_float(void)
{
    ROW(f64, "f", "cvt.f64.f32 %d, %a;", a.f32);
    ROW(f32, "d", "cvt.rn.f32.f64 %d, %a;", narrow(FE_TONEAREST, a.f64));
    ROW(f32, "d", "cvt.rz.f32.f64 %d, %a;", narrow(FE_TOWARDZERO, a.f64));
    ROW(f32, "d", "cvt.rm.f32.f64 %d, %a;", narrow(FE_DOWNWARD, a.f64));
    ROW(f32, "d", "cvt.rp.f32.f64 %d, %a;", narrow(FE_UPWARD, a.f64));
    ROW(f32, "f", "cvt.sat.f32.f32 %d, %a;", saturate(a.f32));
    ROW(f32, "f", "cvt.ftz.f32.f32 %d, %a;",
        fabsf(a.f32) < 0x1p-126f ? copysignf(0, a.f32) : a.f32);
    ROW(f32, "h", "cvt.f32.f16 %d, %a;", (float)a.f16);
    ROW(f16, "f", "cvt.rn.f16.f32 %d, %a;", (_Float16)a.f32);
    ROW(f16, "d", "cvt.rn.f16.f64 %d, %a;", (_Float16)a.f64);
    ROW(f64, "h", "cvt.f64.f16 %d, %a;", (double)a.f16);
    ROW(f16, "j", "cvt.rn.f16.s16 %d, %a;", (_Float16)a.s16);
    ROW(s32, "h", "cvt.rzi.s32.f16 %d, %a;",
        (int32_t)to_signed((double)a.f16, FE_TOWARDZERO, 32, 0));
}

void rows_convert(void)
{
    integer_to_integer();
    integer_to_float();
    float_to_integer();
    float_to_float();
}
