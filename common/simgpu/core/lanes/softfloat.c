// SPDX-License-Identifier: MIT
/*
 * softfloat.c: floating-point arithmetic in integers. Interface: softfloat.h.
 *
 * A finite number is sign, significand and exponent: significand * 2^exponent.
 * Each operation forms its exact result as such a number with a significand of
 * up to 128 bits. Where the exact one is longer, the hard idea is the jam: the
 * bits below are replaced by a last bit that is set if any of them was. The
 * last bit lies at least two places below the result's own last place, so the
 * one rounding at the end (pack) cannot tell the difference.
 *
 * Most fp32 results are had sooner: a double holds a product of two floats, a
 * sum in double is off by what another double holds, and both together say
 * which float is next (in_double).
 */
#include "softfloat.h"

#include <float.h>
#include <string.h>

#include "wide.h"

const struct float_format
    soft_f16 = {10, 5, -14, 0x7fff, false},
    soft_bf16 = {7, 8, -126, 0x7fff, false},
    soft_f32 = {23, 8, -126, 0x7fffffff, false},
    soft_f64 = {52, 11, -1022, 0xfff8000000000000u, true};

enum class { ZERO, FINITE, INFINITE, NOT_A_NUMBER };

struct number {
    enum class class;
    bool negative;
    int exponent;
    wide significand;
};

static uint64_t sign_bit(const struct float_format *f)
{
    return 1ull << (f->fraction + f->exponent_bits);
}

static uint64_t infinity(const struct float_format *f)
{
    return ((1ull << f->exponent_bits) - 1) << f->fraction;
}

static struct number unpack(const struct float_format *f, uint64_t bits)
{
    uint64_t hidden = 1ull << f->fraction, fraction = bits & (hidden - 1);
    int special = (1 << f->exponent_bits) - 1;
    int exponent = (int)(bits >> f->fraction) & special;
    int scale = exponent ? exponent - 1 : 0;
    struct number x = {.class = FINITE, .negative = bits & sign_bit(f),
                       .exponent = f->min_exponent - f->fraction + scale,
                       .significand =
                           wide_of(fraction | (exponent ? hidden : 0))};
    if (exponent == special)
        x.class = fraction ? NOT_A_NUMBER : INFINITE;
    else if (!wide_is(x.significand))
        x.class = ZERO;
    return x;
}

/* Position of the highest set bit; x is not 0. */
static int top_bit(wide x)
{
    uint64_t high = wide_high(x);
    return high ? 127 - __builtin_clzll(high)
                : 63 - __builtin_clzll(wide_low(x));
}

/* The lowest bits of x, 0 to 127 of them. */
static wide below(wide x, int bits)
{
    return wide_sub(x, wide_up(wide_down(x, bits), bits));
}

static wide shift_jam(wide x, int by)
{
    if (by <= 0)
        return wide_up(x, -by);
    if (by >= 128)
        return wide_of(wide_is(x));
    return wide_or(wide_down(x, by), wide_of(wide_is(below(x, by))));
}

static bool rounds_away(enum rounding mode, bool negative, bool odd,
                        int half) /* what is lost: -1 less, 0, 1 more */
{
    switch (mode) {
    case ROUND_ZERO: return false;
    case ROUND_DOWN: return negative;
    case ROUND_UP: return !negative;
    default: return half > 0 || (half == 0 && odd);
    }
}

/* Units of 2^by in x, rounded. */
static uint64_t round_units(wide x, int by, bool negative, enum rounding mode)
{
    if (by <= 0)
        return wide_low(wide_up(x, -by));
    if (by > 127) { /* less than half a unit, as bit 127 is never set */
        bool away = rounds_away(mode, negative, false, -1);
        return wide_is(x) ? away : 0;
    }
    uint64_t units = wide_low(wide_down(x, by));
    wide lost = below(x, by), half = wide_up(wide_of(1), by - 1);
    if (!wide_is(lost))
        return units;
    return units + rounds_away(mode, negative, units & 1,
                               wide_less(half, lost) ? 1
                               : wide_less(lost, half) ? -1 : 0);
}

/* Counting units from the format's smallest gives the bits, carries into the
 * exponent included. */
static uint64_t pack(const struct float_format *f, const struct number *x,
                     enum rounding mode)
{
    uint64_t sign = x->negative ? sign_bit(f) : 0;
    if (!wide_is(x->significand))
        return sign;
    int exponent = x->exponent + top_bit(x->significand);
    if (exponent < f->min_exponent)
        exponent = f->min_exponent;
    uint64_t units = round_units(x->significand,
                                 exponent - f->fraction - x->exponent,
                                 x->negative, mode);
    uint64_t above = (uint64_t)(exponent - f->min_exponent);
    if (above < 1ull << f->exponent_bits &&
        (above << f->fraction) + units < infinity(f))
        return sign | ((above << f->fraction) + units);
    bool away = rounds_away(mode, x->negative, false, 1);
    return sign | (infinity(f) - !away);
}

