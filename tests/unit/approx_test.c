// SPDX-License-Identifier: MIT
/*
 * approx_test.c: the approximate functions against the host's C library in
 * long double, over random and awkward floats.
 *
 * APPROX_CASES=30000000 build/unit/approx_test tries that many instead of a
 * few.
 */
#include "simgpu/core/lanes/approx.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef double approximate(double x);
typedef long double exact(long double x);

static const struct function {
    const char *name;
    approximate *of;
    exact *exact;
} functions[] = {
    {"exp2", approx_exp2, exp2l}, {"log2", approx_log2, log2l},
    {"sin", approx_sin, sinl},    {"cos", approx_cos, cosl},
    {"tanh", approx_tanh, tanhl},
};
enum { N = sizeof functions / sizeof *functions };

static const double allowed = 0x1p-45; /* relative */

static void check(const struct function *f, float x)
{
    double got = f->of((double)x);
    long double want = f->exact((long double)x);
    bool same = isnan(want)             ? isnan(got)
                : fabsl(want) > 0x1p128L ? (double)(float)got ==
                                               (want > 0 ? INFINITY : -INFINITY)
                : fabsl(want) < 0x1p-200L ? fabs(got) < 0x1p-200
                : fabsl((long double)got - want) <= allowed * fabsl(want);
    if (!same)
        fail_msg("%s(%a): %a, not %La", f->name, (double)x, got, want);
}

static float of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void is_near(void **state)
{
    (void)state;
    const char *text = getenv("APPROX_CASES");
    uint64_t random = 1;
    for (long n = text ? atol(text) : 100000; n > 0; n--) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        float any = of_bits((uint32_t)(random >> 32));
        float middling = (float)(int32_t)(random >> 32) * 0x1p-31f *
                         (n & 1 ? 150 : 7);
        for (int k = 0; k < N; k++) {
            check(&functions[k], any);
            check(&functions[k], middling);
        }
    }
}

/* Around multiples of pi/2 little of the angle is left. */
static void is_near_at_multiples_of_a_quarter_turn(void **state)
{
    (void)state;
    for (int n = 1; n < 20000; n++)
        for (int step = -2; step <= 2; step++) {
            float x = (float)((double)n * n * 1.5707963267948966);
            uint32_t bits;
            memcpy(&bits, &x, sizeof bits);
            check(&functions[2], of_bits(bits + (uint32_t)step));
            check(&functions[3], of_bits(bits + (uint32_t)step));
        }
}

static void is_exact_where_it_must_be(void **state)
{
    (void)state;
    for (int n = -149; n < 128; n++) {
        assert_true(approx_exp2(n) == ldexp(1, n));
        assert_true(approx_log2(ldexp(1, n)) == n);
    }
    assert_true(approx_exp2(INFINITY) == INFINITY);
    assert_true(approx_exp2(-INFINITY) == 0);
    assert_true(isnan(approx_exp2(NAN)) && isnan(approx_log2(-1)));
    assert_true(approx_log2(0) == -INFINITY && approx_log2(-0.0) == -INFINITY);
    assert_true(approx_log2(INFINITY) == INFINITY);
    assert_true(isnan(approx_sin(INFINITY)) && isnan(approx_cos(-INFINITY)));
    assert_true(signbit(approx_sin(-0.0)) && approx_cos(-0.0) == 1);
    assert_true(approx_tanh(INFINITY) == 1 && approx_tanh(-INFINITY) == -1);
    assert_true(signbit(approx_tanh(-0.0)) && isnan(approx_tanh(NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_near),
        cmocka_unit_test(is_near_at_multiples_of_a_quarter_turn),
        cmocka_unit_test(is_exact_where_it_must_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
