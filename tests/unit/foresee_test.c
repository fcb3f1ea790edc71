// SPDX-License-Identifier: MIT
/* foresee_test.c: how products are shared out, what takes time, and the trees
 * that correct the model (common/sweep/plan.h, model.c, foresee.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sweep/foresee.h"

static char error[512];

static const struct foresee_settings usual = {5, 2, 6};

/* Kernels a, b and c: tiles of 32 x 32, one block per multiprocessor, of which
 * there are ten. */
static struct model_about three_kernels(void)
{
    struct model_about about = {.processors = 10, .element_bytes = 4,
                                .n_kernels = 3};

    for (int k = 0; k < 3; k++)
        about.rule[k] = (struct plan_rule){.tile_m = 32, .tile_n = 32,
                                           .blocks = 1, .fill = 1};
    return about;
}

static struct sweep_shape product(int m, int n, int k)
{
    return (struct sweep_shape){.dim = {m, n, k}};
}

static struct plan plan_by(enum plan_kind kind, int m, int n, int k)
{
    struct plan_rule rule = {kind, 32, 32, 2, 8, 64, 1};

    return plan_of(rule, m, n, k, 10);
}

static void a_floor_is_of_flops_or_of_reads(void **state)
{
    const struct plan_roofs roofs = {1e12, 1e9};
    struct plan_rule tile = {PLAN_WHOLE, 64, 32, 1, 1, 1, 1};

    (void)state;
    /* 2 x 3 tiles: 2 * 6 * 64 * 32 * 1000 flops; 6 * 96 * 4000 bytes, at most
     * twice 1e9 a second. */
    assert_true(fabs(plan_floor(tile, 65, 65, 1000, 4, roofs) - 1.152) < 1e-9);
    assert_true(fabs(plan_floor(tile, 65, 65, 1000, 4,
                                (struct plan_roofs){1e9, 1e12}) -
                     24.576) < 1e-9);
    tile.kind = PLAN_FEW;
    assert_true(plan_floor(tile, 65, 65, 1000, 4, roofs) == 0);
}

static void a_plan_has_rounds_and_parts(void **state)
{
    struct plan_rule wide = {PLAN_DOUBLED, 32, 32, 2, 16, 64, 2};
    struct plan p = plan_by(PLAN_WHOLE, 33, 640, 100);

    (void)state;
    assert_true(p.tiles == 40 && p.parts == 1 && p.deep == 100);
    assert_true(p.rounds == 2 && p.per == 4); /* 20 run at a time */
    p = plan_by(PLAN_PARTS, 32, 96, 1000); /* room for 10: 3 each */
    assert_true(p.parts == 3 && p.deep == 334 && p.rounds == 1 && p.per == 1);
    p = plan_by(PLAN_PARTS, 32, 32, 200); /* 64 of k at least */
    assert_true(p.parts == 3);
    p = plan_by(PLAN_PARTS, 32, 32, 9999); /* 8 at most */
    assert_true(p.parts == 8);
    p = plan_by(PLAN_PARTS, 320, 640, 9999); /* no room at all */
    assert_true(p.parts == 1);
    p = plan_by(PLAN_DOUBLED, 32, 96, 1000);
    assert_true(p.parts == 2);
    wide.most = 16; /* 7 groups of 17 hold 14 clusters of 16, not 16 */
    p = plan_of(wide, 128, 128, 4096, 132);
    assert_true(p.parts == 16 && p.rounds == 2);
    wide.most = 8;
    p = plan_of(wide, 128, 128, 4096, 132);
    assert_true(p.parts == 8 && p.rounds == 1);
    p = plan_by(PLAN_FEW, 8, 128, 64);
    assert_true(p.tiles == 2 && p.regime == 0);
    p = plan_by(PLAN_FEW, 16, 128, 64);
    assert_true(p.regime == 1);
    p = plan_by(PLAN_FEW, 64, 4000, 640);
    assert_true(p.regime == 2);
    p = plan_by(PLAN_FEW, 1024, 1024, 640);
    assert_true(p.tiles == 32 && p.regime == 3);
}

/* Seven groups of 17 multiprocessors and one of 13. */
static void clusters_lie_within_groups(void **state)
{
    struct plan_rule of_8 = {PLAN_DOUBLED, 32, 32, 1, 8, 64, 1};
    struct plan p = plan_of(of_8, 32, 480, 4096, 132);

    (void)state;
    assert_true(plan_clusters(2, 132, 1) == 66);
    assert_true(plan_clusters(4, 132, 1) == 31);
    assert_true(plan_clusters(8, 132, 1) == 15);
    assert_true(plan_clusters(8, 132, 2) == 31);
    assert_true(plan_clusters(16, 132, 1) == 7);
    assert_true(p.parts == 8 && p.rounds == 1 && p.per == 1);
    p = plan_of(of_8, 32, 512, 4096, 132); /* 16 clusters */
    assert_true(p.parts == 8 && p.rounds == 2 && p.per == 2);
    of_8.fill = of_8.blocks = 2; /* two share their multiprocessors */
    p = plan_of(of_8, 32, 512, 4096, 132);
    assert_true(p.parts == 8 && p.rounds == 1 && p.per == 2);
    of_8.fill = 1; /* no clusters: 128 blocks have room */
    p = plan_of(of_8, 32, 512, 4096, 132);
    assert_true(p.parts == 8 && p.rounds == 1 && p.per == 1);
}

