// SPDX-License-Identifier: MIT
/*
 * formula_test.c: wrong numbers that a mistake in the formula explains, or
 * elements that change places in tiles; and what all cases say together.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/judge/data.h"
#include "check/judge/misplaced.h"
#include "check/phase/wrongs.h"
#include "op/running_slip.h"

static struct test_case c;
static struct data d;
static struct comparison cmp;

static enum cell_kind kind_now(const struct data *earlier)
{
    data_compare(&d, earlier, &cmp);
    return cmp.kind;
}

/* Output `out` of a stage that makes the operator's mistake number m; 0: that
 * is right. */
static void fill_by(const struct op *of, int out, int m)
{
    size_t n = op_count(of, out, &c.problem.shape);
    struct op_problem problem = c.problem;
    struct op_cell *made = calloc(n, sizeof *made);

    problem.mistake = m;
    of->reference(of, &problem, out, (const void *const *)d.given, 0, n, made);
    for (size_t i = 0; i < n; i++)
        ((float *)d.got[out])[i] = (float)made[i].value;
    free(made);
}

static void make_mistake(const struct op *of, const struct op_shape *at, int m)
{
    c.problem = op_draw(of, at, OP_POSITIVE, 7);
    data_make(&d, of, &c);
    for (int i = 0; i < of->n_buffers; i++)
        if (d.got[i])
            fill_by(of, i, i == of->n_buffers - 1 ? m : 0);
}

/* A row whose results are all a little too large has one error, which some
 * epsilon always explains; rows that differ have as many. */
static void a_scale_is_no_epsilon(void **state)
{
    static const struct op_shape shapes[] = {
        {.dim = {1, 8191}}, {.dim = {2, 127}}, {.dim = {7, 31}}};
    const struct op *norm = op_find("layer_norm_f32");
    double by[] = {1.0001, 1.001, 0.9999};

    (void)state;
    assert_non_null(norm);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
            float *got;

            make_mistake(norm, &shapes[i], 0);
            got = d.got[norm->n_buffers - 1];
            for (size_t n = 0; n < op_count(norm, norm->n_buffers - 1,
                                            &shapes[i]); n++)
                got[n] = (float)(got[n] * by[k]);
            if (kind_now(NULL) == CELL_MISPLACED)
                fail_msg("shape %zu: %g is taken for a slip of kind %d", i,
                         by[k], cmp.slip.kind);
            data_free(&d);
        }
}

/* The product of an A whose fragments' words are exchanged, and a C of whose
 * pairs the elements are. */
static void fragments(void **state)
{
    const struct op *gemm = op_find("gemm_f32");
    const struct op_shape at = {.dim = {37, 21, 29}};
    float *A, *C, *mine;

    (void)state;
    make_mistake(gemm, &at, 0);
    A = d.given[0];
    mine = malloc(37 * 29 * sizeof *mine);
    memcpy(mine, A, 37 * 29 * sizeof *mine);
    for (int r = 0; r < 37; r++)
        for (int k = 0; k < 29; k++) {
            bool moves = (r / 8 & 1) != (k / 4 & 1);
            int from_r = moves ? r ^ 8 : r, from_k = moves ? k ^ 4 : k;

            A[r * 29 + k] = from_r < 37 && from_k < 29
                                ? mine[from_r * 29 + from_k] : 0.0f;
        }
    fill_by(gemm, 2, 0);
    memcpy(A, mine, 37 * 29 * sizeof *mine);
    assert_int_equal(kind_now(NULL), CELL_MISPLACED);
    assert_int_equal(cmp.slip.kind, SLIP_QUARTERS);
    assert_int_equal(cmp.slip.input, 0);
    assert_int_equal(cmp.slip.b, 4);
    fill_by(gemm, 2, 0);
    C = d.got[2];
    for (int i = 0; i < 37; i++)
        for (int j = 0; j + 1 < 21; j += 2) {
            float was = C[i * 21 + j];

            C[i * 21 + j] = C[i * 21 + j + 1];
            C[i * 21 + j + 1] = was;
        }
    assert_int_equal(kind_now(NULL), CELL_MISPLACED);
    assert_int_equal(cmp.slip.kind, SLIP_HALVES);
    assert_true(cmp.slip.input < 0 && cmp.slip.a == 1 && cmp.slip.b == 1);
    free(mine);
    data_free(&d);
}

