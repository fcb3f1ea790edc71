// SPDX-License-Identifier: MIT
/*
 * wide_test.c: 128 bits made of two halves compute what the compiler's own
 * __int128 does, with numbers drawn at random and with those at the ends.
 */
#define WIDE_BY_HALVES
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "simgpu/core/lanes/wide.h"

typedef unsigned __int128 native;

static native native_of(wide x)
{
    return (native)wide_high(x) << 64 | wide_low(x);
}

static void same(wide x, native y)
{
    assert_true(native_of(x) == y);
}

/* Ends, single bits, and bits of any number: carries are rare otherwise. */
static uint64_t draw(void)
{
    static const uint64_t ends[] = {0, 1, UINT32_MAX, 1ull << 32, 1ull << 63,
                                    INT64_MAX, UINT64_MAX - 1, UINT64_MAX};
    static uint64_t state = 88172645463325252u;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    switch (state >> 60) {
    case 0: case 1: case 2: return ends[state >> 8 & 7];
    case 3: return 1ull << (state >> 8 & 63);
    default: return state >> (state & 63);
    }
}

static void arithmetic(void **state)
{
    (void)state;
    for (int n = 0; n < 200000; n++) {
        uint64_t a1 = draw(), a0 = draw(), b1 = draw(), b0 = draw();
        wide a = wide_pair(a1, a0), b = wide_pair(b1, b0);
        native x = native_of(a), y = native_of(b);
        same(wide_of(a0), a0);
        same(wide_signed((int64_t)a0), (native)(__int128)(int64_t)a0);
        same(wide_add(a, b), x + y);
        same(wide_sub(a, b), x - y);
        same(wide_times(a, b0), x * b0);
        same(wide_product(a0, b0), (native)a0 * b0);
        same(wide_product_signed((int64_t)a0, (int64_t)b0),
             (native)((__int128)(int64_t)a0 * (int64_t)b0));
        same(wide_or(a, b), x | y);
        assert_int_equal(wide_is(a), x != 0);
        assert_int_equal(wide_less(a, b), x < y);
        assert_false(wide_less(a, a));
    }
}

static void shifts(void **state)
{
    (void)state;
    for (int n = 0; n < 1000; n++) {
        wide a = wide_pair(draw(), draw());
        for (int by = 0; by < 128; by++) {
            same(wide_up(a, by), native_of(a) << by);
            same(wide_down(a, by), native_of(a) >> by);
        }
    }
}

static void quotients(void **state)
{
    (void)state;
    for (int n = 0; n < 20000; n++) {
        wide a = wide_pair(draw(), draw());
        uint64_t b = draw();
        if (b)
            same(wide_over(a, b), native_of(a) / b);
    }
}

static void doubles(void **state)
{
    (void)state;
    for (int n = 0; n < 200000; n++) {
        wide a = wide_pair(draw(), draw());
        assert_true(wide_to_double(a) == (double)(__int128)native_of(a));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic), cmocka_unit_test(shifts),
        cmocka_unit_test(quotients), cmocka_unit_test(doubles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
