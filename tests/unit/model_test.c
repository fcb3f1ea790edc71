// SPDX-License-Identifier: MIT
/*
 * model_test.c: the formulas of `make analyze`, against numbers by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "analyze/model.h"

static const struct op *conv(void)
{
    const struct op *op = op_find("dwconv_forward");

    assert_non_null(op);
    return op;
}

static void two_shapes_differ_in_the_longest_extent(void **state)
{
    struct op_shape timed = {.dim = {16384, 128, 48, 48}};
    struct model_shapes s;

    (void)state;
    assert_true(model_shapes(conv(), &timed, &s));
    assert_int_equal(s.extent, 0);
    assert_int_equal(s.small.dim[0] * 2, s.big.dim[0]);
    assert_true(s.big.dim[0] < 16384);
    for (int i = 1; i < 4; i++) {
        assert_int_equal(s.small.dim[i], timed.dim[i]);
        assert_int_equal(s.big.dim[i], timed.dim[i]);
    }
}

static void a_small_shape_is_counted_as_it_is(void **state)
{
    struct op_shape timed = {.dim = {2, 3, 64, 5}}, one = {.dim = {1, 1, 1, 1}};
    struct model_shapes s;

    (void)state;
    assert_true(model_shapes(conv(), &timed, &s));
    assert_int_equal(s.big.dim[2], 64);
    assert_int_equal(s.small.dim[2], 32);
    assert_false(model_shapes(conv(), &one, &s));
}

/* 7 of weights and 3 per step: 7 + 3 x 10 at 10, 7 + 3 x 20 at 20. */
static void counts_go_on_along_a_line(void **state)
{
    struct model_shapes s = {{.dim = {10}}, {.dim = {20}}, 0};
    struct op_shape timed = {.dim = {1000}};

    (void)state;
    assert_float_equal(model_extend(&s, &timed, 37, 67), 3007, 1e-9);
    assert_true(isnan(model_extend(&s, &timed, NAN, 67)));
}

static void a_shrunken_shape_is_found_again(void **state)
{
    struct op_shape wanted = {.dim = {16384, 128, 48, 48}}, half = wanted, got;

    (void)state;
    half.dim[0] /= 2;
    got = model_timed(conv(), wanted, conv()->bytes(conv(), &half));
    assert_int_equal(got.dim[0], half.dim[0]);
    got = model_timed(conv(), wanted, conv()->bytes(conv(), &wanted));
    assert_int_equal(got.dim[0], wanted.dim[0]);
}

/* 800 bytes at 200 per second: 4 s; 300 operations at 100 per second: 3 s. */
static const struct roofs roofs = {200, 100, false};

static void a_path_stands_under_its_roof(void **state)
{
    struct model_path p = {.needs = 800, .useful = 300, .moves = 1200,
                           .seconds = 10, .copy = NAN};
    struct model_place at = model_place(&p, &roofs);

    (void)state;
    assert_float_equal(at.floor, 4, 1e-12);
    assert_float_equal(at.moving, 6, 1e-12);
    assert_float_equal(at.at_least, 6, 1e-12);
    assert_float_equal(at.bandwidth, 80, 1e-12);
    assert_float_equal(at.over_copy, 2.5, 1e-12);
    assert_float_equal(at.of_roof, 0.4, 1e-12);
    assert_float_equal(at.intensity, 0.375, 1e-12);
    assert_string_equal(at.bound, "memory");
}

static void the_sessions_own_copy_comes_first(void **state)
{
    struct model_path p = {.needs = 800, .useful = 300, .moves = 1600,
                           .seconds = 10, .copy = 2};
    struct model_place at = model_place(&p, &roofs);

    (void)state;
    assert_float_equal(at.over_copy, 5, 1e-12);
    assert_float_equal(at.moving, 4, 1e-12);
    assert_float_equal(at.floor, 3, 1e-12); /* arithmetic, now */
    assert_string_equal(at.bound, "compute");
}

static void what_is_not_known_stays_so(void **state)
{
    struct model_path p = {.needs = 800, .useful = 300, .moves = NAN,
                           .seconds = NAN, .copy = NAN};
    struct model_place at = model_place(&p, &roofs);

    (void)state;
    assert_true(isnan(at.moving) && isnan(at.bandwidth) && isnan(at.of_roof));
    assert_float_equal(at.floor, 4, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_shapes_differ_in_the_longest_extent),
        cmocka_unit_test(a_small_shape_is_counted_as_it_is),
        cmocka_unit_test(counts_go_on_along_a_line),
        cmocka_unit_test(a_shrunken_shape_is_found_again),
        cmocka_unit_test(a_path_stands_under_its_roof),
        cmocka_unit_test(the_sessions_own_copy_comes_first),
        cmocka_unit_test(what_is_not_known_stays_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