static float as_tf32(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    bits = (bits + 0x1000u) & 0xffffe000u;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

/* Of a sum of 4096 terms fp32 may lose more than tf32 does. In thin rows it may
 * not; and whatever the order of the sum, fp32 is right everywhere. */
static void few_terms_are_exact(void **state)
{
    enum { ROWS = 4, K = 4096 };
    static const struct op_shape at = {.dim = {ROWS, 1, K}};
    const struct op *gemm = op_find("gemm_f32");

    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        bool shows = false;

        c.problem = op_draw(gemm, &at, OP_POSITIVE, seed);
        c.problem.scalar[0] = 1.0;
        c.problem.scalar[1] = 0.0;
        data_make(&d, gemm, &c);
        const float *A = d.given[0], *B = d.given[1];
        for (int r = 0; r < ROWS; r++) {
            float sum = 0.0f, back = 0.0f, tf32 = 0.0f;
            struct op_cell cell;
            uint32_t bits[3];

            for (int k = 0; k < K; k++) {
                const float *a = A + r * K;
                sum += a[k] * B[k];
                back += a[K - 1 - k] * B[K - 1 - k];
                tf32 += as_tf32(a[k]) * as_tf32(B[k]);
            }
            memcpy(&bits[0], &sum, 4);
            memcpy(&bits[1], &back, 4);
            memcpy(&bits[2], &tf32, 4);
            gemm->reference(gemm, &c.problem, 2, (const void *const *)d.given,
                            (size_t)r, 1, &cell);
            assert_true(op_accepts(gemm, &c.problem, 2, &cell, bits[0]));
            assert_true(op_accepts(gemm, &c.problem, 2, &cell, bits[1]));
            shows |= !op_accepts(gemm, &c.problem, 2, &cell, bits[2]);
        }
        data_free(&d);
        if (!shows)
            fail_msg("seed %d: tf32 passes for fp32", (int)seed);
    }
}

static void mistakes_of(const char *name, const struct op_shape *at, int first,
                        int most)
{
    const struct op *of = op_find(name);

    assert_non_null(of);
    for (int m = first; m <= most; m++) {
        make_mistake(of, at, m);
        if (kind_now(NULL) != CELL_MISPLACED ||
            cmp.slip.kind != SLIP_FORMULA ||
            strcmp(of->mistakes[cmp.slip.a].as_if, of->mistakes[m - 1].as_if))
            fail_msg("%s: mistake %d is %s", name, m, kind_names[cmp.kind]);
        data_free(&d);
    }
}

/* What the operators know to go wrong is told from everything else. */
static void mistakes_of_the_formula(void **state)
{
    (void)state;
    mistakes_of("layer_norm_f32", &(struct op_shape){.dim = {5, 37}}, 1, 8);
    mistakes_of("gemm_f32", &(struct op_shape){.dim = {9, 13, 61}}, 1, 4);
    mistakes_of("gemm_f32", &(struct op_shape){.dim = {9, 13, 61}}, 8, 27);
    mistakes_of("gemm_f32", &(struct op_shape){.dim = {9, 13, 93}}, 28, 33);
    mistakes_of("layer_norm_f32", &(struct op_shape){.dim = {5, 37}}, 25, 25);
    mistakes_of("dwconv_forward", &(struct op_shape){.dim = {3, 5, 99, 70}}, 1,
                1);
    mistakes_of("dwconv_input_grad", &(struct op_shape){.dim = {3, 5, 99, 70}},
                1, 1);
    mistakes_of("evonorm_b0", &(struct op_shape){.dim = {3, 5, 31}}, 1, 6);
    mistakes_of("evonorm_b0", &(struct op_shape){.dim = {3, 5, 31}}, 8, 12);
    mistakes_of("elementwise_sigmoid_f32", &(struct op_shape){.dim = {99}}, 1,
                3);
    mistakes_of("elementwise_swish_f32", &(struct op_shape){.dim = {99}}, 1,
                2);
    mistakes_of("bias_swish_residual", &(struct op_shape){.dim = {9, 13}}, 1,
                5);
    mistakes_of("linear_swish", &(struct op_shape){.dim = {9, 13, 5}}, 1, 3);
    mistakes_of("softmax_f32", &(struct op_shape){.dim = {7, 300}}, 11, 12);
}

