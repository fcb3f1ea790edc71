// SPDX-License-Identifier: MIT
/*
 * approx.c: exp2, log2, sin, cos and tanh in double. Interface: approx.h.
 *
 * Each brings its argument into a small interval, where a few terms of the
 * Taylor series are enough. The one hard idea is in far_angle: a large angle
 * needs more digits of 2/pi than a double has, but of those only 128 bits
 * matter, the ones that come after the multiples of a whole turn.
 */
#include "approx.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "wide.h"

static uint64_t bits_of(double x)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

/* Nearest integer to x, |x| < 2^31: adding 1.5 * 2^52 leaves no fraction. */
static const double no_fraction = 0x1.8p52;

static int32_t nearest(double x)
{
    return (int32_t)(uint32_t)bits_of(x + no_fraction);
}

/* 2^(k/32), correctly rounded. */
enum { STEPS = 32 };
static const double power[STEPS] = {
    0x1.0000000000000p+0, 0x1.059b0d3158574p+0, 0x1.0b5586cf9890fp+0,
    0x1.11301d0125b51p+0, 0x1.172b83c7d517bp+0, 0x1.1d4873168b9aap+0,
    0x1.2387a6e756238p+0, 0x1.29e9df51fdee1p+0, 0x1.306fe0a31b715p+0,
    0x1.371a7373aa9cbp+0, 0x1.3dea64c123422p+0, 0x1.44e086061892dp+0,
    0x1.4bfdad5362a27p+0, 0x1.5342b569d4f82p+0, 0x1.5ab07dd485429p+0,
    0x1.6247eb03a5585p+0, 0x1.6a09e667f3bcdp+0, 0x1.71f75e8ec5f74p+0,
    0x1.7a11473eb0187p+0, 0x1.82589994cce13p+0, 0x1.8ace5422aa0dbp+0,
    0x1.93737b0cdc5e5p+0, 0x1.9c49182a3f090p+0, 0x1.a5503b23e255dp+0,
    0x1.ae89f995ad3adp+0, 0x1.b7f76f2fb5e47p+0, 0x1.c199bdd85529cp+0,
    0x1.cb720dcef9069p+0, 0x1.d5818dcfba487p+0, 0x1.dfc97337b9b5fp+0,
    0x1.ea4afa2a490dap+0, 0x1.f50765b6e4540p+0,
};

/* 2^x = 2^(n/32) e^(r ln 2) with |r| <= 1/64; ln(2)^k / k! to k = 5 leaves
 * less than 2^-48. */
double approx_exp2(double x)
{
    if (!(fabs(x) < 1000))
        return x > 0 ? INFINITY : x < 0 ? 0 : x; /* no float beyond 2^128 */
    int32_t n = nearest(x * STEPS);
    double r = x - (double)n / STEPS;
    double p = r * (0x1.62e42fefa39efp-1 + r * (0x1.ebfbdff82c58fp-3 +
               r * (0x1.c6b08d704a0c0p-5 + r * (0x1.3b2ab6fba4e77p-7 +
               r * 0x1.5d87fe78a6731p-10))));
    double y = power[n & (STEPS - 1)];
    double scale = double_of((uint64_t)(1023 + (n >> 5)) << 52);
    return (y + y * p) * scale;
}

/* x = 2^e m with m in [sqrt(1/2), sqrt(2)); log2 m = 2/ln 2 atanh s. */
double approx_log2(double x)
{
    if (!(x > 0))
        return x == 0 ? -INFINITY : NAN;
    if (isinf(x))
        return x;
    uint64_t above = bits_of(x) - bits_of(0x1.6a09e667f3bcdp-1);
    int e = (int)((int64_t)above >> 52);
    double m = double_of(bits_of(x) - ((uint64_t)(int64_t)e << 52));
    double s = (m - 1) / (m + 1), z = s * s;
    double series = 1 + z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 +
                    z * (1.0 / 9 + z * (1.0 / 11 + z * (1.0 / 13 +
                    z * (1.0 / 15 + z * (1.0 / 17))))))));
    return (double)e + 0x1.71547652b82fep+1 * s * series;
}

