// SPDX-License-Identifier: MIT
/*
 * budget_test.c: how many instructions a launch may issue.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "check/judge/judge.h"

/* Chapter 08's solution of `block` issues 11.2 million warp instructions there,
 * where a tile holds one time step: a learner's kernel may need three times as
 * many without being endless. */
static void a_tiny_case_in_a_big_grid(void **state)
{
    const struct op *op = op_find("dwconv_weight_grad");
    const struct op_shape shape = {.dim = {66, 1000, 1, 2}};

    (void)state;
    assert_true(launch_budget(op, &shape) >= 3 * 11242000u);
}

/* An endless loop still ends soon: the smallest case decides that. */
static void no_case_takes_minutes(void **state)
{
    const struct op *op = op_find("dwconv_weight_grad");
    const struct op_shape shape = {.dim = {1, 1, 1, 1}};

    (void)state;
    assert_true(launch_budget(op, &shape) <= 100 * 1000 * 1000u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tiny_case_in_a_big_grid),
        cmocka_unit_test(no_case_takes_minutes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
