// SPDX-License-Identifier: MIT
/* cases_test.c: which inputs a kernel with scalars is checked on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "check/conf/cases.h"
#include "op/fill.h"

static bool is_plain(double scalar)
{
    return scalar == 0.0 || scalar == 1.0;
}

/* A kernel that forgets alpha is right where alpha is 1: whatever the seed, and
 * however few the cases, another value is among them. */
static void forgotten_scalars_show(void **state)
{
    static const struct op_shape shape = {.dim = {3, 5, 7}};
    struct kernel_conf kernel = {.op = op_find("gemm_f32")};
    int total;

    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct case_choice choice = {.only = -1, .shape = &shape,
                                     .seed = seed};
        struct case_list list = cases_make(&kernel, &choice, &total);
        int plain = 0;

        assert_in_range(list.n, 2, 100);
        for (int i = 0; i < list.n; i++)
            plain += is_plain(list.cases[i].problem.scalar[0]) ||
                     is_plain(list.cases[i].problem.scalar[1]);
        assert_true(plain <= (list.n + 1) / 2);
        cases_free(&list);
    }
}

/* No family rounds an integer's every value to 0. */
static void integer_scalars_vary(void **state)
{
    static const struct op_scalar scalar = {"alpha", TYPE_INT32, 1, -2, 3};

    (void)state;
    for (int f = 0; f < OP_FAMILIES; f++) {
        int others = 0;

        for (uint64_t seed = 0; seed < 100; seed++)
            others += !is_plain(fill_scalar(&scalar, f, seed));
        assert_in_range(others, 20, 100);
    }
}

static void each_alone_is_the_same(struct case_choice choice)
{
    struct kernel_conf kernel = {.op = op_find("gemm_f32")};
    int total;
    struct case_list all = cases_make(&kernel, &choice, &total);

    assert_true(all.n > 4);
    for (int i = 0; i < all.n; i++) {
        choice.only = all.cases[i].number;
        struct case_list one = cases_make(&kernel, &choice, &total);

        assert_int_equal(one.n, 1);
        assert_memory_equal(one.cases[0].problem.scalar,
                            all.cases[i].problem.scalar,
                            sizeof one.cases[0].problem.scalar);
        cases_free(&one);
    }
    cases_free(&all);
}

/* CASE=n draws what the whole list drew, at a size of one's own, too. */
static void one_case_is_the_same(void **state)
{
    static const struct op_shape shape = {.dim = {3, 5, 7}};

    (void)state;
    each_alone_is_the_same((struct case_choice){.only = -1, .seed = 42});
    each_alone_is_the_same((struct case_choice){.only = -1, .seed = 42,
                                                .shape = &shape});
}

static bool is_listed(const struct op *op, const struct op_shape *shape)
{
    for (int i = 0; i < op->n_awkward; i++)
        if (memcmp(op->awkward[i].dim, shape->dim, sizeof shape->dim) == 0)
            return true;
    return false;
}

/* Of the last cases of a grade, the sizes that nobody can look up. */
static int secret_sizes(const struct case_list *list, const struct op *op)
{
    int n = 0;

    while (n < list->n &&
           !is_listed(op, &list->cases[list->n - 1 - n].problem.shape))
        n++;
    return n;
}

/* A grade has sizes that follow from its seed alone; CASE= names them, too. */
static void a_grade_draws_sizes(void **state)
{
    struct kernel_conf kernel = {.op = op_find("dwconv_forward")};
    struct case_choice choice = {.only = -1, .seed = 42, .thorough = true};
    int total;
    struct case_list one, other, same, all = cases_make(&kernel, &choice,
                                                        &total);
    const struct test_case *last = &all.cases[all.n - 1];

    (void)state;
    assert_in_range(secret_sizes(&all, kernel.op), 4, 8);
    assert_int_equal(last->number, total - 1);
    same = cases_make(&kernel, &choice, &total);
    assert_memory_equal(&same.cases[all.n - 1].problem.shape,
                        &last->problem.shape, sizeof last->problem.shape);
    choice.seed = 43;
    other = cases_make(&kernel, &choice, &total);
    assert_int_equal(other.n, all.n);
    assert_memory_not_equal(&other.cases[all.n - 1].problem.shape,
                            &last->problem.shape, sizeof last->problem.shape);
    choice.seed = 42;
    choice.only = last->number;
    one = cases_make(&kernel, &choice, &total);
    assert_int_equal(one.n, 1);
    assert_memory_equal(&one.cases[0].problem.shape, &last->problem.shape,
                        sizeof last->problem.shape);
    cases_free(&one);
    cases_free(&same);
    cases_free(&other);
    choice = (struct case_choice){.only = -1, .seed = 42};
    other = cases_make(&kernel, &choice, &total);
    assert_int_equal(secret_sizes(&other, kernel.op), 0); /* nor a learner's */
    cases_free(&other);
    cases_free(&all);
}