/* Angles ------------------------------------------------------------------ */

/* An angle as quarter turns and a rest of at most an eighth of a turn. */
struct angle {
    unsigned quarters;
    double rest;
};

/* pi/2 in two parts; the first has 33 bits, so that n times it is exact. */
static struct angle near_angle(double x)
{
    int32_t n = nearest(x * 0x1.45f306dc9c883p-1);
    double rest = (x - (double)n * 0x1.921fb544p+0) -
                  (double)n * 0x1.0b4611a626331p-34;
    return (struct angle){(unsigned)n, rest};
}

/* x >= 2^20, a float: m 2^s with m < 2^24. In quarter turns it is m times
 * 2^s 2/pi, of which whole turns (multiples of 4) do not count: 128 bits from
 * weight 2 on are taken. */
static struct angle far_angle(double x)
{
    static const uint64_t two_over_pi[] = { /* after 64 zeros, the fraction */
        0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
        0xfe5163abdebbc561, 0xb7246e3a424dd2e0};
    uint64_t bits = bits_of(x);
    int s = (int)(bits >> 52) - 1023 - 23;
    uint64_t m = (bits & 0xfffffffffffffu) >> 29 | 1u << 23;
    int first = 64 + s - 2; /* of the array's bits, that of weight 2 */
    int word = first / 64, skip = first % 64;
    wide window = wide_pair(two_over_pi[word], two_over_pi[word + 1]);
    if (skip)
        window = wide_or(wide_up(window, skip),
                         wide_of(two_over_pi[word + 2] >> (64 - skip)));
    window = wide_times(window, m);
    unsigned quarters = (unsigned)(wide_high(window) >> 62);
    wide rest = wide_up(window, 2); /* a quarter turn is 2^128 */
    quarters += (unsigned)(wide_high(rest) >> 63);
    return (struct angle){quarters, wide_to_double(rest) * 0x1p-128 *
                                        0x1.921fb54442d18p+0};
}

static double sin_of(double x)
{
    double z = x * x;
    double series = -1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 +
                    z * (1.0 / 362880 + z * (-1.0 / 39916800 +
                    z * (1.0 / 6227020800 + z * (-1.0 / 1307674368000))))));
    return x + x * z * series;
}

static double cos_of(double x)
{
    double z = x * x;
    double series = 1.0 / 24 + z * (-1.0 / 720 + z * (1.0 / 40320 +
                    z * (-1.0 / 3628800 + z * (1.0 / 479001600 +
                    z * (-1.0 / 87178291200)))));
    return 1 - z / 2 + z * z * series;
}

/* sin of |x| and some quarter turns. */
static double wave(double x, unsigned quarters)
{
    if (!isfinite(x))
        return NAN;
    x = fabs(x);
    struct angle a = x < 0x1p20 ? near_angle(x) : far_angle(x);
    quarters += a.quarters;
    double y = quarters & 1 ? cos_of(a.rest) : sin_of(a.rest);
    return quarters & 2 ? -y : y;
}

double approx_sin(double x)
{
    return signbit(x) ? -wave(x, 0) : wave(x, 0);
}

double approx_cos(double x)
{
    return wave(x, 1);
}

/* ------------------------------------------------------------------------- */

/* Near zero sinh / cosh, which keeps small results exact; else by e^2x. */
double approx_tanh(double x)
{
    double a = fabs(x), z = x * x;
    if (a < 0.5)
        return x * (1 + z * (1.0 / 6 + z * (1.0 / 120 + z * (1.0 / 5040 +
               z * (1.0 / 362880 + z * (1.0 / 39916800 +
               z / 6227020800)))))) /
               (1 + z * (1.0 / 2 + z * (1.0 / 24 + z * (1.0 / 720 +
               z * (1.0 / 40320 + z * (1.0 / 3628800 +
               z * (1.0 / 479001600 + z / 87178291200)))))));
    double e2x = approx_exp2(a > 20 ? 60 : 0x1.71547652b82fep+1 * a);
    return copysign(1 - 2 / (e2x + 1), x);
}
