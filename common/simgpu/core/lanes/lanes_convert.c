// SPDX-License-Identifier: MIT
/*
 * lanes_convert.c: the conversions that kernels use most. All others are
 * scalar (scalar_convert.c).
 */
#include <math.h>

#include "lanes.h"

UNARY(cvt_s64_s32, int64_t, int32_t, a)
UNARY(cvt_u64_u32, uint64_t, uint32_t, a)
UNARY(cvt_32_64, uint32_t, uint64_t, a)
UNARY(cvt_u8_32, uint32_t, uint32_t, a & 0xff)
UNARY(cvt_s8_32, int32_t, int32_t, (int8_t)a)
UNARY(cvt_u16_32, uint32_t, uint32_t, a & 0xffff)
UNARY(cvt_s16_32, int32_t, int32_t, (int16_t)a)

UNARY(cvt_f32_s32, float, int32_t, a)
UNARY(cvt_f32_u32, float, uint32_t, a)
UNARY(cvt_f64_f32, double, float, a)
UNARY(cvt_f32_f64, float, double, a)
UNARY(cvt_f64_s32, double, int32_t, a)

/* Towards zero; out of range saturates; a NaN is 0, but INT32_MIN from double
 * (PTX ISA, cvt). */
static inline int32_t to_s32(double a)
{
    return a != a ? 0 : a >= 0x1p31 ? INT32_MAX
                      : a <= -0x1p31 ? INT32_MIN : (int32_t)a;
}

static inline uint32_t to_u32(double a)
{
    return a != a || a <= 0 ? 0 : a >= 0x1p32 ? UINT32_MAX : (uint32_t)a;
}

UNARY(cvt_s32_f32, int32_t, float, to_s32(a))
UNARY(cvt_u32_f32, uint32_t, float, to_u32(a))
UNARY(cvt_s32_f64, int32_t, double, a != a ? INT32_MIN : to_s32(a))

/* Rounded to tf32, ties away from zero: 10 bits of fraction are kept. A NaN is
 * as an H200 made it (scalar_single.c). */
static inline uint32_t to_tf32(uint32_t a)
{
    const uint32_t infinity = 0x7f800000, kept = 0xffffe000;
    uint32_t sign = a & 0x80000000u, size = a & 0x7fffffff;
    uint32_t near = (size + 0x1000) & kept;
    uint32_t nan = (size & kept) > infinity ? a & kept : 0x7fffffff & kept;
    return size > infinity ? nan : sign | near;
}

UNARY(cvt_tf32, uint32_t, uint32_t, to_tf32(a))
