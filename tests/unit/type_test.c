// SPDX-License-Identifier: MIT
/*
 * type_test.c: every bit pattern of the small types, and every value between
 * two of them, against a second, independent method.
 *
 * The second method knows no formula: it walks up from zero, where each value
 * is the one before plus a step, and the step doubles at each new binade. What
 * lies between two neighbours must become the nearer one, and a midpoint the
 * one with the even pattern.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include <math.h>

#include "op/type.h"

static const enum type small[] = {TYPE_FP16, TYPE_BF16, TYPE_FP8_E4M3,
                                  TYPE_FP8_E5M2};
enum { SMALL = sizeof small / sizeof *small };

static unsigned sign_of(enum type type)
{
    return 1u << (8 * type_row[type].bytes - 1);
}

/* The finite values from zero up, in the order of their patterns. */
static unsigned walk(enum type type, double *value)
{
    double step = type_row[type].smallest, at = 0;
    unsigned binade = 1u << type_row[type].mantissa, n = 0;

    for (; at <= type_row[type].largest; n++) {
        value[n] = at;
        if (n >= 2 * binade && n % binade == 0)
            step *= 2;
        at += step;
    }
    return n;
}

static void every_pattern_decodes(void **state)
{
    double *value = malloc(sizeof *value << 16);

    (void)state;
    for (int t = 0; t < SMALL; t++) {
        enum type type = small[t];
        unsigned n = walk(type, value), sign = sign_of(type);

        for (unsigned bits = 0; bits < sign; bits++) {
            double got = type_decode(type, bits);
            double mirrored = type_decode(type, bits | sign);

            if (bits < n) {
                assert_true(got == value[bits] && mirrored == -value[bits]);
                assert_true(signbit(mirrored));
            } else if (bits == n && type_row[type].infinite) {
                assert_true(isinf(got) && got > 0);
                assert_true(isinf(mirrored) && mirrored < 0);
            } else {
                assert_true(isnan(got) && isnan(mirrored));
            }
        }
    }
    free(value);
}

static void every_value_is_rounded_to_the_nearest(void **state)
{
    double *value = malloc(sizeof *value << 16);

    (void)state;
    for (int t = 0; t < SMALL; t++) {
        enum type type = small[t];
        unsigned n = walk(type, value), sign = sign_of(type);

        for (unsigned i = 0; i + 1 < n; i++) {
            double middle = (value[i] + value[i + 1]) / 2;
            unsigned even = i % 2 == 0 ? i : i + 1;

            assert_int_equal(type_encode(type, value[i]), i);
            assert_int_equal(type_encode(type, -value[i]), i | sign);
            assert_int_equal(type_encode(type, middle), even);
            assert_int_equal(type_encode(type, nextafter(middle, 0)), i);
            assert_int_equal(type_encode(type, nextafter(middle, INFINITY)),
                             i + 1);
            assert_int_equal(type_encode(type, -middle), even | sign);
        }
    }
    free(value);
}

/* Half a step beyond the largest value, to the even pattern: IEEE 754, 7.4. */
static void what_is_too_large(void **state)
{
    static const struct {
        enum type type;
        double fits, not;
        unsigned beyond;
    } rows[] = {
        {TYPE_FP16, 65519.99, 65520, 0x7c00},
        {TYPE_BF16, 0x1.fefp127, 0x1.ffp127, 0x7f80},
        {TYPE_FP8_E5M2, 61439.9, 61440, 0x7c},
        {TYPE_FP8_E4M3, 464, 464.001, 0x7f}, /* no infinity: NaN */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum type type = rows[i].type;
        uint64_t bits = type_encode(type, rows[i].fits);

        assert_true(type_decode(type, bits) == type_row[type].largest);
        assert_int_equal(type_encode(type, rows[i].not), rows[i].beyond);
        assert_int_equal(type_encode(type, INFINITY), rows[i].beyond);
        assert_int_equal(type_encode(type, -INFINITY),
                         rows[i].beyond | (type_row[type].infinite
                                               ? sign_of(type) : 0));
        assert_true(isnan(type_decode(type, type_encode(type, NAN))));
        bits = type_encode(type, -NAN);
        assert_true(isnan(type_decode(type, bits)));
        assert_false(type_is_poison(type, bits));
        assert_int_equal(bits & sign_of(type),
                         type_row[type].infinite ? sign_of(type) : 0);
    }
}