/* The bits of the float next to s + lost, where s is that sum's double. False:
 * it is no normal float, or lies too near the middle between two. */
static bool in_double(double s, double lost, enum rounding mode,
                      uint64_t *bits)
{
    if (!(__builtin_fabs(s) >= FLT_MIN && __builtin_fabs(s) < FLT_MAX) ||
        (mode == ROUND_NEAREST && lost != 0))
        return false;
    float nearest = (float)s;
    bool above = nearest > s || (nearest >= s && lost < 0);
    bool below = nearest < s || (nearest <= s && lost > 0);
    bool down = mode == ROUND_DOWN || (mode == ROUND_ZERO && s > 0);
    bool up = mode == ROUND_UP || (mode == ROUND_ZERO && s < 0);
    int step = down && above ? -1 : up && below ? 1 : 0;
    uint32_t near;
    memcpy(&near, &nearest, sizeof near);
    *bits = s < 0 ? near - (uint32_t)step : near + (uint32_t)step;
    return true;
}

static bool fma_in_double(uint64_t a, uint64_t b, uint64_t c,
                          enum rounding mode, uint64_t *bits)
{
    uint32_t from[] = {(uint32_t)a, (uint32_t)b, (uint32_t)c};
    float x[3];
    memcpy(x, from, sizeof x);
    double p = (double)x[0] * (double)x[1], s = p + (double)x[2];
    double part = s - p, lost = (p - (s - part)) + ((double)x[2] - part);
    return in_double(s, lost, mode, bits);
}

static uint64_t signed_infinity(const struct float_format *f, bool negative)
{
    return infinity(f) | (negative ? sign_bit(f) : 0);
}

/* Of an operation with a NaN among its operands. */
static uint64_t first_nan(const struct float_format *f, const uint64_t *bits,
                          int n)
{
    for (int k = 0; k < n && f->payloads; k++)
        if (unpack(f, bits[k]).class == NOT_A_NUMBER)
            return bits[k] | 1ull << (f->fraction - 1);
    return f->nan;
}

/* Sum of two finite numbers, of which y may be ZERO and x not. */
static struct number sum(struct number x, struct number y)
{
    if (y.class == ZERO)
        return x;
    /* Both to the top, two bits of room, then down to the larger's scale. */
    int up_x = 125 - top_bit(x.significand);
    int up_y = 125 - top_bit(y.significand);
    x.significand = wide_up(x.significand, up_x);
    x.exponent -= up_x;
    y.significand = wide_up(y.significand, up_y);
    y.exponent -= up_y;
    int scale = x.exponent > y.exponent ? x.exponent : y.exponent;
    wide a = shift_jam(x.significand, scale - x.exponent);
    wide b = shift_jam(y.significand, scale - y.exponent);
    struct number s = {.class = FINITE, .exponent = scale,
                       .negative = x.negative};
    if (x.negative == y.negative) {
        s.significand = wide_add(a, b);
    } else {
        bool less = wide_less(a, b);
        s.significand = less ? wide_sub(b, a) : wide_sub(a, b);
        s.negative = less ? y.negative : x.negative;
        s.class = wide_is(s.significand) ? FINITE : ZERO;
    }
    return s;
}

static uint64_t add_numbers(const struct float_format *f, struct number x,
                            struct number y, enum rounding mode)
{
    bool down = mode == ROUND_DOWN;
    if (x.class == ZERO && y.class == ZERO)
        return (x.negative == y.negative ? x.negative : down) ? sign_bit(f)
                                                              : 0;
    struct number s = x.class == ZERO ? y : sum(x, y);
    if (s.class == ZERO)
        s.negative = down;
    return pack(f, &s, mode);
}

uint64_t soft_fma(const struct float_format *f, uint64_t a, uint64_t b,
                  uint64_t c, enum rounding mode)
{
    uint64_t bits;
    if (f == &soft_f32 && fma_in_double(a, b, c, mode, &bits))
        return bits;
    struct number x = unpack(f, a), y = unpack(f, b), z = unpack(f, c);
    struct number p = {.class = FINITE, .negative = x.negative != y.negative,
                       .exponent = x.exponent + y.exponent,
                       .significand =
                           wide_product(wide_low(x.significand),
                                        wide_low(y.significand))};
    if (x.class == NOT_A_NUMBER || y.class == NOT_A_NUMBER ||
        z.class == NOT_A_NUMBER)
        return first_nan(f, (uint64_t[]){a, b, c}, 3);
    if (x.class == INFINITE || y.class == INFINITE)
        p.class = INFINITE;
    if (p.class == INFINITE &&
        (x.class == ZERO || y.class == ZERO ||
         (z.class == INFINITE && z.negative != p.negative)))
        return f->nan;
    if (p.class == INFINITE || z.class == INFINITE)
        return signed_infinity(f, p.class == INFINITE ? p.negative
                                                      : z.negative);
    if (!wide_is(p.significand))
        p.class = ZERO;
    return add_numbers(f, p, z, mode);
}

