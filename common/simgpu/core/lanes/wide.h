// SPDX-License-Identifier: MIT
/*
 * wide.h: integers of 128 bits, also where the compiler has none (gcc for a
 * 32-bit host).
 *
 *   wide_of, wide_signed         from 64 bits; the second extends the sign
 *   wide_pair                    from two halves
 *   wide_low, wide_high          its halves
 *   wide_add, wide_sub           modulo 2^128
 *   wide_times                   by 64 bits, modulo 2^128
 *   wide_product, wide_product_signed   of 64 bits and 64 bits: exact
 *   wide_over                    by 64 bits, not 0: the quotient
 *   wide_or, wide_up, wide_down  bits; shifts by 0 to 127
 *   wide_is, wide_less           is it not 0; is one less than the other
 *
 * All numbers are unsigned: a negative one is its two's complement. Where the
 * compiler has __int128, each of these is one of its operators.
 */
#ifndef LANES_WIDE_H
#define LANES_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#if defined __SIZEOF_INT128__ && !defined WIDE_BY_HALVES

typedef unsigned __int128 wide;

static inline wide wide_of(uint64_t x) { return x; }
static inline wide wide_signed(int64_t x) { return (wide)(__int128)x; }
static inline wide wide_pair(uint64_t high, uint64_t low)
{
    return (wide)high << 64 | low;
}
static inline uint64_t wide_low(wide x) { return (uint64_t)x; }
static inline uint64_t wide_high(wide x) { return (uint64_t)(x >> 64); }
static inline wide wide_add(wide a, wide b) { return a + b; }
static inline wide wide_sub(wide a, wide b) { return a - b; }
static inline wide wide_times(wide a, uint64_t b) { return a * b; }
static inline wide wide_product(uint64_t a, uint64_t b) { return (wide)a * b; }
static inline wide wide_product_signed(int64_t a, int64_t b)
{
    return (wide)((__int128)a * b);
}
static inline wide wide_over(wide a, uint64_t b) { return a / b; }
static inline wide wide_or(wide a, wide b) { return a | b; }
static inline wide wide_up(wide x, int by) { return x << by; }
static inline wide wide_down(wide x, int by) { return x >> by; }
static inline bool wide_is(wide x) { return x != 0; }
static inline bool wide_less(wide a, wide b) { return a < b; }

#else

typedef struct {
    uint64_t high, low;
} wide;

static inline wide wide_pair(uint64_t high, uint64_t low)
{
    return (wide){high, low};
}

static inline wide wide_of(uint64_t x)
{
    return wide_pair(0, x);
}

static inline wide wide_signed(int64_t x)
{
    return wide_pair(x < 0 ? UINT64_MAX : 0, (uint64_t)x);
}

static inline uint64_t wide_low(wide x)
{
    return x.low;
}

static inline uint64_t wide_high(wide x)
{
    return x.high;
}

static inline wide wide_add(wide a, wide b)
{
    uint64_t low = a.low + b.low;
    return wide_pair(a.high + b.high + (low < a.low), low);
}

static inline wide wide_sub(wide a, wide b)
{
    return wide_pair(a.high - b.high - (a.low < b.low), a.low - b.low);
}

/* Digits of 32 bits, as on paper: a middle sum has room for two carries. */
static inline wide wide_product(uint64_t a, uint64_t b)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32);
    uint64_t other = a0 * b1 + (uint32_t)middle;
    return wide_pair(a1 * b1 + (middle >> 32) + (other >> 32),
                     other << 32 | (uint32_t)low);
}

/* As unsigned numbers, a negative factor is 2^64 too large. */
static inline wide wide_product_signed(int64_t a, int64_t b)
{
    wide p = wide_product((uint64_t)a, (uint64_t)b);
    p.high -= (a < 0 ? (uint64_t)b : 0) + (b < 0 ? (uint64_t)a : 0);
    return p;
}

static inline wide wide_times(wide a, uint64_t b)
{
    wide p = wide_product(a.low, b);
    p.high += a.high * b;
    return p;
}

static inline wide wide_or(wide a, wide b)
{
    return wide_pair(a.high | b.high, a.low | b.low);
}

static inline wide wide_up(wide x, int by)
{
    if (by >= 64)
        return wide_pair(x.low << (by - 64), 0);
    return by ? wide_pair(x.high << by | x.low >> (64 - by), x.low << by) : x;
}

static inline wide wide_down(wide x, int by)
{
    if (by >= 64)
        return wide_pair(0, x.high >> (by - 64));
    return by ? wide_pair(x.high >> by, x.low >> by | x.high << (64 - by)) : x;
}

static inline bool wide_is(wide x)
{
    return x.high || x.low;
}

static inline bool wide_less(wide a, wide b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

/* Bit by bit from the top; a remainder of 65 bits is above any b. */
static inline wide wide_over(wide a, uint64_t b)
{
    wide quotient = {0, 0};
    uint64_t rest = 0;
    for (int at = 127; at >= 0; at--) {
        bool carry = rest >> 63;
        rest = rest << 1 | (wide_low(wide_down(a, at)) & 1);
        if (carry || rest >= b) {
            rest -= b;
            quotient = wide_or(quotient, wide_up(wide_of(1), at));
        }
    }
    return quotient;
}

#endif

/* The nearest double to x as a signed number. What a double has no room for is
 * jammed into the last of 64 bits, so that one rounding is right. */
static inline double wide_to_double(wide x)
{
    bool negative = wide_high(x) >> 63;
    wide size = negative ? wide_sub(wide_of(0), x) : x;
    int down = 0;
    if (wide_high(size))
        down = 64 - __builtin_clzll(wide_high(size));
    wide cut = wide_down(size, down);
    bool lost = wide_less(wide_up(cut, down), size);
    double value = (double)(wide_low(cut) | lost);
    for (; down >= 32; down -= 32)
        value *= 0x1p32;
    value *= (double)(1ull << down);
    return negative ? -value : value;
}

#endif
