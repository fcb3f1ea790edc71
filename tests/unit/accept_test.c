// SPDX-License-Identifier: MIT
/*
 * accept_test.c: which result is right, for operators of every kind of type and
 * sum: copies, fp64, fp8 and integers. (gemm_test.c has the usual ones.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "op/op.h"

static const struct op_problem drawn = {.family = OP_SIGNED};
static const struct op_problem whole = {.family = OP_INTEGER};

/* An operator of one output, of this type. */
static struct op writes(enum type type, enum op_sum sum)
{
    return (struct op){.n_buffers = 1,
                       .buffers = {{.role = OP_OUTPUT, .type = type}},
                       .precision = {.sum = sum, .serial = true}};
}

static double tolerance(enum type type, enum op_sum sum, double value,
                        long terms)
{
    struct op op = writes(type, sum);
    struct op_cell cell = {value, fabs(value), terms};

    return op_tolerance(&op, &drawn, 0, &cell);
}

static bool takes(enum type type, const struct op_problem *problem,
                  double value, long terms, double got)
{
    struct op op = writes(type, OP_SUM_FP32);
    struct op_cell cell = {value, fabs(value), terms};

    return op_accepts(&op, problem, 0, &cell, type_encode(type, got));
}

static void a_copy_is_exact_where_its_type_is(void **state)
{
    (void)state;
    assert_true(tolerance(TYPE_FP32, OP_SUM_FP32, 0.1f, 0) == 0);
    assert_true(tolerance(TYPE_BF16, OP_SUM_FP32, 0.375, 0) == 0);
    assert_true(tolerance(TYPE_INT8, OP_SUM_INT32, -127, 0) == 0);
    assert_true(takes(TYPE_BF16, &drawn, 0.375, 0, 0.375));
    assert_false(takes(TYPE_BF16, &drawn, 0.375, 0, 0.375 + 0x1p-9));
}

/* 1.01 lies between two bf16, 0x1p-7 apart: the nearer one is within half of
 * that, the other one is not. */
static void a_copy_to_a_coarser_type_is_rounded(void **state)
{
    (void)state;
    assert_true(takes(TYPE_BF16, &drawn, 1.01, 0, 1 + 0x1p-7));
    assert_false(takes(TYPE_BF16, &drawn, 1.01, 0, 1));
    assert_false(takes(TYPE_BF16, &drawn, 1.01, 0, 1 + 0x1p-6));
    assert_true(takes(TYPE_FP8_E4M3, &drawn, 1.05, 0, 1));
    assert_false(takes(TYPE_FP8_E4M3, &drawn, 1.05, 0, 1.125));
    assert_true(takes(TYPE_FP8_E4M3, &whole, 17, 0, 16));
    assert_false(takes(TYPE_FP8_E4M3, &whole, 17, 0, 20));
}

/* A double sums n terms with n + 2 units at most, and so does the reference. */
static void a_sum_in_fp64_allows_for_the_reference(void **state)
{
    (void)state;
    assert_true(tolerance(TYPE_FP64, OP_SUM_FP64, 1, 30) == 2 * 32 * 0x1p-53);
    assert_true(tolerance(TYPE_FP64, OP_SUM_FP64, 1, 0) == 0);
    assert_true(tolerance(TYPE_FP32, OP_SUM_FP32, 1, 30) == 32 * 0x1p-24);
    assert_true(tolerance(TYPE_FP32, OP_SUM_FP64, 1, 30) > 0x1p-24);
    assert_true(tolerance(TYPE_FP32, OP_SUM_FP64, 1, 30) < 0x1.01p-24);
}

