// SPDX-License-Identifier: MIT
/*
 * nan.h: the bits of results that are not a number, as an H200 gave them
 * (tests/hardware/nans-h200.txt).
 *
 *   nan_single            fp32: always the same one, 0x7fffffff
 *   nan_quiet             fp64: an operand's, made quiet
 *   nan_double            fp64: of the first operand that is one
 *   nan_half              16 bits: always 0x7fff
 *
 * Arithmetic of fp64 keeps an operand's sign and payload. Additions and
 * products look at the last factor or term first; a fused multiply-add at the
 * second factor, the term, the first factor; divisions at the dividend.
 */
#ifndef SIMGPU_NAN_H
#define SIMGPU_NAN_H

#include <stdint.h>

static inline float nan_single(float x)
{
    return x == x ? x : __builtin_nanf("0x3fffff");
}

static inline double nan_quiet(double x)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    bits |= x == x ? 0 : 1ull << 51;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

/* x: the result, which is returned if it is a number. */
static inline double nan_double(double x, double first, double second,
                                double third)
{
    double invalid = -__builtin_nan("");
    double from = first != first     ? first
                  : second != second ? second
                  : third != third   ? third
                                     : invalid;
    return x == x ? x : nan_quiet(from);
}

/* infinity: the format's, without a sign. */
static inline uint32_t nan_half(uint32_t x, uint32_t infinity)
{
    return (x & 0x7fff) > infinity ? 0x7fff : x & 0xffff;
}

static inline uint32_t nan_halves(uint32_t x, uint32_t infinity)
{
    return nan_half(x, infinity) | nan_half(x >> 16, infinity) << 16;
}

#endif