static void vectors_have_blocks_of_five_kinds(void **state)
{
    struct plan p = plan_by(PLAN_VECTOR, 1, 4000, 1000);

    (void)state;
    assert_true(p.regime == 0 && p.tiles == 1000 && p.deep == 8);
    p = plan_by(PLAN_VECTOR, 1, 4000, 2048);
    assert_true(p.regime == 1 && p.deep == 8 && p.rounds == 100);
    p = plan_by(PLAN_VECTOR, 4000, 1, 1000);
    assert_true(p.regime == 2 && p.tiles == 4000 && p.per == 400);
    p = plan_by(PLAN_VECTOR, 11, 12, 2048);
    assert_true(p.regime == 3 && p.tiles == 132 && p.deep == 4);
    p = plan_by(PLAN_VECTOR, 133, 1, 2048);
    assert_true(p.regime == 4 && p.deep == 8);
}

static void rows_are_aligned_by_bytes(void **state)
{
    (void)state;
    assert_int_equal(plan_aligned(7, 4), 1);
    assert_int_equal(plan_aligned(4, 4), 2);
    assert_int_equal(plan_aligned(7, 2), 0);
    assert_int_equal(plan_aligned(6, 2), 1);
    assert_int_equal(plan_aligned(8, 2), 2);
}

/* Times that are a sum of terms are found again, at shapes not seen, too; and
 * one kernel that never runs is slower than all. */
static void a_model_finds_what_takes_time(void **state)
{
    enum { N = 60 };
    struct model_about about = three_kernels();
    struct sweep_shape shapes[N], other = product(64, 320, 3000);
    struct model model;

    (void)state;
    for (int i = 0; i < N; i++) {
        struct plan p;

        shapes[i] = product(4 + 28 * (i % 7), 8 + 60 * (i % 5), 4 + 100 * i);
        p = plan_of(about.rule[0], shapes[i].dim[0], shapes[i].dim[1],
                    shapes[i].dim[2], 10);
        shapes[i].ms[0] = 0.004 + 1e-5 * p.rounds * p.deep;
        shapes[i].ms[1] = 0.008 + 1e-6 * p.rounds * p.deep;
        shapes[i].ms[2] = NAN;
    }
    model_fit(&model, &about, shapes, N);
    assert_true(fabs(model_ms(&model, 0, other.dim) / 0.064 - 1) < 0.02);
    assert_true(fabs(model_ms(&model, 1, other.dim) / 0.014 - 1) < 0.02);
    assert_true(model_ms(&model, 2, other.dim) > 0.05);
    for (int row = 0; row < model.n_rows; row++)
        for (int i = 0; i < PLAN_TERMS; i++)
            assert_true(model.constant[row][i] >= 0);
    model_free(&model);
}

/* A sweep leaves out what would be far slower: the constants are those of the
 * shapes at which it was timed. */
static void what_was_left_out_is_not_fast(void **state)
{
    enum { N = 60 };
    struct model_about about = three_kernels();
    struct sweep_shape shapes[N], other = product(2000, 320, 3000);
    struct model model;
    struct plan p;

    (void)state;
    for (int i = 0; i < N; i++) {
        shapes[i] = product(40 * (i + 1), 8, 1000);
        p = plan_of(about.rule[0], shapes[i].dim[0], 8, 1000, 10);
        shapes[i].ms[0] = i < 30 ? 0.004 + 1e-2 * p.per : NAN;
        shapes[i].ms[1] = 0.004;
        shapes[i].ms[2] = 0.004;
    }
    model_fit(&model, &about, shapes, N);
    p = plan_of(about.rule[0], 2000, 320, 3000, 10);
    assert_true(model_ms(&model, 0, other.dim) > 0.8e-2 * p.per);
    model_free(&model);
}

static void only_products_of_candidates_have_a_model(void **state)
{
    static struct sweep_kernels list = {
        .n = 1, .kernel = {{.name = "a", .rule = {.tile_m = 7}}}};
    struct sweep_table table = {.n_kernels = 1, .kernel = {"a"}};
    struct sweep_about of = {.op = "gemm_bf16_bf16", .multiprocessors = "9"};
    struct model_about about;

    (void)state;
    assert_true(model_about(&about, &of, &table, &list, error, sizeof error));
    assert_int_equal(about.element_bytes, 2);
    assert_int_equal(about.rule[0].tile_m, 7);
    strcpy(of.op, "dwconv_forward");
    assert_false(model_about(&about, &of, &table, &list, error, sizeof error));
    assert_non_null(strstr(error, "of no product"));
    strcpy(of.op, "gemm_f32");
    strcpy(table.kernel[0], "b");
    assert_false(model_about(&about, &of, &table, &list, error, sizeof error));
    assert_non_null(strstr(error, "no candidate is called b"));
}