/* The host's own half precision, where its compiler has it. */
static void fp16_is_the_hosts(void **state)
{
    (void)state;
#ifdef __FLT16_MANT_DIG__
    for (unsigned i = 0; i < 1000000; i++) {
        double value = ldexp((double)(i * 2654435761u), (int)(i % 60) - 56);
        _Float16 rounded = (_Float16)value;
        uint16_t bits;

        memcpy(&bits, &rounded, sizeof bits);
        assert_int_equal(type_encode(TYPE_FP16, value), bits);
        assert_true(type_decode(TYPE_FP16, bits) == (double)rounded);
    }
#else
    skip();
#endif
}

/* bf16 and tf32 are fp32 with its low bits rounded away. */
static void short_fp32(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 1000000; i++) {
        uint32_t bits = i * 2654435761u & 0x7fffffff, low;
        double value = type_decode(TYPE_FP32, bits);

        if (bits >= 0x7f000000)
            continue; /* near and beyond infinity: above */
        low = 0x7fff + (bits >> 16 & 1);
        assert_int_equal(type_encode(TYPE_BF16, value), (bits + low) >> 16);
        low = 0xfff + (bits >> 13 & 1);
        assert_int_equal(type_encode(TYPE_TF32, value),
                         (bits + low) & ~0x1fffu);
    }
}

static void integers(void **state)
{
    unsigned char array[3];

    (void)state;
    for (int i = -128; i < 128; i++) {
        assert_int_equal(type_encode(TYPE_INT8, i), (uint8_t)i);
        assert_true(type_decode(TYPE_INT8, (uint8_t)i) == i);
    }
    assert_int_equal(type_encode(TYPE_INT8, 200), 127);
    assert_int_equal(type_encode(TYPE_INT8, -200), 0x80);
    assert_int_equal(type_encode(TYPE_INT8, 2.5), 2);
    assert_int_equal(type_encode(TYPE_INT8, -3.5), 0xfc);
    assert_int_equal(type_encode(TYPE_INT32, -1), 0xffffffff);
    assert_true(type_decode(TYPE_INT32, 0x80000000) == -2147483648.0);
    array[0] = array[2] = 7;
    type_set(TYPE_INT8, array, 1, -5);
    assert_true(type_get(TYPE_INT8, array, 1) == -5);
    assert_true(array[0] == 7 && array[2] == 7);
}

/* What type.h promises of each row. */
static void rows_agree_with_themselves(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++) {
        const struct type_row *row = &type_row[t];
        uint64_t poison = 0, most;
        double one = row->floating ? 1.0 : 0.0;

        for (size_t i = 0; i < row->bytes; i++)
            poison = poison << 8 | row->poison;
        assert_true(type_is_poison(t, poison));
        assert_false(type_is_poison(t, poison ^ 1));
        if (row->floating) /* the pattern that arithmetic gives a NaN differs */
            assert_false(type_is_poison(t, type_encode(t, NAN)));
        assert_int_equal(isnan(type_decode(t, poison)), row->floating);

        most = type_encode(t, row->largest);
        assert_true(type_decode(t, most) == row->largest);
        assert_true(type_decode(t, type_encode(t, row->smallest)) ==
                    row->smallest);
        assert_true(type_decode(t, type_encode(t, row->exact)) == row->exact);
        if (!row->floating || t == TYPE_FP64)
            continue;
        assert_true(type_decode(t, type_encode(t, row->exact + 1)) !=
                    row->exact + 1);
        assert_true(type_decode(t, type_encode(t, one + row->u)) == one);
        assert_true(type_decode(t, type_encode(t, one + row->u * 1.01)) > one);
        assert_true(type_decode(t, type_encode(t, row->smallest / 2)) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern_decodes),
        cmocka_unit_test(every_value_is_rounded_to_the_nearest),
        cmocka_unit_test(what_is_too_large),
        cmocka_unit_test(fp16_is_the_hosts),
        cmocka_unit_test(short_fp32),
        cmocka_unit_test(integers),
        cmocka_unit_test(rows_agree_with_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
