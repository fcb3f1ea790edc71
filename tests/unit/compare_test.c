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
#include "check/judge/misplaced.h"

static const struct op *op;
static const struct op_shape shape = {.dim = {2, 3, 37, 11}};
static struct test_case c;
static struct data d;
static struct comparison cmp;
enum { Y = 2 }; /* the output's number */

static float *y; /* what the output holds, and how many cells that are */
static size_t cells;

/* The reference itself, rounded to float. */
static void fill_right(enum op_family family)
{
    c.problem = op_draw(op, &shape, family, 5);
    data_make(&d, op, &c);
    data_compare(&d, NULL, &cmp);
    y = d.got[Y];
    cells = op_count(op, Y, &shape);
    for (size_t i = 0; i < cells; i++)
        y[i] = (float)d.want[Y][i].value;
}

static enum cell_kind kind_now(const struct data *earlier)
{
    data_compare(&d, earlier, &cmp);
    return cmp.kind;
}

static float poison(void)
{
    float f;

    memset(&f, type_row[TYPE_FP32].poison, sizeof f);
    return f;
}

static void right_is_right(void **state)
{
    (void)state;
    for (int f = 0; f < op->n_families; f++) {
        fill_right(op->families[f]);
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
    y[1 * 3 * 37 + 2 * 37 + 36] += 1.0f;
    assert_int_equal(kind_now(NULL), CELL_LOGIC);
    assert_int_equal(cmp.wrong, 1);
    cell_say(&t, op, Y, cmp.cell[0].at);
    assert_string_equal(t.s, "y[b=1, h=2, t=36]");
    text_free(&t);
    data_free(&d);
}

static void nan_and_infinity_are_wrong(void **state)
{
    (void)state;
    fill_right(OP_POSITIVE);
    y[0] = NAN;
    assert_int_equal(kind_now(NULL), CELL_LOGIC);
    assert_int_equal(cmp.nans, 1);
    y[0] = INFINITY;
    assert_int_equal(kind_now(NULL), CELL_LOGIC);
    data_free(&d);
}

static void unwritten(void **state)
{
    (void)state;
    fill_right(OP_SIGNED);
    for (size_t i = 100; i < cells; i++)
        y[i] = poison();
    y[3] = 7.0f; /* another number elsewhere does not hide it */
    assert_int_equal(kind_now(NULL), CELL_UNWRITTEN);
    assert_int_equal(cmp.unwritten, cells - 100);
    assert_int_equal(cmp.nans, 0);
    data_free(&d);
}

/* C holds NaN where beta is 0: what nobody writes still has its bits, which no
 * computed NaN has. */
static void unwritten_where_nan_was(void **state)
{
    static const char *const names[] = {"gemm_f32", "gemm_bf16_bf16"};
    const struct op_shape small = {.dim = {8, 8, 8}};
    const int out = 2;

    (void)state;
    for (int n = 0; n < 2; n++) {
        const struct op *gemm = op_find(names[n]);
        enum type type;
        size_t all;

        assert_non_null(gemm);
        type = gemm->buffers[out].type;
        c.problem = op_draw(gemm, &small, OP_SIGNED, 5);
        c.problem.scalar[1] = 0.0;
        data_make(&d, gemm, &c);
        all = op_count(gemm, out, &small);
        data_compare(&d, NULL, &cmp); /* makes what is expected */
        for (size_t i = 0; i < all; i++)
            type_set(type, d.got[out], i, d.want[out][i].value);
        memcpy((char *)d.got[out] + 5 * type_row[type].bytes,
               (const char *)d.given[out] + 5 * type_row[type].bytes,
               type_row[type].bytes);
        assert_int_equal(kind_now(NULL), CELL_UNWRITTEN);
        assert_int_equal(cmp.unwritten, 1);
        type_set(type, d.got[out], 5, NAN);
        assert_int_equal(kind_now(NULL), CELL_LOGIC);
        assert_int_equal(cmp.nans, 1);
        data_free(&d);
    }
}

static void rounding(void **state)
{
    (void)state;
    fill_right(OP_POSITIVE);
    for (size_t i = 0; i < cells; i++)
        y[i] *= 1.0f + 0x1p-11f;
    assert_int_equal(kind_now(NULL), CELL_ROUNDING);
    assert_true(cmp.worst > 1.0);
    data_free(&d);
}

static void integers_must_be_exact(void **state)
{
    (void)state;
    fill_right(OP_INTEGER);
    for (size_t i = 0; i < cells; i++)
        if (y[i] != 0.0f) {
            y[i] = nextafterf(y[i], 1e9f);
            break;
        }
    assert_int_equal(kind_now(NULL), CELL_ROUNDING);
    data_free(&d);
}

/* y[t] = right value of y[t + by], where there is one. */
static void shift_along_t(int by)
{
    float *right = malloc(cells * sizeof *right);

    memcpy(right, y, cells * sizeof *right);
    for (size_t i = 0; i < cells; i++) {
        int t = (int)(i % 37);

        if (t + by >= 0 && t + by < 37)
            y[i] = right[(size_t)((long)i + by)];
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

/* Two wrong cells hold what belongs to the one before, which is the same for
 * both, or NaN: by chance. */
static void one_value_is_no_shift(void **state)
{
    const float values[] = {1000.0f, NAN};

    (void)state;
    for (int v = 0; v < 2; v++) {
        fill_right(OP_SIGNED);
        for (size_t i = 10; i <= 20; i += 10) {
            d.want[Y][i].value = y[i] = values[v];
            y[i + 1] = values[v];
        }
        assert_int_equal(kind_now(NULL), CELL_LOGIC);
        assert_int_equal(cmp.wrong, 2);
        data_free(&d);
    }
}

static void stale(void **state)
{
    struct test_case before = {
        .problem = op_draw(op, &shape, OP_SIGNED, 99)};
    struct data earlier;

    (void)state;
    fill_right(OP_SIGNED);
    data_make(&earlier, op, &before);
    for (size_t i = 0; i < cells; i++)
        ((float *)earlier.got[Y])[i] = y[i] = 50.0f + (float)i;
    assert_int_equal(kind_now(&earlier), CELL_STALE);
    assert_int_equal(kind_now(NULL), CELL_LOGIC);
    before.problem.shape.dim[2] = 38; /* another shape explains nothing */
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
    before.problem.seed = 99;
    data_make(&earlier, op, &before);
    assert_true(cells >= 8);
    for (size_t wrong = 1; wrong <= 8; wrong++) {
        y[wrong - 1] += 5.0f + (float)wrong;
        ((float *)earlier.got[Y])[wrong - 1] = y[wrong - 1];
        assert_int_equal(kind_now(&earlier),
                         wrong < 8 ? CELL_LOGIC : CELL_STALE);
    }
    data_free(&earlier);
    data_free(&d);
}

/* What was no integer before is none by chance. */
static void stale_alone(void **state)
{
    struct test_case before;
    struct data earlier;

    (void)state;
    fill_right(OP_INTEGER);
    before = c;
    before.problem.seed = 99;
    before.problem.family = OP_SIGNED;
    data_make(&earlier, op, &before);
    y[0] = ((float *)earlier.got[Y])[0] = 0.18f;
    assert_int_equal(kind_now(&earlier), CELL_STALE);
    data_free(&earlier);
    data_free(&d);
}

/* What the stage would compute from other inputs, or store elsewhere. */
static void say_slip(const char *words)
{
    struct text t = {0};

    assert_int_equal(kind_now(NULL), CELL_MISPLACED);
    misplaced_say(&t, &cmp, op);
    assert_string_equal(t.s, words);
    text_free(&t);
    data_free(&d);
}

static size_t cell_of(size_t b, size_t h, size_t t)
{
    return (b * 3 + h) * 37 + t;
}

static void results_in_another_order(void **state)
{
    (void)state;
    fill_right(OP_SIGNED);
    for (size_t b = 0; b < 2; b++)
        for (size_t h = 0; h < 3; h++)
            for (size_t t = 0; t < 37; t++)
                y[(b * 37 + t) * 3 + h] =
                    (float)d.want[Y][cell_of(b, h, t)].value;
    say_slip("misplaced: right results, but y is stored as y[b, t, h]\n");
}

static void an_index_left_out(void **state)
{
    (void)state;
    fill_right(OP_POSITIVE);
    for (size_t i = 0; i < cells; i++)
        y[i] = (float)d.want[Y][i / 111 * 111 + i % 37].value;
    say_slip("misplaced: each cell of y holds what belongs to h = 0\n");
}

static void every_block_does_the_same(void **state)
{
    (void)state;
    fill_right(OP_SIGNED);
    for (size_t i = 0; i < cells; i++)
        y[i] = (float)d.want[Y][i % 64].value;
    say_slip("misplaced: y holds its first 64 cells again and again\n");
}

/* The reference of inputs that were changed is what the stage writes. */
static void write_results_of(struct data *other)
{
    struct comparison ignored;

    data_compare(other, NULL, &ignored);
    for (size_t i = 0; i < cells; i++)
        y[i] = (float)other->want[Y][i].value;
    data_free(other);
}

static void an_input_in_another_order(void **state)
{
    struct data other;
    float *x;

    (void)state;
    fill_right(OP_SIGNED);
    data_make(&other, op, &c);
    x = other.given[0];
    for (size_t b = 0; b < 2; b++)
        for (size_t h = 0; h < 3; h++)
            for (size_t t = 0; t < 37; t++)
                x[cell_of(b, h, t)] =
                    ((float *)d.given[0])[(b * 37 + t) * 3 + h];
    write_results_of(&other);
    say_slip("misplaced: as if x were stored as x[b, t, h]\n");
}

static void an_input_without_an_index(void **state)
{
    struct data other;
    float *w;

    (void)state;
    fill_right(OP_SIGNED);
    data_make(&other, op, &c);
    w = other.given[1];
    for (size_t h = 0; h < 3; h++)
        memcpy(w + h * 11, w, 11 * sizeof *w);
    write_results_of(&other);
    say_slip("misplaced: as if w were always read at h = 0\n");
}

/* The first of a row is so much smaller than the others that its share passes
 * for 0: cells left at 0 do not show that they were taken from there. */
static void zeros_are_from_nowhere(void **state)
{
    static const struct op_shape rows = {.dim = {4, 37}};
    const struct op *softmax = op_find("softmax_f32");

    (void)state;
    assert_non_null(softmax);
    c.problem = op_draw(softmax, &rows, OP_SIGNED, 5);
    data_make(&d, softmax, &c);
    for (size_t r = 0; r < 4; r++)
        ((float *)d.given[0])[r * 37] = -300.0f;
    memset(d.got[1], 0, op_bytes(softmax, 1, &rows));
    assert_int_equal(kind_now(NULL), CELL_LOGIC);
    data_free(&d);
}

/* A result that passed through an int; zeros alone have other causes. */
static void only_whole_numbers(void **state)
{
    (void)state;
    fill_right(OP_SIGNED);
    for (size_t i = 0; i < cells; i++)
        y[i] = truncf(y[i]);
    assert_int_equal(kind_now(NULL), CELL_WHOLE);
    y[0] += 2.0f;
    assert_int_equal(kind_now(NULL), CELL_LOGIC);
    for (size_t i = 0; i < cells; i++) {
        float right = (float)d.want[Y][i].value;

        y[i] = i > 0 && fabsf(right) < 1.0f ? 0.0f : right;
    }
    assert_int_equal(kind_now(NULL), CELL_LOGIC);
    data_free(&d);
}

/* One wrong number, or another formula, is no slip of an index. */
static void another_formula(void **state)
{
    (void)state;
    fill_right(OP_SIGNED);
    for (size_t i = 0; i < cells; i++)
        y[i] = -y[i];
    assert_int_equal(kind_now(NULL), CELL_LOGIC);
    data_free(&d);
}

static void says_where(void **state)
{
    struct text t = {0};

    (void)state;
    fill_right(OP_SIGNED);
    for (size_t i = 0; i < cells; i++)
        if (i % 37 >= 32)
            y[i] += 3.0f;
    kind_now(NULL);
    assert_true(compare_where(&t, &cmp, op, &shape));
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

/* Of a large output, several threads make the reference, and look: the same
 * comes of it. */
static void large_outputs_are_the_same(void **state)
{
    static const struct op_shape large = {.dim = {4, 64, 4099, 3}};
    size_t n = op_count(op, Y, &large);
    struct op_cell *want = calloc(n, sizeof *want);

    (void)state;
    assert_true(n > 1 << 20 && n % (1 << 17) != 0);
    c.problem = op_draw(op, &large, OP_SIGNED, 5);
    data_make(&d, op, &c);
    op->reference(op, &c.problem, Y, (const void *const *)d.given, 0, n, want);
    for (size_t i = 0; i < n; i++)
        ((float *)d.got[Y])[i] = (float)want[i].value;
    assert_int_equal(kind_now(NULL), CELL_RIGHT);
    assert_int_equal(cmp.cells, n);
    for (size_t i = 0; i < n; i++)
        assert_true(want[i].value == d.want[Y][i].value &&
                    want[i].magnitude == d.want[Y][i].magnitude);
    ((float *)d.got[Y])[n - 1] += 3;
    assert_int_equal(kind_now(NULL), CELL_LOGIC);
    assert_int_equal(cmp.wrong, 1);
    assert_int_equal(cmp.cell[0].element, n - 1);
    free(want);
    data_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_is_right),
        cmocka_unit_test(one_wrong_cell_is_found_and_named),
        cmocka_unit_test(nan_and_infinity_are_wrong),
        cmocka_unit_test(unwritten),
        cmocka_unit_test(unwritten_where_nan_was),
        cmocka_unit_test(rounding),
        cmocka_unit_test(integers_must_be_exact),
        cmocka_unit_test(shifted),
        cmocka_unit_test(one_value_is_no_shift),
        cmocka_unit_test(stale),
        cmocka_unit_test(stale_by_chance),
        cmocka_unit_test(stale_alone),
        cmocka_unit_test(results_in_another_order),
        cmocka_unit_test(an_index_left_out),
        cmocka_unit_test(every_block_does_the_same),
        cmocka_unit_test(an_input_in_another_order),
        cmocka_unit_test(an_input_without_an_index),
        cmocka_unit_test(zeros_are_from_nowhere),
        cmocka_unit_test(another_formula),
        cmocka_unit_test(only_whole_numbers),
        cmocka_unit_test(says_where),
        cmocka_unit_test(large_outputs_are_the_same),
    };

    return cmocka_run_group_tests(tests, find_op, NULL);
}