/* Two kernels swap places where no term of the model does; a third does not
 * run. */
static void trees_correct_the_model(void **state)
{
    enum { N = 40 };
    struct model_about about = three_kernels();
    struct sweep_shape shapes[N];
    struct sweep_shape low = product(37, 8, 8), high = product(1900, 8, 8);
    struct foresee f;

    (void)state;
    for (int i = 0; i < N; i++) {
        shapes[i] = product(32 + 50 * i, 8, 8);
        shapes[i].ms[0] = i < 20 ? 1 : 1.3;
        shapes[i].ms[1] = i < 20 ? 1.3 : 1;
        shapes[i].ms[2] = NAN;
    }
    foresee_fit(&f, &about, usual, 9, shapes, N, 1);
    assert_int_equal(foresee_choose(&f, low.dim), 0);
    assert_int_equal(foresee_choose(&f, high.dim), 1);
    foresee_free(&f);
}

/* Where nothing tells the examples apart, what is nearly the fastest everywhere
 * is the best answer. Votes would not find it. */
static void the_second_everywhere_is_chosen(void **state)
{
    enum { N = 12 };
    struct model_about about = three_kernels();
    struct sweep_shape shapes[N];
    struct foresee f;

    (void)state;
    for (int i = 0; i < N; i++) {
        shapes[i] = product(8, 8, 8);
        shapes[i].ms[0] = i % 2 ? 1 : 9;
        shapes[i].ms[1] = i % 2 ? 9 : 1;
        shapes[i].ms[2] = 1.1;
    }
    foresee_fit(&f, &about, usual, 9, shapes, N, 1);
    assert_int_equal(foresee_choose(&f, shapes[0].dim), 2);
    foresee_free(&f);
}

/* A leaf's error is the mean of its examples', each at most settings.most: one
 * wild repeat moves it no further than that. */
static void no_more_than_most_counts(void **state)
{
    enum { N = 10 };
    struct model_about about = three_kernels();
    struct sweep_shape shapes[N];
    struct foresee f;

    (void)state;
    for (int i = 0; i < N; i++) {
        shapes[i] = product(8, 8, 8);
        for (int k = 0; k < 3; k++)
            shapes[i].ms[k] = 1;
    }
    shapes[0].ms[0] = 1000;
    for (double most = 1.5; most < 1000; most *= 20) {
        double unit, error_of_0;

        foresee_fit(&f, &about, (struct foresee_settings){5, 2, most}, 1,
                    shapes, N, 1);
        unit = foresee_unit(&f);
        error_of_0 = unit * f.node[f.root[0]].error[0] - log(most);
        assert_true(error_of_0 <= log(most) / N + unit);
        foresee_free(&f);
    }
}

/* Regret 0 where M tells which of two kernels is faster; half of the left-out
 * examples lose by any choice where nothing does. */
static void settings_are_settled_by_what_was_left_out(void **state)
{
    enum { N = 40 };
    struct model_about about = three_kernels();
    struct sweep_shape shapes[N];
    struct foresee_settings settings;
    int tried;
    double regret, other;

    (void)state;
    about.n_kernels = 2;
    for (int i = 0; i < N; i++) {
        bool high = i % 8 < 4;

        shapes[i] = product(high ? 30 : 8, 8, 8);
        shapes[i].ms[0] = high ? 2 : 1;
        shapes[i].ms[1] = high ? 1 : 2;
    }
    settings = foresee_settle(&about, 5, shapes, N, 1, &tried, &regret);
    assert_true(tried > 1 && settings.features > 0);
    assert_true(regret == 0);
    for (int i = 0; i < N; i++) /* that no question tells apart */
        shapes[i].dim[0] = 8;
    foresee_settle(&about, 5, shapes, N, 1, &tried, &other);
    assert_true(other > 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_floor_is_of_flops_or_of_reads),
        cmocka_unit_test(a_plan_has_rounds_and_parts),
        cmocka_unit_test(clusters_lie_within_groups),
        cmocka_unit_test(vectors_have_blocks_of_five_kinds),
        cmocka_unit_test(rows_are_aligned_by_bytes),
        cmocka_unit_test(a_model_finds_what_takes_time),
        cmocka_unit_test(what_was_left_out_is_not_fast),
        cmocka_unit_test(only_products_of_candidates_have_a_model),
        cmocka_unit_test(trees_correct_the_model),
        cmocka_unit_test(the_second_everywhere_is_chosen),
        cmocka_unit_test(no_more_than_most_counts),
        cmocka_unit_test(settings_are_settled_by_what_was_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
