// SPDX-License-Identifier: MIT
/*
 * values.c: inputs that are hard to get right, by letter.
 *
 *   values_fill   i 32-bit integers      l 64-bit       j 16-bit
 *                 f floats               d doubles      h halves
 *                 s shift counts         p predicates   n nonzero integers
 *                 r floats of middling size, of both signs
 *                 g the same, positive   H two halves
 *                 m integers 0 to 3
 *                 F any finite float, P any positive one, D any finite double
 *                 A up to 100 pi of either sign, E up to 160, T up to 12
 *   random_bits   a repeatable sequence (SplitMix64)
 */
#include <math.h>
#include <float.h>
#include <string.h>

#include "conformance.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const int64_t integers[] = {
    0, 1, 2, 3, 5, 7, 8, 31, 32, 33, 100, 127, 128, 255, 256, 32767, 32768,
    65535, 65536, 16777216, 16777217, INT32_MAX - 1, INT32_MAX,
    (int64_t)INT32_MAX + 1, UINT32_MAX - 1, UINT32_MAX, -1, -2, -3, -100,
    -128, -32768, INT32_MIN, 0x12345678, 0x55555555, 0xdeadbeef,
};

static const int64_t long_integers[] = {
    0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 255, 65535, INT32_MAX,
    (int64_t)INT32_MAX + 1, UINT32_MAX, (int64_t)UINT32_MAX + 1, -1, -2, -7,
    INT32_MIN, (int64_t)INT32_MIN - 1, INT64_MAX, INT64_MAX - 1, INT64_MIN,
    INT64_MIN + 1, 0x123456789abcdef0, 0x5555555555555555,
    (int64_t)0xdeadbeefcafef00du, (int64_t)1 << 53, ((int64_t)1 << 53) + 1,
    (int64_t)1 << 62, 1000000007,
};

static const int64_t shifts[] = {0, 1, 2, 5, 15, 16, 17, 30, 31, 32, 33, 62,
                                 63, 64, 65, 100, 255, 256, -1, INT32_MIN};

static const double numbers[] = {
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.5, 0.3, -0.7,
    1.0 / 3, 3.14159265, -100.25, 127.5, 128, 255.5, 256, -129, 32767.5,
    65535.5, 16777216, 16777217, 2147483520, 2147483647, 2147483648.0,
    -2147483648.0, 4294967040.0, 4294967296.0, 9.2233720368547758e18,
    1.8446744073709552e19, 1e10, -1e30, 1e-30, INFINITY, -INFINITY, NAN,
};

/* At the ends of each format, beside the numbers above. */
static const double float_ends[] = {FLT_MAX, -FLT_MAX, FLT_MIN,
                                    FLT_TRUE_MIN, -FLT_TRUE_MIN,
                                    FLT_MIN - FLT_TRUE_MIN};
static const double double_ends[] = {DBL_MAX, -DBL_MAX, DBL_MIN,
                                     DBL_TRUE_MIN, -DBL_TRUE_MIN, 1e300};
static const double half_ends[] = {65504, -65504, 0x1p-14, 0x1p-24, -0x1p-24,
                                   0x1.ffcp-15};

uint64_t random_bits(void)
{
    static uint64_t state = 42;
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Where value k of an input takes its number from a set of n: all pairs of
 * the first two inputs come up, then (SIZE_MAX) random ones. */
static size_t pick(int k, int place, size_t n)
{
    size_t i = (size_t)k;
    if (place == 1)
        return i < n * n ? i / n : SIZE_MAX;
    if (place == 2)
        return i < n * n ? (i * 7 + i / n * 3) % n : SIZE_MAX;
    return i < n * n ? i % n : SIZE_MAX;
}

static union value integer(char letter, int k, int place)
{
    const int64_t *set = letter == 'l' ? long_integers
                         : letter == 's' ? shifts : integers;
    size_t n = letter == 'l' ? COUNT(long_integers)
               : letter == 's' ? COUNT(shifts) : COUNT(integers);
    size_t i = pick(k, place, n);
    union value v = {.u64 = random_bits()};
    if (letter == 's')
        v.u64 %= 70;
    if (i != SIZE_MAX)
        v.s64 = set[i];
    if (letter == 'n' && v.u32 == 0)
        v.u64 = 3;
    return v;
}

static double number(const double *ends, size_t i)
{
    return i < COUNT(numbers) ? numbers[i] : ends[i - COUNT(numbers)];
}

static union value half(int k, int place)
{
    size_t i = pick(k, place, COUNT(numbers) + COUNT(half_ends));
    union value v = {.u64 = random_bits()};
    if (i != SIZE_MAX)
        v.f16 = (_Float16)number(half_ends, i);
    return v;
}

static union value floating(char letter, int k, int place)
{
    size_t i = pick(k, place, COUNT(numbers) + COUNT(float_ends));
    union value v = {.u64 = random_bits()};
    if (letter == 'd' && i != SIZE_MAX)
        v.f64 = number(double_ends, i);
    else if (letter == 'f' && i != SIZE_MAX)
        v.f32 = (float)number(float_ends, i);
    return v;
}

/* Magnitudes from 2^-10 to 2^10. */
static union value middling(bool positive)
{
    uint64_t bits = random_bits();
    union value v = {.f64 = 0};
    double x = exp2((double)(bits >> 32) / 0x1p32 * 20 - 10);
    v.f32 = (float)(bits & 1 && !positive ? -x : x);
    return v;
}

/* All bits drawn, but never infinite. */
static union value any_finite(char letter)
{
    union value v = {.u64 = random_bits()};
    if (letter == 'D' && (v.u64 >> 52 & 0x7ff) == 0x7ff)
        v.u64 ^= UINT64_C(1) << 62;
    else if (letter != 'D' && (v.u32 >> 23 & 0xff) == 0xff)
        v.u32 ^= 1u << 30;
    if (letter == 'P')
        v.u32 &= 0x7fffffff;
    return v;
}

/* Evenly, in [-most, most]; every fourth a thousandth of it. */
static union value evenly(double most)
{
    uint64_t bits = random_bits();
    double x = ((double)(bits >> 11) / 0x1p52 - 1) * most;
    union value v = {.f64 = 0};
    v.f32 = (float)(bits % 4 ? x : x / 1000);
    return v;
}

static union value value_of(char letter, int k, int place)
{
    union value v;
    switch (letter) {
    case 'f': case 'd': return floating(letter, k, place);
    case 'h': return half(k, place);
    case 'r': case 'g': return middling(letter == 'g');
    case 'F': case 'P': case 'D': return any_finite(letter);
    case 'A': return evenly(100 * 3.14159);
    case 'E': return evenly(160);
    case 'T': return evenly(12);
    case 'm': return (union value){.u64 = random_bits() & 3};
    case 'p': return (union value){.u64 = random_bits() & 1};
    case 'H':
        v = half(k, place);
        v.u32 = (uint32_t)half(THREADS - k, place).u16 << 16 | v.u16;
        return v;
    default: return integer(letter, k, place);
    }
}

void values_fill(char letter, int place, union value in[THREADS])
{
    for (int k = 0; k < THREADS; k++)
        in[k] = value_of(letter, k, place);
}

int values_width(char letter)
{
    return letter == 'p' ? 1 : strchr("jh", letter) ? 16
           : strchr("ldD", letter) ? 64 : 32;
}
