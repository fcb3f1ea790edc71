// SPDX-License-Identifier: MIT
/*
 * softfloat_test.c: arithmetic in integers against this processor's, under
 * each of its rounding modes, and against the definition for halves.
 *
 * SOFTFLOAT_CASES=30000000 build/unit/softfloat_test tries that many operands
 * instead of a few.
 */
#include "simgpu/core/lanes/softfloat.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int host_mode[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                FE_UPWARD};

static long cases(void)
{
    const char *text = getenv("SOFTFLOAT_CASES");
    return text ? atol(text) : 60000;
}

static uint64_t draw(void)
{
    static uint64_t state = 1;
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Bits of a format: fractions that are all ones, nearly zero, or short, and
 * exponents that lie at the ends or a few steps from near. */
static uint64_t awkward(const struct float_format *f, int near)
{
    uint64_t ones = (1ull << f->fraction) - 1, fraction = draw() & ones;
    uint64_t how = draw();
    int top = (1 << f->exponent_bits) - 1, exponent = near;
    switch (how & 7) {
    case 0: fraction = 0; break;
    case 1: fraction = ones; break;
    case 2: fraction &= 3; break;
    case 3: fraction |= ones & ~3ull; break;
    case 4: fraction &= fraction << (how >> 8) % 50; break;
    default: break;
    }
    switch (how >> 3 & 7) {
    case 0: exponent = (int)(how >> 16 & 3); break;
    case 1: exponent = top - (int)(how >> 16 & 3); break;
    case 2: exponent = (int)((how >> 16) % (uint64_t)(top + 1)); break;
    default: exponent += (int)(how >> 16) % (2 * f->fraction + 6);
    }
    exponent = exponent < 0 ? 0 : exponent > top ? top : exponent;
    return (how >> 40 & 1) << (f->fraction + f->exponent_bits) |
           (uint64_t)exponent << f->fraction | fraction;
}

static float single(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}

static uint64_t single_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double number(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t number_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* volatile keeps the operation between the changes of mode. */
#define HOST(type, expression)                                                 \
    ({                                                                         \
        fesetround(host_mode[mode]);                                           \
        volatile type result = (expression);                                   \
        fesetround(FE_TONEAREST);                                              \
        result;                                                                \
    })

static void same_f32(uint64_t got, float want, const char *what, int mode,
                     uint64_t a, uint64_t b, uint64_t c)
{
    if (got == single_bits(want) || (isnan(want) && got == soft_f32.nan))
        return;
    fail_msg("%s, mode %d, of %#llx %#llx %#llx: %#llx, not %a", what, mode,
             (unsigned long long)a, (unsigned long long)b,
             (unsigned long long)c, (unsigned long long)got, (double)want);
}

static void same_f64(uint64_t got, double want, const char *what, int mode,
                     uint64_t a, uint64_t b, uint64_t c)
{
    if (got == number_bits(want) || (isnan(want) && isnan(number(got))))
        return;
    fail_msg("%s, mode %d, of %#llx %#llx %#llx: %#llx, not %a", what, mode,
             (unsigned long long)a, (unsigned long long)b,
             (unsigned long long)c, (unsigned long long)got, want);
}

static void check_f32(uint64_t a, uint64_t b, uint64_t c, enum rounding mode)
{
    const struct float_format *f = &soft_f32;
    volatile float x = single(a), y = single(b), z = single(c);
    same_f32(soft_add(f, a, b, mode), HOST(float, x + y), "add", mode, a, b, 0);
    same_f32(soft_mul(f, a, b, mode), HOST(float, x * y), "mul", mode, a, b, 0);
    same_f32(soft_div(f, a, b, mode), HOST(float, x / y), "div", mode, a, b, 0);
    same_f32(soft_sqrt(f, a, mode), HOST(float, sqrtf(x)), "sqrt", mode, a, 0,
             0);
    same_f32(soft_fma(f, a, b, c, mode), HOST(float, fmaf(x, y, z)), "fma",
             mode, a, b, c);
}

static void check_f64(uint64_t a, uint64_t b, uint64_t c, enum rounding mode)
{
    const struct float_format *f = &soft_f64;
    volatile double x = number(a), y = number(b), z = number(c);
    same_f64(soft_add(f, a, b, mode), HOST(double, x + y), "add", mode, a, b,
             0);
    same_f64(soft_mul(f, a, b, mode), HOST(double, x * y), "mul", mode, a, b,
             0);
    same_f64(soft_div(f, a, b, mode), HOST(double, x / y), "div", mode, a, b,
             0);
    same_f64(soft_sqrt(f, a, mode), HOST(double, sqrt(x)), "sqrt", mode, a, 0,
             0);
    same_f64(soft_fma(f, a, b, c, mode), HOST(double, fma(x, y, z)), "fma",
             mode, a, b, c);
}

static void agrees_with_the_processor(void **state)
{
    (void)state;
    for (long n = cases(); n > 0; n--) {
        enum rounding mode = (enum rounding)(n & 3);
        int near32 = (int)(draw() & 255), near64 = (int)(draw() & 2047);
        check_f32(awkward(&soft_f32, near32), awkward(&soft_f32, near32),
                  awkward(&soft_f32, near32), mode);
        check_f64(awkward(&soft_f64, near64), awkward(&soft_f64, near64),
                  awkward(&soft_f64, near64), mode);
    }
}

/* c nearly cancels a b, so that only the product's lowest bits are left, or
 * lies so far below it that it decides a tie. */
static void fuses_once(void **state)
{
    (void)state;
    for (long n = cases(); n > 0; n--) {
        enum rounding mode = (enum rounding)(n & 3);
        uint64_t a = awkward(&soft_f32, 127), b = awkward(&soft_f32, 127);
        volatile float p = -(single(a) * single(b));
        uint64_t c = single_bits(n & 4 ? p : p * 0x1p-24f * (float)(n & 3));
        check_f32(a, b, c + (draw() & 3), mode);
        a = awkward(&soft_f64, 1023), b = awkward(&soft_f64, 1023);
        volatile double q = -(number(a) * number(b));
        c = number_bits(n & 4 ? q : q * 0x1p-53 * (double)(n & 3));
        check_f64(a, b, c + (draw() & 3), mode);
    }
}

/* What hosts without the instruction use: the long way only where the sum in
 * double may deceive. */
static void fuses_without_the_instruction(void **state)
{
    (void)state;
    const enum rounding mode = ROUND_NEAREST;
    for (long n = cases(); n > 0; n--) {
        uint64_t a = awkward(&soft_f32, 127), b = awkward(&soft_f32, 127);
        uint64_t c = awkward(&soft_f32, 127);
        if (n & 1)
            c = single_bits(-(single(a) * single(b))) + (draw() & 3);
        volatile double sum = (double)single(a) * (double)single(b);
        sum = sum + (double)single(c);
        float got = fused_doubtful(sum)
                        ? fused_f32(single(a), single(b), single(c))
                        : (float)sum;
        float want = fmaf(single(a), single(b), single(c));
        same_f32(isnan(got) ? soft_f32.nan : single_bits(got), want, "fused",
                 mode, a, b, c);
        a = awkward(&soft_f64, 1023), b = awkward(&soft_f64, 1023);
        c = awkward(&soft_f64, 1023);
        same_f64(number_bits(fused_f64(number(a), number(b), number(c))),
                 fma(number(a), number(b), number(c)), "fused", mode, a, b,
                 c);
    }
}

static void converts(void **state)
{
    (void)state;
    for (long n = cases(); n > 0; n--) {
        enum rounding mode = (enum rounding)(n & 3);
        uint64_t a = awkward(&soft_f64, 1023 + (int)(draw() % 300) - 150);
        volatile double x = number(a);
        same_f32(soft_from_double(&soft_f32, x, mode), HOST(float, (float)x),
                 "narrow", mode, a, 0, 0);
        volatile uint64_t u = draw() >> (draw() & 63);
        volatile int64_t s = -(int64_t)(u >> 1);
        same_f32(soft_from_integer(&soft_f32, false, u, mode),
                 HOST(float, (float)u), "u64", mode, u, 0, 0);
        same_f64(soft_from_integer(&soft_f64, false, u, mode),
                 HOST(double, (double)u), "u64", mode, u, 0, 0);
        same_f64(soft_from_integer(&soft_f64, true, u >> 1, mode),
                 HOST(double, (double)s), "s64", mode, u, 0, 0);
    }
}

/* The value of a half's bits, by the definition of the format. */
static double value(const struct float_format *f, uint64_t bits)
{
    int exponent = (int)(bits >> f->fraction) & ((1 << f->exponent_bits) - 1);
    double fraction = (double)(bits & ((1ull << f->fraction) - 1));
    double x = exponent ? ldexp(fraction + (double)(1ull << f->fraction),
                                exponent - 1 + f->min_exponent - f->fraction)
                        : ldexp(fraction, f->min_exponent - f->fraction);
    return bits >> (f->fraction + f->exponent_bits) & 1 ? -x : x;
}

/* Between each half and the next above: either end, the middle, and its
 * neighbours, for both signs and all modes. Above the largest lies infinity,
 * which counts as the next number of the format. */
static void rounds_halves_by_definition(void **state)
{
    (void)state;
    const struct float_format *formats[] = {&soft_f16, &soft_bf16};
    for (int k = 0; k < 2; k++) {
        const struct float_format *f = formats[k];
        uint64_t end = ((1ull << f->exponent_bits) - 1) << f->fraction;
        for (uint64_t low = 0; low < end; low++) {
            double a = value(f, low), b = value(f, low + 1), m = (a + b) / 2;
            uint64_t even = low & 1 ? low + 1 : low;
            assert_int_equal(soft_from_double(f, m, ROUND_NEAREST), even);
            assert_int_equal(soft_from_double(f, nextafter(m, a),
                                              ROUND_NEAREST), low);
            assert_int_equal(soft_from_double(f, nextafter(m, b),
                                              ROUND_NEAREST), low + 1);
            assert_int_equal(soft_from_double(f, m, ROUND_ZERO), low);
            assert_int_equal(soft_from_double(f, m, ROUND_DOWN), low);
            assert_int_equal(soft_from_double(f, m, ROUND_UP), low + 1);
            assert_int_equal(soft_from_double(f, -m, ROUND_UP), 0x8000 | low);
            assert_int_equal(soft_from_double(f, -m, ROUND_DOWN),
                             0x8000 | (low + 1));
            assert_int_equal(soft_from_double(f, a, ROUND_UP), low);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_processor),
        cmocka_unit_test(fuses_once),
        cmocka_unit_test(fuses_without_the_instruction),
        cmocka_unit_test(converts),
        cmocka_unit_test(rounds_halves_by_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
