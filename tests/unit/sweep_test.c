// SPDX-License-Identifier: MIT
/*
 * sweep_test.c: sweeps: their file, what an interruption leaves, what shapes
 * are drawn, regret, trees as C, and whether an old sweep still holds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep/draw.h"
#include "sweep/drift.h"
#include "sweep/kernels.h"
#include "sweep/forest.h"
#include "sweep/regret.h"
#include "sweep/tree.h"

static char path[] = "/tmp/sweep_test.XXXXXX";
static char error[512];

static int fresh(void **state)
{
    (void)state;
    strcpy(path, "/tmp/sweep_test.XXXXXX");
    close(mkstemp(path));
    return unlink(path);
}

static int gone(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static struct sweep wanted(const char *gpu)
{
    struct sweep s = {.n_dims = 3, .dim_name = {"M", "N", "K"}};

    strcpy(s.about.op, "gemm_f32");
    strcpy(s.about.source, "measured");
    strcpy(s.about.gpu, gpu);
    return s;
}

static struct sweep_row row(enum sweep_set set, int m, const char *kernel,
                            int repeat, double ms)
{
    struct sweep_row r = {.set = set, .dim = {m, 2, 3}, .repeat = repeat,
                          .ms = ms};

    strcpy(r.kernel, kernel);
    r.outcome = ms > 0 ? SWEEP_ok : SWEEP_hang;
    return r;
}

static void add(struct sweep *s, struct sweep_row r)
{
    FILE *file = sweep_open(path, s, s, error, sizeof error);

    assert_non_null(file);
    assert_true(sweep_add(file, s, &r));
    fclose(file);
    sweep_free(s);
}

static void append(const char *text)
{
    FILE *file = fopen(path, "a");

    fputs(text, file);
    fclose(file);
}

/* Files ------------------------------------------------------------------ */

static void what_is_written_is_read(void **state)
{
    struct sweep s = wanted("A"), r;
    struct sweep_row wrong = row(SWEEP_train, 9, "wide", 0, NAN);

    (void)state;
    add(&s, row(SWEEP_held_out, 7, "wide", 2, 0.125));
    s = wanted("A");
    strcpy(wrong.why, "C[1] is 2, not 3");
    add(&s, row(SWEEP_train, 8, "wide", 0, NAN));
    add(&s, wrong);
    assert_true(sweep_read(path, &r, error, sizeof error));
    assert_int_equal(r.n_rows, 3);
    assert_string_equal(r.rows[1].why, "");
    assert_string_equal(r.rows[2].why, wrong.why);
    assert_string_equal(r.about.gpu, "A");
    assert_string_equal(r.dim_name[2], "K");
    assert_int_equal(r.rows[0].set, SWEEP_held_out);
    assert_int_equal(r.rows[0].dim[0], 7);
    assert_int_equal(r.rows[0].repeat, 2);
    assert_true(r.rows[0].ms == 0.125);
    assert_int_equal(r.rows[1].outcome, SWEEP_hang);
    assert_true(isnan(r.rows[1].ms));
    sweep_free(&r);
}

static void an_interruption_loses_half_a_line(void **state)
{
    struct sweep s = wanted("A"), there = wanted("A");
    struct sweep_row first = row(SWEEP_train, 7, "wide", 0, 1);
    FILE *file;

    (void)state;
    add(&s, first);
    append("train\t7\t2\t3\tnarr");
    assert_false(sweep_read(path, &s, error, sizeof error));
    assert_non_null(strstr(error, "half a line"));
    file = sweep_open(path, &there, &s, error, sizeof error);
    assert_non_null(file);
    assert_int_equal(s.n_rows, 1);
    assert_ptr_equal(sweep_find(&s, &first), &s.rows[0]);
    first.repeat = 1;
    assert_null(sweep_find(&s, &first));
    assert_true(sweep_add(file, &s, &first));
    fclose(file);
    sweep_free(&s);
    assert_true(sweep_read(path, &s, error, sizeof error));
    assert_int_equal(s.n_rows, 2);
    sweep_free(&s);
}