static void fp8_saturates(void **state)
{
    (void)state;
    assert_true(takes(TYPE_FP8_E5M2, &drawn, 1e6, 9, 57344));
    assert_true(takes(TYPE_FP8_E5M2, &drawn, 1e6, 9, INFINITY));
    assert_true(takes(TYPE_FP8_E5M2, &drawn, INFINITY, 9, 57344));
    assert_true(takes(TYPE_FP8_E5M2, &drawn, -INFINITY, 9, -57344));
    assert_false(takes(TYPE_FP8_E5M2, &drawn, 1e6, 9, -57344));
    assert_false(takes(TYPE_FP8_E5M2, &drawn, 1e6, 9, 49152));
    assert_false(takes(TYPE_FP8_E5M2, &drawn, 1e6, 9, NAN));
    assert_false(takes(TYPE_FP8_E5M2, &drawn, 1, 9, INFINITY));
    assert_true(takes(TYPE_FP8_E4M3, &drawn, 1e6, 9, 448));
    assert_true(takes(TYPE_FP8_E4M3, &drawn, -1e6, 9, -448));
    assert_true(takes(TYPE_FP8_E4M3, &drawn, INFINITY, 9, NAN));
    assert_false(takes(TYPE_FP8_E4M3, &drawn, 1e6, 9, 416));
    /* fp16 has an infinity, and conversions go there. */
    assert_true(takes(TYPE_FP16, &drawn, 1e6, 9, INFINITY));
    assert_false(takes(TYPE_FP16, &drawn, 1e6, 9, 65504));
}

static void poison_is_no_nan_of_fp8(void **state)
{
    struct op op = writes(TYPE_FP8_E5M2, OP_SUM_FP32);
    struct op_cell nan = {NAN, NAN, 9};

    (void)state;
    assert_true(op_accepts(&op, &drawn, 0, &nan, 0x7f));
    assert_false(op_accepts(&op, &drawn, 0, &nan, 0xff));
    op.buffers[0].type = TYPE_FP8_E4M3;
    assert_true(op_accepts(&op, &drawn, 0, &nan, 0x7f));
    assert_false(op_accepts(&op, &drawn, 0, &nan, 0xff));
}

/* An int32 sum is exact; what is scaled in fp32 to int8 is rounded. */
static void integers(void **state)
{
    struct op op = writes(TYPE_INT32, OP_SUM_INT32);
    struct op_cell cell = {2064512, 2064512, 128}; /* 128 x 127 x 127 */

    (void)state;
    assert_true(op_accepts(&op, &drawn, 0, &cell, 2064512));
    assert_false(op_accepts(&op, &drawn, 0, &cell, 2064513));
    assert_true(takes(TYPE_INT8, &drawn, 2.3, 4, 2));
    assert_false(takes(TYPE_INT8, &drawn, 2.3, 4, 3));
    assert_true(takes(TYPE_INT8, &drawn, 300, 4, 127));
    assert_false(takes(TYPE_INT8, &drawn, 300, 4, 44)); /* cut off */
}

static bool keeps(enum op_family family, double value, double magnitude,
                  long terms)
{
    struct op_problem problem = {.family = family};
    struct op_cell cell = {value, magnitude, terms};

    return op_cell_defect(&problem, &cell) == NULL;
}

/* Any result would be within an endless tolerance, and none within a NaN. */
static void a_reference_has_a_contract(void **state)
{
    (void)state;
    assert_true(keeps(OP_SIGNED, -2, 3, 4));
    assert_true(keeps(OP_SIGNED, 1, 0, 0));
    assert_true(keeps(OP_SPECIAL, NAN, NAN, 4));
    assert_true(keeps(OP_SPECIAL, -INFINITY, INFINITY, 4));
    assert_false(keeps(OP_SIGNED, 1, INFINITY, 4));
    assert_false(keeps(OP_SPECIAL, 1, INFINITY, 4));
    assert_false(keeps(OP_SIGNED, 1, NAN, 4));
    assert_false(keeps(OP_SIGNED, 1, -1, 4));
    assert_false(keeps(OP_SIGNED, 1, 1, -1));
    assert_false(keeps(OP_WIDE, INFINITY, INFINITY, 4));
    assert_false(keeps(OP_INTEGER, NAN, 1, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_is_exact_where_its_type_is),
        cmocka_unit_test(a_copy_to_a_coarser_type_is_rounded),
        cmocka_unit_test(a_sum_in_fp64_allows_for_the_reference),
        cmocka_unit_test(fp8_saturates),
        cmocka_unit_test(poison_is_no_nan_of_fp8),
        cmocka_unit_test(integers),
        cmocka_unit_test(a_reference_has_a_contract),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