/* A size below a block's tile costs a tile: it comes with two families at most,
 * integers among them, and every family still comes with some size. */
static void tiles_make_sizes_large(void **state)
{
    struct kernel_conf kernel = {.op = op_find("gemm_f32")};
    struct case_choice choice = {.only = -1, .seed = 42};
    int seen[OP_FAMILIES] = {0};
    int total, tiled_total;
    struct case_list all = cases_make(&kernel, &choice, &total);

    (void)state;
    memcpy(kernel.tile.dim, (int[]){128, 128, 64}, 3 * sizeof(int));
    struct case_list tiled = cases_make(&kernel, &choice, &tiled_total);

    assert_int_equal(total, tiled_total);
    assert_true(tiled.n < all.n);
    assert_true(tiled.n <= 2 * kernel.op->n_awkward);
    for (int i = 0; i < tiled.n; i++)
        seen[tiled.cases[i].problem.family]++;
    assert_int_equal(seen[OP_INTEGER], kernel.op->n_awkward);
    for (int f = 0; f < kernel.op->n_families; f++)
        assert_true(seen[kernel.op->families[f]] > 0);
    cases_free(&all);
    cases_free(&tiled);
}

/* How many families a chapter's own shape comes with, and whether integers are
 * among them. */
static int families_of(const char *op, struct op_shape shape, bool *integers)
{
    struct kernel_conf kernel = {.op = op_find(op), .n_sim_shapes = 2,
                                 .sim_shapes = {{.dim = {2, 2, 2, 2}}, shape}};
    struct case_choice choice = {.only = -1, .seed = 42};
    int total, n = 0;
    struct case_list list = cases_make(&kernel, &choice, &total);

    *integers = false;
    for (int i = 0; i < list.n; i++) {
        const struct op_problem *p = &list.cases[i].problem;

        if (memcmp(&p->shape, &shape, sizeof shape) != 0)
            continue;
        n++;
        *integers |= p->family == OP_INTEGER;
    }
    cases_free(&list);
    return n;
}

/* A large size is there for its indices where little is done with an element,
 * and integers show those; its sums are of interest where much is, where one of
 * them has very many terms, and where a scalar is drawn for each family. */
static void integers_for_indices(void **state)
{
    const struct op_shape rows = {.dim = {1000, 64, 3, 5}};
    const struct op_shape sums = {.dim = {1200, 3, 52, 20}};
    const struct op_shape one = {.dim = {400000, 1, 1, 1}};
    const struct op_shape thin = {.dim = {3, 5, 16384}};
    bool integers;

    (void)state;
    assert_int_equal(families_of("dwconv_weight_grad", rows, &integers), 1);
    assert_true(integers);
    assert_int_equal(families_of("dwconv_weight_grad", sums, &integers), 2);
    assert_true(integers);
    assert_int_equal(families_of("dwconv_weight_grad", one, &integers), 2);
    assert_true(integers);
    assert_int_equal(families_of("gemm_f32", thin, &integers), 2);
    assert_true(integers);
}

/* Where a chapter wants a size simulated on few multiprocessors, all cases of
 * that size are, also alone, and no others. */
static void few_multiprocessors_where_wanted(void **state)
{
    const struct op_shape shape = {.dim = {7, 8, 9}};
    struct kernel_conf kernel = {.op = op_find("gemm_f32"), .n_sim_shapes = 2,
                                 .sim_shapes = {{.dim = {2, 2, 2}}, shape},
                                 .multiprocessors = {0, 4}};
    struct case_choice choice = {.only = -1, .seed = 42};
    int total, few = 0;
    struct case_list list = cases_make(&kernel, &choice, &total);

    (void)state;
    for (int i = 0; i < list.n; i++) {
        const struct test_case *c = &list.cases[i];
        bool is = memcmp(&c->problem.shape, &shape, sizeof shape) == 0;

        assert_int_equal(c->multiprocessors, is ? 4 : 0);
        if (is && few++ == 0)
            choice.only = c->number;
    }
    assert_true(few > 1);
    cases_free(&list);
    list = cases_make(&kernel, &choice, &total);
    assert_int_equal(list.cases[0].multiprocessors, 4);
    cases_free(&list);
}

/* DRAW=n: n sizes that the operator takes, the same for a seed, others for
 * another; rows of every matrix are apart in some, and every family comes. */