static void another_gpu_is_refused(void **state)
{
    struct sweep s = wanted("A"), other = wanted("B");

    (void)state;
    add(&s, row(SWEEP_train, 7, "wide", 0, 1));
    assert_null(sweep_open(path, &other, &s, error, sizeof error));
    assert_non_null(strstr(error, "have gpu A; now it is B"));
    assert_non_null(strstr(error, "TO=FILE"));
}

static void bad_lines_are_named(void **state)
{
    static const struct {
        const char *line, *says;
    } bad[] = {
        {"train\t7\t2\t3\twide\t0\tok\t-1\n", "no time"},
        {"train\t7\t2\t3\twide\t0\tok\tnan\n", "no time"},
        {"train\t7\t2\t3\twide\t0\tfine\t1\n", "no outcome"},
        {"best\t7\t2\t3\twide\t0\tok\t1\n", "no set"},
        {"train\t0\t2\t3\twide\t0\tok\t1\n", "M is at least 1"},
        {"train\t7\t2\twide\t0\tok\t1\n", "has 8 columns, not 7"},
        {"# colour\tred\n", "nothing is called"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sweep s = wanted("A");

        unlink(path);
        add(&s, row(SWEEP_train, 7, "wide", 0, 1));
        append(bad[i].line);
        assert_false(sweep_read(path, &s, error, sizeof error));
        assert_non_null(strstr(error, bad[i].says));
        assert_non_null(strstr(error, ":15: "));
    }
}

static void a_table_has_medians_and_drops_what_failed(void **state)
{
    struct sweep s = wanted("A");
    struct sweep_row rows[] = {
        row(SWEEP_train, 7, "wide", 0, 9), row(SWEEP_train, 7, "wide", 1, 2),
        row(SWEEP_train, 7, "wide", 2, 3), row(SWEEP_train, 7, "tall", 0, 4),
        row(SWEEP_train, 7, "tall", 1, 5), row(SWEEP_train, 8, "wide", 0, 6),
        row(SWEEP_train, 8, "tall", 0, 7), row(SWEEP_train, 8, "tall", 1, NAN),
        row(SWEEP_train, 9, "wide", 0, NAN),
        row(SWEEP_train, 9, "tall", 0, NAN),
        row(SWEEP_held_out, 7, "wide", 0, 8), /* the others did not follow */
    };
    struct sweep_table t;

    (void)state;
    s.rows = rows;
    s.n_rows = sizeof rows / sizeof *rows;
    t = sweep_table(&s);
    assert_int_equal(t.n_kernels, 2);
    assert_int_equal(t.n_shapes, 2);
    assert_true(t.shapes[0].ms[0] == 3);
    assert_true(t.shapes[0].ms[1] == 4.5);
    assert_true(t.shapes[1].ms[0] == 6);
    assert_true(isnan(t.shapes[1].ms[1]));
    free(t.shapes);
}

/* In another order than the first run had: no row is taken for its
 * neighbour's. */
static void rows_of_a_later_run_find_their_shape(void **state)
{
    struct sweep s = wanted("A");
    struct sweep_row rows[] = {
        row(SWEEP_train, 7, "wide", 0, 1), row(SWEEP_train, 7, "tall", 0, 2),
        row(SWEEP_train, 8, "wide", 0, 3), row(SWEEP_train, 8, "tall", 0, 4),
        row(SWEEP_held_out, 8, "wide", 0, 5),
        row(SWEEP_held_out, 8, "tall", 0, 6),
        row(SWEEP_held_out, 8, "late", 0, 7),
        row(SWEEP_train, 8, "late", 0, 8), row(SWEEP_train, 7, "late", 0, 9),
        row(SWEEP_train, 7, "wide", 1, 3), row(SWEEP_train, 8, "wide", 1, 5),
    };
    static const double want[3][3] = {{2, 2, 9}, {4, 4, 8}, {5, 6, 7}};
    struct sweep_table t;

    (void)state;
    s.rows = rows;
    s.n_rows = sizeof rows / sizeof *rows;
    t = sweep_table(&s);
    assert_int_equal(t.n_shapes, 3);
    assert_int_equal(t.n_kernels, 3);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            assert_true(t.shapes[i].ms[k] == want[i][k]);
    free(t.shapes);
}

static void peers_are_apart(void **state)
{
    struct sweep s = wanted("A");
    struct sweep_row rows[] = {
        row(SWEEP_train, 7, "wide", 0, 9),
        row(SWEEP_train, 7, SWEEP_PEER "x", 0, 2),
        row(SWEEP_train, 8, "wide", 0, 6), /* the peer did not run */
    };
    struct sweep_table t;

    (void)state;
    s.rows = rows;
    s.n_rows = sizeof rows / sizeof *rows;
    t = sweep_table(&s);
    assert_int_equal(t.n_kernels, 1);
    assert_int_equal(t.n_shapes, 2);
    free(t.shapes);
    t = sweep_peers(&s);
    assert_int_equal(t.n_shapes, 1);
    assert_string_equal(t.kernel[0], SWEEP_PEER "x");
    assert_true(t.shapes[0].ms[0] == 2);
    free(t.shapes);
}

/* A redrawn median is one of the repeats, not always the same; what was
 * measured once stays as it is. */
static void repeats_are_redrawn(void **state)
{
    struct sweep s = wanted("A");
    struct sweep_row rows[] = {
        row(SWEEP_train, 7, "wide", 0, 9), row(SWEEP_train, 7, "wide", 1, 2),
        row(SWEEP_train, 7, "wide", 2, 3), row(SWEEP_train, 7, "tall", 0, 4),
        row(SWEEP_train, 8, "wide", 0, 1), /* a shape that is left out */
        row(SWEEP_held_out, 9, "wide", 0, 2),
        row(SWEEP_held_out, 9, "wide", 1, 6),
        row(SWEEP_held_out, 9, "tall", 0, NAN),
    };
    uint64_t seed = 1;
    int seen[10] = {0};
    struct sweep_draws d;

    (void)state;
    s.rows = rows;
    s.n_rows = sizeof rows / sizeof *rows;
    d = sweep_draws(&s);
    assert_int_equal(d.table.n_shapes, 2);
    assert_true(d.table.shapes[0].ms[0] == 3);
    for (int i = 0; i < 100; i++) {
        sweep_redraw(&d, SWEEP_train, &seed);
        assert_true(d.table.shapes[0].ms[1] == 4);
        assert_true(d.table.shapes[1].ms[0] == 4); /* of another set */
        assert_true(isnan(d.table.shapes[1].ms[1]));
        seen[(int)d.table.shapes[0].ms[0]]++;
    }
    sweep_draws_free(&d);
    assert_int_equal(seen[2] + seen[3] + seen[9], 100);
    assert_true(seen[2] > 0 && seen[3] > seen[2] && seen[9] > 0);
}

/* Shapes ----------------------------------------------------------------- */

static void held_out_shapes_are_apart(void **state)
{
    enum { HELD = 60, MORE = 300, FEW = 150 };
    static struct sweep_row few[FEW], more[MORE];
    struct draw d = {.n_dims = 3, .low = {1, 1, 1}, .high = {512, 512, 512},
                     .most_work = 1e7, .seed = 5};
    int odd = 0, small = 0;

    (void)state;
    draw_shapes(&d, HELD, FEW, few);
    draw_shapes(&d, HELD, MORE, more);
    assert_memory_equal(few, more, sizeof few);
    for (int i = 0; i < MORE; i++) {
        const int *dim = more[i].dim;

        assert_int_equal(more[i].set, i < HELD ? SWEEP_held_out : SWEEP_train);
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(dim, more[j].dim, sizeof more[j].dim);
        for (int k = 0; k < 3; k++)
            assert_in_range(dim[k], 1, 512);
        assert_true((double)dim[0] * dim[1] * dim[2] <= 1e7);
        odd += dim[1] % 2;
        small += dim[0] < 23; /* the middle of the octaves */
    }
    assert_in_range(odd, MORE / 5, MORE / 2);
    assert_in_range(small, MORE / 3, MORE * 2 / 3);
    d.seed = 6;
    draw_shapes(&d, HELD, FEW, more);
    assert_memory_not_equal(few, more, sizeof few);
}

static void a_grid_goes_from_low_to_high(void **state)
{
    struct sweep_row rows[9];
    struct draw d = {.n_dims = 3, .low = {4, 1, 1}, .high = {64, 100, 7}};

    (void)state;
    draw_grid(&d, 1, 0, 3, rows);
    assert_int_equal(rows[0].dim[0], 4);
    assert_int_equal(rows[3].dim[0], 16);
    assert_int_equal(rows[8].dim[0], 64);
    assert_int_equal(rows[1].dim[1], 10);
    assert_int_equal(rows[2].dim[1], 100);
    assert_int_equal(rows[4].dim[2], 7);
}

/* Choices ---------------------------------------------------------------- */

static struct sweep_table four_shapes(struct sweep_shape *shapes)
{
    struct sweep_table t = {.n_dims = 1, .n_kernels = 2, .n_shapes = 4,
                            .kernel = {"a", "b"}, .shapes = shapes};

    for (int i = 0; i < 4; i++)
        shapes[i] = (struct sweep_shape){.set = SWEEP_train, .dim = {i + 1},
                                         .ms = {1, 1 + 0.1 * i}};
    shapes[0].ms[1] = NAN;
    return t;
}

static void regret_is_time_lost(void **state)
{
    struct sweep_shape shapes[4];
    struct sweep_table t = four_shapes(shapes);
    int best[4] = {0, 0, 0, 0}, second[4] = {0, 1, 1, 1}, fails[4] = {1};
    int none[4] = {-1, 2, 0, 0}, always;
    struct regret r;

    (void)state;
    assert_true(regret_of(&t, SWEEP_train, best).worst == 0);
    r = regret_of(&t, SWEEP_train, second);
    assert_true(fabs(r.mean - 0.15) < 1e-12);
    assert_true(fabs(r.p95 - 0.3) < 1e-12);
    assert_int_equal(r.worst_shape, 3);
    assert_true(regret_of(&t, SWEEP_train, fails).worst ==
                REGRET_OF_A_FAILURE);
    assert_true(regret_of(&t, SWEEP_train, none).mean ==
                REGRET_OF_A_FAILURE / 2);
    assert_int_equal(regret_of(&t, SWEEP_held_out, best).n, 0);
    assert_true(regret_always(&t, SWEEP_train, &always).mean == 0);
    assert_int_equal(always, 0);
}

static void the_percentiles_leave_out_their_share(void **state)
{
    enum { N = 200 };
    static struct sweep_shape shapes[N];
    static int choice[N];
    struct sweep_table t = {.n_dims = 1, .n_kernels = 2, .n_shapes = N,
                            .shapes = shapes};
    struct regret r;

    (void)state;
    for (int i = 0; i < N; i++) {
        shapes[i] = (struct sweep_shape){.ms = {1, 2 + i}};
        choice[i] = 1;
    }
    r = regret_of(&t, SWEEP_train, choice);
    assert_true(r.p95 == 190);
    assert_true(r.p99 == 198);
    assert_true(r.worst == 200);
}

/* Lengths and taps from end to end, each once; half are held out; what an
 * interruption leaves has short and long ones. */
static void a_causal_grid_is_whole(void **state)
{
    enum { CELLS = 1 << 20, MOST = 1024, EARLY = 20 };
    static struct sweep_row shapes[MOST];
    int n = draw_causal(CELLS, MOST, shapes), held = 0, short_ones = 0;
    int ends[2] = {0, 0};

    (void)state;
    assert_in_range(n, 200, MOST - 1);
    for (int i = 0; i < n; i++) {
        const int *d = shapes[i].dim;

        assert_in_range(d[2], 16, 8192);
        assert_in_range(d[3], 2, d[2]);
        assert_in_range(d[0] * d[1] * d[2], CELLS / 2, CELLS);
        ends[0] += d[2] == 16 && d[3] == 2;
        ends[1] += d[2] == 8192 && d[3] == 8192;
        held += shapes[i].set == SWEEP_held_out;
        short_ones += i < EARLY && d[2] < 362; /* the middle */
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(d, shapes[j].dim, sizeof shapes[j].dim);
    }
    assert_int_equal(ends[0], 1);
    assert_int_equal(ends[1], 1);
    assert_int_equal(held, n / 2);
    assert_in_range(short_ones, EARLY / 4, EARLY - EARLY / 4);
}

static const struct study_node tree[] = {
    {2, 5, 1, 2, 0}, {-1, 0, 0, 0, 3}, {0, 2.5, 3, 4, 0}, {-1, 0, 0, 0, 1},
    {-1, 0, 0, 0, 2},
};

static void a_tree_answers(void **state)
{
    double feature[STUDY_FEATURES] = {2, 0, 5};

    (void)state;
    assert_null(tree_defect(tree, 5, 2, 4));
    assert_int_equal(tree_choose(tree, feature), 3);
    feature[2] = 6;
    assert_int_equal(tree_choose(tree, feature), 1);
    feature[0] = 3;
    assert_int_equal(tree_choose(tree, feature), 2);
}

static void what_is_no_tree_is_named(void **state)
{
    struct study_node circle[3] = {{1, 0, 0, 1, 0}, {-1, 0, 0, 0, 0}};
    struct study_node beyond[3] = {{1, 0, 1, 7, 0}, {-1, 0, 0, 0, 0}};
    struct study_node other[3] = {{9, 0, 1, 2, 0}};

    (void)state;
    assert_non_null(tree_defect(tree, 5, 1, 4));  /* too deep */
    assert_non_null(tree_defect(tree, 5, 2, 3));  /* no kernel 3 */
    assert_non_null(tree_defect(tree, 0, 2, 4));
    assert_non_null(strstr(tree_defect(circle, 3, 3, 1), "more questions"));
    assert_non_null(strstr(tree_defect(beyond, 3, 3, 1), "does not exist"));
    assert_non_null(strstr(tree_defect(other, 3, 3, 1), "feature"));
}

static void the_printed_tree_reads_as_c(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    char text[2048] = {0};
    FILE *file = fmemopen(text, sizeof text, "w");

    (void)state;
    tree_print(file, tree, names);
    fclose(file);
    assert_non_null(strstr(text, "    if (feature[2] <= 5) {\n"
                                 "        return 3; // d\n    }\n"
                                 "    if (feature[0] <= 2.5) {\n"
                                 "        return 1; // b\n    }\n"
                                 "    return 2; // c\n}\n"));
}

/* Answers the kernel that is the fastest at its first example. */
static int by_the_first(const struct study_example *examples, int n,
                        int n_kernels, int depth, struct study_node *nodes)
{
    int best = 0;

    (void)n, (void)depth;
    for (int k = 1; k < n_kernels; k++)
        if (examples[0].ms[k] < examples[0].ms[best])
            best = k;
    nodes[0] = (struct study_node){.feature = -1, .kernel = best};
    return 1;
}

/* Each tree sees another draw, and the majority counts: three of four examples
 * say kernel 1. */
static void a_forest_votes(void **state)
{
    enum { TREES = 99 };
    struct study_example examples[4] = {{.ms = {1, 2}}, {.ms = {2, 1}},
                                        {.ms = {2, 1}}, {.ms = {2, 1}}};
    double feature[STUDY_FEATURES] = {0};
    struct forest forest;
    int zeros = 0;

    (void)state;
    assert_null(forest_fit(&forest, by_the_first, TREES, examples, 4, 2, 1, 1));
    assert_int_equal(forest.n, TREES);
    for (int i = 0; i < TREES; i++)
        zeros += forest.tree[i][0].kernel == 0;
    assert_in_range(zeros, 1, TREES / 2);
    assert_int_equal(forest_choose(&forest, feature), 1);
    forest_free(&forest);
}

static void drift_is_what_old_choices_cost(void **state)
{
    struct sweep_shape old_shapes[4], new_shapes[4];
    struct sweep_table old = four_shapes(old_shapes);
    struct sweep_table now = four_shapes(new_shapes);
    struct drift d;

    (void)state;
    for (int i = 0; i < 4; i++) { /* a slower card, the same order */
        new_shapes[i].ms[0] *= 2;
        new_shapes[i].ms[1] *= 2;
    }
    d = drift_of(&old, &now);
    assert_int_equal(d.n, 4);
    assert_true(d.times == 2);
    assert_true(d.old_choice.worst == 0);
    assert_int_equal(d.worst, -1);
    for (int i = 0; i < 4; i++) /* `a` alone became slower */
        new_shapes[i].ms[0] *= 4;
    new_shapes[3].dim[0] = 99;
    d = drift_of(&old, &now);
    assert_int_equal(d.n, 3);
    assert_true(d.old_choice.worst > 2);
    assert_int_equal(d.worst, 0);
}

static bool rule_is(const struct sweep_kernel *k, enum plan_kind kind, int most,
                    int least, int fill, int blocks)
{
    return k->splits && k->rule.kind == kind && k->rule.most == most &&
           k->rule.least == least && k->rule.fill == fill &&
           k->rule.blocks == blocks && k->rule.tile_m == 4 &&
           k->rule.tile_n == 8;
}

static void candidates_are_read(void **state)
{
    struct sweep_kernels list;

    (void)state;
    append("# a comment\nwide\t15/gemm\tBM=64 BN=32\t64 32\t2\tyes\n");
    assert_true(kernels_read(path, &list, error, sizeof error));
    assert_int_equal(list.n, 1);
    assert_int_equal(list.kernel[0].chapter, 15);
    assert_string_equal(list.kernel[0].constants, "BM=64 BN=32");
    assert_int_equal(list.kernel[0].tile_n, 32);
    assert_true(list.kernel[0].splits);
    assert_int_equal(list.kernel[0].rule.kind, PLAN_PARTS);
    append("a\t0/a\t-\t4 8\t3\tno\nb\t0/b\t-\t4 8\t3\t16x128\n"
           "c\t0/c\t-\t4 8\t3\t16x128/2\nd\t0/d\t-\t4 8\t3\t8x16/32/64\n"
           "e\t0/e\t-\t4 8\t3\tfew8x320\n"
           "f\t0/f\t-\t4 8\t3\tvector\n");
    assert_true(kernels_read(path, &list, error, sizeof error));
    assert_false(list.kernel[1].splits);
    assert_int_equal(list.kernel[1].rule.kind, PLAN_WHOLE);
    assert_true(rule_is(&list.kernel[2], PLAN_PARTS, 16, 128, 3, 3));
    assert_true(rule_is(&list.kernel[3], PLAN_DOUBLED, 16, 128, 2, 3));
    assert_true(rule_is(&list.kernel[4], PLAN_DOUBLED, 8, 16, 32, 64));
    assert_true(rule_is(&list.kernel[5], PLAN_FEW, 8, 320, 3, 3));
    assert_true(list.kernel[6].splits);
    assert_int_equal(list.kernel[6].rule.kind, PLAN_VECTOR);
    append("tall\t15/gemm\t-\t64\t2\tyes\n");
    assert_false(kernels_read(path, &list, error, sizeof error));
    assert_non_null(strstr(error, ":9: a candidate is"));
}

static void half_a_rule_is_none(void **state)
{
    static const char *const bad[] = {"16", "16x", "16x0", "16x4/", "16x4/0",
                                      "16x4y", "maybe", "few"};
    struct sweep_kernels list;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        unlink(path);
        append("a\t0/a\t-\t4 8\t3\t");
        append(bad[i]);
        append("\n");
        assert_false(kernels_read(path, &list, error, sizeof error));
        assert_non_null(strstr(error, ":1: a candidate is"));
    }
}

