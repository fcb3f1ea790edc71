// SPDX-License-Identifier: MIT
/*
 * trap_test.c: the traps of chapter 02 leave nothing to luck.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "check/phase/traps.h"
#include "op/op.h"

enum { SEEDS = 50, LAUNCHES = 960 };

/* Any ten launches from a multiple of ten have the truth as their mean, and a
 * lone one is mostly far from it. */
static void ten_launches_average_to_the_truth(void **state)
{
    struct trap trap = {.kernel_us = 1000, .spread = 0.3};
    int near = 0;

    (void)state;
    for (int seed = 0; seed < SEEDS; seed++) {
        trap.seed = seed;
        for (int block = 0; block < LAUNCHES / 10; block++) {
            double sum = 0;

            for (int i = 0; i < 10; i++) {
                double us = trap_launch_us(&trap, (uint64_t)(10 * block + i));

                assert_true(us >= 700 && us <= 1300);
                near += fabs(us - 1000) < 80;
                sum += us;
            }
            assert_true(fabs(sum / 10 - 1000) < 1e-6);
        }
    }
    assert_int_equal(near, SEEDS * LAUNCHES / 5);
}

static void so_many_launches_hold_one_outlier(void **state)
{
    struct trap trap = {.kernel_us = 10, .outlier_every = 32,
                        .outlier_times = 30};
    int places = 0;

    (void)state;
    for (int seed = 0; seed < SEEDS; seed++) {
        trap.seed = seed;
        for (int block = 0; block < LAUNCHES / 32; block++) {
            int outliers = 0;

            for (int i = 0; i < 32; i++) {
                double us = trap_launch_us(&trap, (uint64_t)(32 * block + i));

                outliers += us > 299;
                places |= us > 299 ? 1 << (i % 31) : 0;
                assert_true(us == 10 || fabs(us - 300) < 1e-9);
            }
            assert_int_equal(outliers, 1);
        }
    }
    assert_int_equal(places, 0x7fffffff); /* everywhere, in the end */
}

static void the_first_launch_is_late_and_no_other(void **state)
{
    struct trap trap = {.kernel_us = 10, .first_us = 500};

    (void)state;
    assert_true(trap_launch_us(&trap, 0) == 510);
    assert_true(trap_launch_us(&trap, 1) == 10);
}

static void clocks_settle_once_and_for_all(void **state)
{
    struct trap trap = {.ramp = 1.5, .ramp_ms = 2000};

    (void)state;
    assert_true(trap_ramp(&trap, 0) == 1.5);
    assert_true(fabs(trap_ramp(&trap, 1000) - 1.25) < 1e-12);
    assert_true(trap_ramp(&trap, 2000) == 1 && trap_ramp(&trap, 1e9) == 1);
}

static void fields_are_read_or_refused(void **state)
{
    struct trap trap = {0};

    (void)state;
    assert_true(trap_read(&trap, "kernel_us=12.5") && trap.kernel_us == 12.5);
    assert_true(trap_read(&trap, "seed=7") && trap.seed == 7);
    assert_false(trap_read(&trap, "kernel=1"));
    assert_false(trap_read(&trap, "kernel_us"));
    assert_false(trap_read(&trap, "kernel_us="));
    assert_false(trap_read(&trap, "kernel_us=1x"));
    assert_false(trap_read(&trap, "kernel_us=nan"));
}

/* Each trap moves its timer further than the tolerance reaches, and a drawn
 * one keeps its kind. */
static void each_trap_can_catch(void **state)
{
    (void)state;
    assert_int_equal(trap_count(), op_find("timer")->n_awkward);
    for (int i = 0; i < trap_count(); i++) {
        const struct trap_row *row = trap_at(i);
        struct trap a = trap_draw(row, 1), b = trap_draw(row, 2);

        assert_true(row->calls >= 1 && row->tolerance < 0.2);
        assert_true(a.kernel_us >= row->trap.kernel_us &&
                    a.kernel_us <= 1.6 * row->trap.kernel_us);
        assert_true(a.kernel_us != b.kernel_us && a.seed != b.seed);
        assert_true(1 - a.warm > 3 * row->tolerance || a.warm == 1);
        assert_true(1 - a.alike > 2 * row->tolerance || a.alike == 1);
        assert_true(a.ramp - 1 > 3 * row->tolerance || a.ramp == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_launches_average_to_the_truth),
        cmocka_unit_test(so_many_launches_hold_one_outlier),
        cmocka_unit_test(the_first_launch_is_late_and_no_other),
        cmocka_unit_test(clocks_settle_once_and_for_all),
        cmocka_unit_test(fields_are_read_or_refused),
        cmocka_unit_test(each_trap_can_catch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
