// SPDX-License-Identifier: MIT
/*
 * order_test.c: which kernel has the GPU next, and when its result is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "check/order.h"

static int take_ready(struct order *o)
{
    int i = order_ready(o);

    if (i >= 0)
        o->taken[i] = true;
    return i;
}

static void test_the_first_that_is_ready(void **state)
{
    struct order o = {.n = 4};

    (void)state;
    assert_int_equal(order_ready(&o), -1);
    assert_int_equal(order_first(&o), 0);
    o.through[2] = true;
    assert_int_equal(take_ready(&o), 2);
    assert_int_equal(take_ready(&o), -1);
    o.through[3] = o.through[1] = true;
    assert_int_equal(take_ready(&o), 1);
    assert_int_equal(order_first(&o), 0);
    o.through[0] = true;
    assert_int_equal(take_ready(&o), 0);
    assert_int_equal(take_ready(&o), 3);
    assert_int_equal(order_first(&o), -1);
}

static void test_results_come_in_order(void **state)
{
    struct order o = {.n = 3};

    (void)state;
    order_over(&o, 1);
    assert_int_equal(order_to_tell(&o), -1);
    order_over(&o, 0);
    assert_int_equal(order_to_tell(&o), 0);
    assert_int_equal(order_to_tell(&o), 1);
    assert_int_equal(order_to_tell(&o), -1);
    order_over(&o, 2);
    assert_int_equal(order_to_tell(&o), 2);
    assert_int_equal(order_to_tell(&o), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_that_is_ready),
        cmocka_unit_test(test_results_come_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