static void drawn_sizes_differ(void **state)
{
    enum { SIZES = 60 };
    struct kernel_conf kernel = {.op = op_find("gemm_f32")};
    struct case_choice choice = {.only = -1, .seed = 42, .draw = SIZES};
    int apart[3] = {0}, seen[OP_FAMILIES] = {0}, large = 0, same = 0, total;
    struct case_list one = cases_make(&kernel, &choice, &total);
    struct case_list again = cases_make(&kernel, &choice, &total);

    (void)state;
    choice.seed = 43;
    struct case_list other = cases_make(&kernel, &choice, &total);

    assert_int_equal(one.n, SIZES);
    assert_int_equal(other.n, SIZES);
    for (int i = 0; i < SIZES; i++) {
        const struct op_shape *shape = &one.cases[i].problem.shape;

        assert_null(op_shape_error(kernel.op, shape));
        assert_memory_equal(shape, &again.cases[i].problem.shape,
                            sizeof *shape);
        same += memcmp(shape, &other.cases[i].problem.shape,
                       sizeof *shape) == 0;
        seen[one.cases[i].problem.family]++;
        large += shape->dim[0] > 1000 || shape->dim[1] > 1000 ||
                 shape->dim[2] > 1000;
        for (int b = 0; b < 3; b++)
            apart[b] += shape->ld[b] > shape->dim[b == 0 ? 2 : 1];
    }
    assert_true(same < SIZES / 10);
    assert_true(large > 0);
    for (int b = 0; b < 3; b++)
        assert_in_range(apart[b], SIZES / 10, SIZES - SIZES / 10);
    for (int f = 0; f < kernel.op->n_families; f++)
        assert_int_equal(seen[kernel.op->families[f]], SIZES / 6);
    cases_free(&one);
    cases_free(&again);
    cases_free(&other);
}

/* One extent is longer than in any listed size, and up to what is timed or four
 * times as long: each such length for some seed, and the others are small. */
static void longer_than_listed(void **state)
{
    enum { SEEDS = 400, LISTED = 1021, TIMED = 8000 };
    struct kernel_conf kernel = {.op = op_find("gemm_f32"), .n_sim_shapes = 1,
                                 .sim_shapes = {{.dim = {9, 500, 7}}},
                                 .time_shape = {.dim = {64, 64, TIMED}}};
    int above[] = {1100, 1500, 2042, 4000, 7000}, n[5] = {0};
    struct test_case c, again;

    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const int *dim = c.problem.shape.dim;

        assert_true(case_longer(&kernel, 1, seed, &c));
        assert_in_range(dim[1], 501, 2000);
        assert_true(case_longer(&kernel, 2, seed, &c));
        assert_true(case_longer(&kernel, 2, seed, &again));
        assert_memory_equal(&c.problem, &again.problem, sizeof c.problem);
        assert_int_equal(c.problem.family, OP_INTEGER);
        assert_in_range(dim[2], LISTED + 1, TIMED);
        assert_true(dim[0] <= 4 && dim[1] <= 4);
        for (int i = 0; i < 5; i++)
            n[i] += dim[2] > above[i];
    }
    assert_true(n[0] > SEEDS * 8 / 10);
    assert_true(n[1] > n[2] && n[2] > n[3] && n[3] > n[4]);
    assert_in_range(n[2], SEEDS * 3 / 10, SEEDS / 2);
    assert_true(n[4] > 0);
}

/* An operator that takes no such size is left alone, and so is the number of
 * rows, unless more are timed. */
static void no_longer_where_refused(void **state)
{
    struct kernel_conf kernel = {.op = op_find("gemm_f32"),
                                 .time_shape = {.dim = {100, 1, 1}}};
    struct test_case c;

    (void)state;
    assert_false(case_longer(&kernel, 0, 42, &c));
    kernel.time_shape.dim[0] = 1 << 30;
    for (uint64_t seed = 0; seed < 100; seed++)
        if (case_longer(&kernel, 0, seed, &c))
            assert_null(op_shape_error(kernel.op, &c.problem.shape));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forgotten_scalars_show),
        cmocka_unit_test(integer_scalars_vary),
        cmocka_unit_test(a_grade_draws_sizes),
        cmocka_unit_test(one_case_is_the_same),
        cmocka_unit_test(tiles_make_sizes_large),
        cmocka_unit_test(integers_for_indices),
        cmocka_unit_test(few_multiprocessors_where_wanted),
        cmocka_unit_test(drawn_sizes_differ),
        cmocka_unit_test(longer_than_listed),
        cmocka_unit_test(no_longer_where_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