/* The last product of a tile of 16: where K is no multiple of 16, it is as if A
 * B were 0, or the last of a tile of 8 or 32. All that it may be is noted. */
static void a_mistake_that_looks_like_others(void **state)
{
    enum { NOTHING_LEFT, TIMES_ZERO, LAST_IN_8 = 4, LAST_IN_16, LAST_IN_32 };
    const uint64_t padded = 1 << NOTHING_LEFT | 1 << TIMES_ZERO |
                            1 << LAST_IN_8 | 1 << LAST_IN_16 |
                            1 << LAST_IN_32;

    (void)state;
    make_mistake(op_find("gemm_f32"), &(struct op_shape){.dim = {9, 13, 61}},
                 LAST_IN_16 + 1);
    assert_int_equal(kind_now(NULL), CELL_MISPLACED);
    assert_true(cmp.tried && cmp.fits == padded && cmp.may_be == padded);
    data_free(&d);
    make_mistake(op_find("gemm_f32"), &(struct op_shape){.dim = {9, 13, 48}},
                 LAST_IN_16 + 1);
    assert_int_equal(kind_now(NULL), CELL_MISPLACED);
    assert_true(cmp.fits >> LAST_IN_16 & 1 && cmp.fits >> LAST_IN_8 & 1);
    assert_false(cmp.fits >> NOTHING_LEFT & 1 || cmp.may_be & 1);
    assert_true(cmp.pieces == 8); /* rows: one is counted no further */
    data_free(&d);
}

/* Sums that a lane stores at the other's place join what C held there. */
static void sums_that_change_places(void **state)
{
    const struct op *gemm = op_find("gemm_f32");
    const struct op_shape at = {.dim = {37, 22, 29}};
    float *C, *old;

    (void)state;
    make_mistake(gemm, &at, 0);
    C = d.got[2];
    old = d.given[2];
    assert_true(c.problem.scalar[1] != 0.0);
    for (int i = 0; i < 37 * 22; i += 2) {
        float beta = (float)c.problem.scalar[1];
        float p = C[i] - beta * old[i], q = C[i + 1] - beta * old[i + 1];

        C[i] = q + beta * old[i];
        C[i + 1] = p + beta * old[i + 1];
    }
    assert_int_equal(kind_now(NULL), CELL_MISPLACED);
    assert_int_equal(cmp.slip.kind, SLIP_HALVES);
    assert_true(cmp.slip.input < 0 && cmp.slip.a == 1 && cmp.slip.b == 1);
    data_free(&d);
}

/* NaN comes of a NaN that was given, or of infinities alone. */
static void where_a_nan_comes_from(void **state)
{
    const struct op *of = op_find("softmax_f32");
    const float special[] = {NAN, INFINITY};

    (void)state;
    for (int k = 0; k < 2; k++) {
        float *x, *got;

        c.problem = op_draw(of, &(struct op_shape){.dim = {2, 40}},
                            OP_SPECIAL, 7);
        data_make(&d, of, &c);
        x = d.given[0];
        for (int i = 0; i < 80; i++)
            x[i] = i == 50 ? special[k] : (float)(i % 7);
        fill_by(of, 1, 0);
        got = d.got[1];
        for (int i = 40; i < 80; i++)
            got[i] = 0.0f;
        assert_int_equal(kind_now(NULL), CELL_LOGIC);
        assert_int_equal(cmp.wrong, 40);
        assert_true(cmp.nan_of_infinities == (k == 1));
        data_free(&d);
    }
}