int main(void)
{
#define ON_A_FILE(test) cmocka_unit_test_setup_teardown(test, fresh, gone)
    const struct CMUnitTest tests[] = {
        ON_A_FILE(what_is_written_is_read),
        ON_A_FILE(an_interruption_loses_half_a_line),
        ON_A_FILE(another_gpu_is_refused),
        ON_A_FILE(bad_lines_are_named),
        cmocka_unit_test(a_table_has_medians_and_drops_what_failed),
        cmocka_unit_test(rows_of_a_later_run_find_their_shape),
        cmocka_unit_test(peers_are_apart),
        cmocka_unit_test(repeats_are_redrawn),
        cmocka_unit_test(held_out_shapes_are_apart),
        cmocka_unit_test(a_grid_goes_from_low_to_high),
        cmocka_unit_test(regret_is_time_lost),
        cmocka_unit_test(the_percentiles_leave_out_their_share),
        cmocka_unit_test(a_causal_grid_is_whole),
        cmocka_unit_test(a_tree_answers),
        cmocka_unit_test(what_is_no_tree_is_named),
        cmocka_unit_test(the_printed_tree_reads_as_c),
        cmocka_unit_test(a_forest_votes),
        cmocka_unit_test(drift_is_what_old_choices_cost),
        ON_A_FILE(candidates_are_read),
        ON_A_FILE(half_a_rule_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
