// SPDX-License-Identifier: MIT
/*
 * compare_test.c: right cells pass, each kind of wrong is called by its name,
 * and NaN never passes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/judge/compare.h"
#include "check/judge/data.h"

static const struct op *op;
static struct test_case c = {.shape = {{2, 3, 37, 11}}, .seed = 5};
static struct data d;
static struct comparison cmp;
enum { Y = 2 }; /* the output's number */

/* The reference itself, rounded to float. */
static void fill_right(enum op_family family)
{
    c.family = family;
    data_make(&d, op, &c);
    data_compare(&d, NULL, &cmp);
    for (size_t i = 0; i < d.count[Y]; i++)
        d.values[Y][i] = (float)d.want[Y][i].value;
}

static enum cell_kind kind_now(const struct data *earlier)
{
    data_compare(&d, earlier, &cmp);
    return cmp.kind;
}

static float poison(void)
{
    uint32_t bits = POISON_BITS;
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

static void right_is_right(void **state)
{
    (void)state;
    for (int f = 0; f < OP_FAMILIES; f++) {
        fill_right((enum op_family)f);
        assert_int_equal(kind_now(NULL), CELL_RIGHT);
        assert_int_equal(cmp.wrong, 0);
        data_free(&d);
    }
}

static void one_wrong_cell_is_found_and_named(void **state)
{
    struct text t = {0};

    (void)state;
    fill_right(OP_SIGNED);
    d.values[Y][1 * 3 * 37 + 2 * 37 + 36] += 1.0f;
    assert_int_equal(kind_now(NULL), CELL_LOGIC);
    assert_int_equal(cmp.wrong, 1);
    cell_name(&t, op, Y, &c.shape, cmp.cell[0].index);
    assert_string_equal(t.s, "y[b=1, h=2, t=36]");
    text_free(&t);
    data_free(&d);
}

static void nan_and_infinity_are_wrong(void **state)
{
    (void)state;
    fill_right(OP_POSITIVE);
    d.values[Y][0] = NAN;
    assert_int_equal(kind_now(NULL), CELL_LOGIC);
    assert_int_equal(cmp.nans, 1);
    d.values[Y][0] = INFINITY;
    assert_int_equal(kind_now(NULL), CELL_LOGIC);
    data_free(&d);
}

static void unwritten(void **state)
{
    (void)state;
    fill_right(OP_SIGNED);
    for (size_t i = 100; i < d.count[Y]; i++)
        d.values[Y][i] = poison();
    d.values[Y][3] = 7.0f; /* another number elsewhere does not hide it */
    assert_int_equal(kind_now(NULL), CELL_UNWRITTEN);
    assert_int_equal(cmp.unwritten, d.count[Y] - 100);
    assert_int_equal(cmp.nans, 0);
    data_free(&d);
}

static void rounding(void **state)
{
    (void)state;
    fill_right(OP_POSITIVE);
    for (size_t i = 0; i < d.count[Y]; i++)
        d.values[Y][i] *= 1.0f + 0x1p-11f;
    assert_int_equal(kind_now(NULL), CELL_ROUNDING);
    assert_true(cmp.worst > 1.0);
    data_free(&d);
}

static void integers_must_be_exact(void **state)
{
    (void)state;
    fill_right(OP_INTEGER);
    for (size_t i = 0; i < d.count[Y]; i++)
        if (d.values[Y][i] != 0.0f) {
            d.values[Y][i] = nextafterf(d.values[Y][i], 1e9f);
            break;
        }
    assert_int_equal(kind_now(NULL), CELL_ROUNDING);
    data_free(&d);
}

/* y[t] = right value of y[t + by], where there is one. */
static void shift_along_t(int by)
{
    float *right = malloc(d.count[Y] * sizeof *right);

    memcpy(right, d.values[Y], d.count[Y] * sizeof *right);
    for (size_t i = 0; i < d.count[Y]; i++) {
        int t = (int)(i % 37);

        if (t + by >= 0 && t + by < 37)
            d.values[Y][i] = right[(size_t)((long)i + by)];
    }
    free(right);
}

static void shifted(void **state)
{
    (void)state;
    for (int by = -1; by <= 1; by += 2) {
        fill_right(OP_SIGNED);
        shift_along_t(by);
        assert_int_equal(kind_now(NULL), CELL_SHIFTED);
        assert_int_equal(cmp.shift_index, 2);
        assert_int_equal(cmp.shift_by, by);
        data_free(&d);
    }
}

static void stale(void **state)
{
    struct test_case before = c;
    struct data earlier;

    (void)state;
    fill_right(OP_SIGNED);
    before.seed = 99;
    data_make(&earlier, op, &before);
    for (size_t i = 0; i < d.count[Y]; i++)
        earlier.values[Y][i] = d.values[Y][i] = 50.0f + (float)i;
    assert_int_equal(kind_now(&earlier), CELL_STALE);
    assert_int_equal(kind_now(NULL), CELL_LOGIC);
    before.shape.dim[2] = 38; /* another shape explains nothing */
    assert_int_equal(kind_now(&earlier), CELL_LOGIC);
    data_free(&earlier);
    data_free(&d);
}

/* A wrong sum of integers may well be the one that stood there before. */
static void stale_by_chance(void **state)
{
    struct test_case before;
    struct data earlier;

    (void)state;
    fill_right(OP_IMPULSE);
    before = c;
    before.seed = 99;
    data_make(&earlier, op, &before);
    assert_true(d.count[Y] >= 8);
    for (size_t wrong = 1; wrong <= 8; wrong++) {
        d.values[Y][wrong - 1] += 5.0f + (float)wrong;
        earlier.values[Y][wrong - 1] = d.values[Y][wrong - 1];
        assert_int_equal(kind_now(&earlier),
                         wrong < 8 ? CELL_LOGIC : CELL_STALE);
    }
    data_free(&earlier);
    data_free(&d);
}

static void says_where(void **state)
{
    struct text t = {0};

    (void)state;
    fill_right(OP_SIGNED);
    for (size_t i = 0; i < d.count[Y]; i++)
        if (i % 37 >= 32)
            d.values[Y][i] += 3.0f;
    kind_now(NULL);
    assert_true(compare_where(&t, &cmp, op, &c.shape));
    assert_string_equal(t.s, "every wrong cell has t >= 32");
    text_free(&t);
    data_free(&d);
}

static int find_op(void **state)
{
    (void)state;
    op = op_find("dwconv_forward");
    return op ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_is_right),
        cmocka_unit_test(one_wrong_cell_is_found_and_named),
        cmocka_unit_test(nan_and_infinity_are_wrong),
        cmocka_unit_test(unwritten),
        cmocka_unit_test(rounding),
        cmocka_unit_test(integers_must_be_exact),
        cmocka_unit_test(shifted),
        cmocka_unit_test(stale),
        cmocka_unit_test(stale_by_chance),
        cmocka_unit_test(says_where),
    };

    return cmocka_run_group_tests(tests, find_op, NULL);
}