/* Of two values, n - 1 is 1: no telling which of two mistakes it is. */
static void two_mistakes_that_are_one(void **state)
{
    (void)state;
    make_mistake(op_find("layer_norm_f32"),
                 &(struct op_shape){.dim = {9, 2}}, 2);
    assert_int_equal(kind_now(NULL), CELL_LOGIC);
    data_free(&d);
}

/* A constant in the place of a scalar, or none. */
static void another_scalar(void **state)
{
    static const struct op_shape at = {.dim = {24, 37}};
    static const double values[] = {0.0, 1e-3, 5e-4, 2e-3};
    const struct op *norm = op_find("layer_norm_f32");
    struct op_cell made[24 * 37];

    (void)state;
    assert_non_null(norm);
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        struct op_problem other;
        struct text t = {0};
        char words[80];

        c.problem = op_draw(norm, &at, OP_POSITIVE, 5);
        data_make(&d, norm, &c);
        other = c.problem;
        other.scalar[0] = values[v];
        norm->reference(norm, &other, 3, (const void *const *)d.given, 0,
                        24 * 37, made);
        for (size_t i = 0; i < 24 * 37; i++)
            ((float *)d.got[3])[i] = (float)made[i].value;
        assert_int_equal(kind_now(NULL), CELL_MISPLACED);
        misplaced_say(&t, &cmp, norm);
        snprintf(words, sizeof words, "formula: as if eps were %.3g\n",
                 values[v]);
        assert_string_equal(t.s, words);
        text_free(&t);
        data_free(&d);
    }
}

/* Where nothing is kept as it is, all ways through a row come to its sum. */
static void a_sum_that_is_shrunk(void **state)
{
    enum { MOST = 8191 };
    static const size_t lengths[] = {1, 33, 128, 1021, 4100, MOST};
    static const struct running_keeps none = {0, 0, 0, 0, 0};
    static double x[MOST];

    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        size_t n = lengths[k];
        struct running_threads by[] = {{256, 1, 0},
                                       running_by_vectors(n, 4, 3 * n),
                                       running_by_vectors(n, 2, 5 * n)};
        double largest = -INFINITY, sum = 0;

        for (size_t i = 0; i < n; i++) {
            x[i] = sin((double)(i * i)) * 9;
            largest = fmax(largest, x[i]);
        }
        for (size_t i = 0; i < n; i++)
            sum += exp(x[i] - largest);
        for (int t = 0; t < 3; t++)
            assert_true(fabs(running_sum_of(&by[t], &none, x, n) - sum) <=
                        1e-12 * sum);
    }
}

/* A case of 8 wrong cells that lie in so many rows, as one claim says. */
static void claim(struct sim_part *part, int pieces, int mistake)
{
    struct run *run = &part->result.run[RUN_SIM];

    run->wrong_case = c;
    run->first_wrong = (struct comparison){
        .kind = CELL_MISPLACED, .buffer = 3, .cells = 80, .wrong = 8,
        .n_first = 1, .tried = true, .pieces = pieces,
        .slip = {SLIP_FORMULA, -1, mistake, 0, 0, 0},
        .fits = 1u << mistake, .may_be = 1u << mistake};
}

/* All that is wrong with a row is one number, which a mistake may explain by
 * chance: two cases of a row each are two pieces of evidence. */
static void a_row_is_one_piece(void **state)
{
    enum { CASES = 3 };
    static struct sim_part parts[CASES];
    static struct test_case cases[CASES];
    struct wrongs w = {op_find("layer_norm_f32"), cases, parts, CASES};

    (void)state;
    c.problem = op_draw(w.op, &(struct op_shape){.dim = {2, 40}}, OP_SIGNED, 5);
    for (int rows = 1; rows <= 2; rows++) {
        static struct run run;

        run = (struct run){.planned = CASES};
        memset(parts, 0, sizeof parts);
        for (int i = 0; i < CASES; i++)
            cases[i] = c;
        claim(&parts[0], rows, 2);
        claim(&parts[1], rows, 2);
        run.first_wrong = parts[0].result.run[RUN_SIM].first_wrong;
        run.wrong_case = c;
        wrongs_sum_up(&w, &run);
        assert_int_equal(run.first_wrong.kind,
                         rows == 2 ? CELL_MISPLACED : CELL_LOGIC);
    }
}

