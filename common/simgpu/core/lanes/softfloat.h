// SPDX-License-Identifier: MIT
/*
 * softfloat.h: floating-point arithmetic in any rounding mode, in integers
 * where a double would not do.
 *
 *   soft_add, soft_mul, soft_fma, soft_div, soft_sqrt
 *   soft_from_double, soft_from_integer   conversions to a format
 *   fused_f32, fused_f64                  a b + c rounded to nearest, once
 *
 * Not every host has rounding modes or an exact fma, so those that PTX asks
 * for are computed here, with the same bits on every host. Operands and
 * results are the format's bits. Every result is the exact one, rounded once
 * (IEEE 754). An invalid operation gives the format's own NaN; of NaN operands
 * the first is kept where the format keeps payloads (fp64).
 */
#ifndef SIMGPU_SOFTFLOAT_H
#define SIMGPU_SOFTFLOAT_H

#include <stdbool.h>
#include <stdint.h>

enum rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP };

struct float_format {
    int fraction;      /* bits of the fraction */
    int exponent_bits;
    int min_exponent;  /* of the smallest normal number */
    uint64_t nan;      /* what an invalid operation gives */
    bool payloads;     /* a NaN operand's bits are kept */
};
extern const struct float_format soft_f16, soft_bf16, soft_f32, soft_f64;

uint64_t soft_add(const struct float_format *f, uint64_t a, uint64_t b,
                  enum rounding mode);
uint64_t soft_mul(const struct float_format *f, uint64_t a, uint64_t b,
                  enum rounding mode);
uint64_t soft_fma(const struct float_format *f, uint64_t a, uint64_t b,
                  uint64_t c, enum rounding mode);
uint64_t soft_div(const struct float_format *f, uint64_t a, uint64_t b,
                  enum rounding mode);
uint64_t soft_sqrt(const struct float_format *f, uint64_t a,
                   enum rounding mode);
uint64_t soft_from_double(const struct float_format *f, double x,
                          enum rounding mode);
uint64_t soft_from_integer(const struct float_format *f, bool negative,
                           uint64_t magnitude, enum rounding mode);

/* Whether the float next to s may not be the one next to the exact sum that s
 * was rounded from: s lies in the middle of two floats, or is so small that
 * their distance is another. What is no middle keeps its side of it. */
static inline bool fused_doubtful(double s)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &s, sizeof bits);
    return ((bits & 0x1fffffff) == 0x10000000) |
           ((__builtin_fabs(s) < 0x1p-126) & (s != 0));
}

/* By the processor where it has the instruction. Elsewhere fp32 rounds the sum
 * to odd in double (the last bit is set where bits were lost), after which the
 * rounding to float is right: 53 bits are more than twice 24 and two. */
#if defined __FMA__ || defined __aarch64__
#define HAVE_FUSED 1
static inline float fused_f32(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}

static inline double fused_f64(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
#else
#define HAVE_FUSED 0
static inline float fused_f32(float a, float b, float c)
{
    double p = (double)a * (double)b, s = p + (double)c;
    double part = s - p, lost = (p - (s - part)) + ((double)c - part);
    uint64_t bits;
    __builtin_memcpy(&bits, &s, sizeof bits);
    if ((lost > 0 || lost < 0) && !(bits & 1))
        bits += (lost > 0) == (s > 0) ? 1 : UINT64_MAX;
    __builtin_memcpy(&s, &bits, sizeof s);
    return (float)s;
}

static inline double fused_f64(double a, double b, double c)
{
    uint64_t x, y, z;
    __builtin_memcpy(&x, &a, sizeof x);
    __builtin_memcpy(&y, &b, sizeof y);
    __builtin_memcpy(&z, &c, sizeof z);
    x = soft_fma(&soft_f64, x, y, z, ROUND_NEAREST);
    __builtin_memcpy(&a, &x, sizeof a);
    return a;
}
#endif

#endif