static uint64_t one(const struct float_format *f)
{
    return infinity(f) >> 1 & ~((1ull << f->fraction) - 1);
}

uint64_t soft_add(const struct float_format *f, uint64_t a, uint64_t b,
                  enum rounding mode)
{
    return soft_fma(f, a, one(f), b, mode);
}

uint64_t soft_mul(const struct float_format *f, uint64_t a, uint64_t b,
                  enum rounding mode)
{
    uint64_t zero = (a ^ b) & sign_bit(f); /* keeps the sign of a zero */
    return soft_fma(f, a, b, zero, mode);
}

/* Highest bit to the place of the hidden one, for a subnormal. */
static void normalise(const struct float_format *f, struct number *x)
{
    int up = f->fraction - top_bit(x->significand);
    x->significand = wide_up(x->significand, up);
    x->exponent -= up;
}

uint64_t soft_div(const struct float_format *f, uint64_t a, uint64_t b,
                  enum rounding mode)
{
    struct number x = unpack(f, a), y = unpack(f, b);
    bool negative = x.negative != y.negative;
    if (x.class == NOT_A_NUMBER || y.class == NOT_A_NUMBER)
        return first_nan(f, (uint64_t[]){a, b}, 2);
    if (x.class == y.class && x.class != FINITE)
        return f->nan; /* 0 / 0, inf / inf */
    if (x.class == INFINITE || y.class == ZERO)
        return signed_infinity(f, negative);
    if (x.class == ZERO || y.class == INFINITE)
        return negative ? sign_bit(f) : 0;
    normalise(f, &x);
    normalise(f, &y);
    int more = f->fraction + 4; /* the quotient has 3 bits to spare */
    uint64_t under = wide_low(y.significand);
    wide top = wide_up(x.significand, more), q = wide_over(top, under);
    bool rest = wide_less(wide_times(q, under), top);
    struct number r = {.class = FINITE, .negative = negative,
                       .exponent = x.exponent - y.exponent - more,
                       .significand = wide_or(q, wide_of(rest))};
    return pack(f, &r, mode);
}

/* The largest integer whose square is not above n, bit by bit. */
static uint64_t root(wide n)
{
    wide left = n, found = wide_of(0);
    for (int at = top_bit(n) & ~1; at >= 0; at -= 2) {
        wide bit = wide_up(wide_of(1), at), trial = wide_or(found, bit);
        found = wide_down(found, 1);
        if (!wide_less(left, trial)) {
            left = wide_sub(left, trial);
            found = wide_or(found, bit);
        }
    }
    return wide_low(found);
}

uint64_t soft_sqrt(const struct float_format *f, uint64_t a,
                   enum rounding mode)
{
    struct number x = unpack(f, a);
    if (x.class == NOT_A_NUMBER)
        return first_nan(f, &a, 1);
    if (x.class == ZERO || (x.class == INFINITE && !x.negative))
        return a;
    if (x.negative)
        return f->nan;
    normalise(f, &x);
    int more = f->fraction + 6; /* the root has 3 bits to spare */
    more += (x.exponent - more) & 1;
    wide n = wide_up(x.significand, more);
    uint64_t r = root(n);
    bool rest = wide_less(wide_product(r, r), n);
    struct number s = {.class = FINITE, .exponent = (x.exponent - more) / 2,
                       .significand = wide_of(r | rest)};
    return pack(f, &s, mode);
}

uint64_t soft_from_double(const struct float_format *f, double x,
                          enum rounding mode)
{
    uint64_t bits;
    if (f == &soft_f32 && in_double(x, 0, mode, &bits))
        return bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    struct number n = unpack(&soft_f64, bits);
    if (n.class == NOT_A_NUMBER)
        return f == &soft_f64 ? first_nan(f, &bits, 1) : f->nan;
    if (n.class == INFINITE)
        return signed_infinity(f, n.negative);
    return pack(f, &n, mode);
}

uint64_t soft_from_integer(const struct float_format *f, bool negative,
                           uint64_t magnitude, enum rounding mode)
{
    struct number n = {.class = FINITE, .negative = negative && magnitude,
                       .significand = wide_of(magnitude)};
    return pack(f, &n, mode);
}