/* Of mistakes that look alike in most cases that one is named which no case
 * speaks against; in single cases nothing at all was named. */
static void cases_together_tell(void **state)
{
    enum { CASES = 4, NO_ROOT = 3, UNCENTRED = 4 };
    static struct sim_part parts[CASES];
    static struct test_case cases[CASES];
    static struct run run;
    struct wrongs w = {op_find("layer_norm_f32"), cases, parts, CASES};

    (void)state;
    c.problem = op_draw(w.op, &(struct op_shape){.dim = {2, 40}}, OP_SIGNED, 5);
    for (int i = 0; i < CASES; i++) {
        struct comparison *of = &parts[i].result.run[RUN_SIM].first_wrong;

        cases[i] = c;
        claim(&parts[i], 4, UNCENTRED);
        of->kind = CELL_LOGIC;
        if (i < CASES - 1)
            of->fits = of->may_be |= 1u << NO_ROOT;
    }
    run.first_wrong = parts[0].result.run[RUN_SIM].first_wrong;
    wrongs_sum_up(&w, &run);
    assert_int_equal(run.first_wrong.kind, CELL_MISPLACED);
    assert_int_equal(run.first_wrong.slip.a, UNCENTRED);
    for (int i = 0; i < 2; i++) /* against all of them */
        parts[i].result.run[RUN_SIM].first_wrong.may_be = 0;
    run = (struct run){.first_wrong =
                           parts[0].result.run[RUN_SIM].first_wrong};
    wrongs_sum_up(&w, &run);
    assert_int_equal(run.first_wrong.kind, CELL_LOGIC);
}

/* Integers alone are wrong: rounding hides the same mistake elsewhere. Not if a
 * signed case of another size is wrong, and alpha = 0 shows nothing. */
static void integers_alone(void **state)
{
    enum { INTEGER, SIGNED, ELSEWHERE, CASES };
    static struct sim_part parts[CASES];
    static struct test_case cases[CASES];
    struct wrongs w = {op_find("gemm_f32"), cases, parts, CASES};
    const struct op_shape here = {.dim = {17, 1, 31}};
    const struct op_shape there = {.dim = {33, 32, 65}};

    (void)state;
    cases[INTEGER].problem = op_draw(w.op, &here, OP_INTEGER, 5);
    cases[SIGNED].problem = op_draw(w.op, &here, OP_SIGNED, 5);
    cases[ELSEWHERE].problem = op_draw(w.op, &there, OP_SIGNED, 5);
    parts[INTEGER].result.run[RUN_SIM].first_wrong.kind = CELL_LOGIC;
    for (int idle = 0; idle < 2; idle++)
        for (int wrong = 0; wrong < 2; wrong++) {
            struct run run = {.wrong_case = cases[INTEGER],
                              .first_wrong = {.kind = CELL_LOGIC}};

            cases[SIGNED].problem.scalar[0] = idle ? 0.0 : 0.5;
            parts[ELSEWHERE].result.run[RUN_SIM].first_wrong.kind =
                wrong ? CELL_LOGIC : CELL_RIGHT;
            wrongs_sum_up(&w, &run);
            assert_int_equal(run.exact_alone, !idle && !wrong);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scale_is_no_epsilon),
        cmocka_unit_test(fragments),
        cmocka_unit_test(few_terms_are_exact),
        cmocka_unit_test(mistakes_of_the_formula),
        cmocka_unit_test(a_mistake_that_looks_like_others),
        cmocka_unit_test(sums_that_change_places),
        cmocka_unit_test(where_a_nan_comes_from),
        cmocka_unit_test(two_mistakes_that_are_one),
        cmocka_unit_test(another_scalar),
        cmocka_unit_test(a_sum_that_is_shrunk),
        cmocka_unit_test(a_row_is_one_piece),
        cmocka_unit_test(cases_together_tell),
        cmocka_unit_test(integers_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
