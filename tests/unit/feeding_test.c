// SPDX-License-Identifier: MIT
/*
 * feeding_test.c: what lanes hand to tensor cores from wrong places, and the
 * wrong numbers by which judge/misplaced.c names it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/judge/data.h"
#include "op/op.h"

enum { M = 37, N = 21, K = 61 };

static struct test_case c;
static struct data d;
static struct comparison cmp;

static void product(const struct op *of, float *to)
{
    size_t n = op_count(of, 2, &c.problem.shape);
    struct op_cell *made = calloc(n, sizeof *made);

    of->reference(of, &c.problem, 2, (const void *const *)d.given, 0, n, made);
    for (size_t i = 0; i < n; i++)
        to[i] = (float)made[i].value;
    free(made);
}

/* Where the value is read that belongs to row r and column k. */
struct place {
    int r, k;
};

static struct place lanes_in_pairs(int r, int k)
{
    int lane = k / 4 % 2 * 16 + r % 16;

    return (struct place){r / 16 * 16 + lane / 2,
                          k / 8 * 8 + lane % 2 * 4 + k % 4};
}

/* Lane / 8 % 2 in the place of lane / 16. */
static struct place half_by_row(int r, int k)
{
    return (struct place){r, k / 8 * 8 + r / 8 % 2 * 4 + k % 4};
}

static struct place turned(int r, int k)
{
    return (struct place){r / 8 * 8 + k % 8, k / 8 * 8 + r % 8};
}

static struct place swizzled_by_4(int r, int k)
{
    return (struct place){r, ((k / 4) ^ (r & 4)) * 4 + k % 4};
}

/* Piece j was put at (j + r) % 8, and is looked for at j ^ r % 8. */
static struct place swizzled_by_sum(int r, int k)
{
    int piece = ((k / 4 % 8 ^ r % 8) - r % 8 + 8) % 8;

    return (struct place){r, k / 32 * 32 + piece * 4 + k % 4};
}

/* Rows 2 i and 2 i + 1 of 16 were loaded for i and i + 8: as if C's were stored
 * there. */
static struct place neighbours(int r, int k)
{
    return (struct place){r / 16 * 16 + r % 8 * 2 + r / 8 % 2, k};
}

static const struct {
    struct place (*of)(int r, int k);
    struct slip slip;
} all[] = {
    {lanes_in_pairs, {SLIP_ADDRESSES, 0, 0, 4, 0, 0}},
    {half_by_row, {SLIP_MATRICES, 0, 0 | 3 << 2 | 0 << 4 | 3 << 6, 4, 0, 0}},
    {turned, {SLIP_TURNED, 0, 0, 8, 0, 0}},
    {swizzled_by_4, {SLIP_SWIZZLE, 0, SWIZZLED_BY_4, 8, 0, 0}},
    {swizzled_by_sum, {SLIP_SWIZZLE, 0, SWIZZLED_TURNS, 8, 0, 0}},
    {neighbours, {SLIP_APART, -1, 0, 8, 16, 0}},
};

static bool is_named(const struct slip *slip)
{
    data_compare(&d, NULL, &cmp);
    return cmp.kind == CELL_MISPLACED && cmp.slip.kind == slip->kind &&
           cmp.slip.input == slip->input && cmp.slip.a == slip->a &&
           cmp.slip.b == slip->b;
}

static void of_an_input(void **state)
{
    const struct op *of = op_find("gemm_tf32");
    static float mine[M * K];

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        float *A;

        c.problem = op_draw(of, &(struct op_shape){.dim = {M, N, K}},
                            OP_POSITIVE, 7);
        data_make(&d, of, &c);
        A = d.given[0];
        memcpy(mine, A, sizeof mine);
        for (int r = 0; r < M; r++)
            for (int k = 0; k < K; k++) {
                struct place at = all[i].of(r, k);

                A[r * K + k] = at.r < M && at.k < K ? mine[at.r * K + at.k]
                                                    : 0.0f;
            }
        product(of, d.got[2]);
        memcpy(A, mine, sizeof mine);
        if (!is_named(&all[i].slip))
            fail_msg("%d: %s, slip %d of %d, %d %d", (int)i,
                     kind_names[cmp.kind], (int)cmp.slip.kind, cmp.slip.input,
                     cmp.slip.a, cmp.slip.b);
        data_free(&d);
    }
}

/* The second and the third of a lane's four sums. */
static void of_the_output(void **state)
{
    static const struct slip two = {SLIP_TURNED, -1, 0, 2, 0, 0};
    const struct op *of = op_find("gemm_tf32");
    float *C;

    (void)state;
    c.problem = op_draw(of, &(struct op_shape){.dim = {M, N, K}}, OP_POSITIVE,
                        7);
    data_make(&d, of, &c);
    C = d.got[2];
    product(of, C);
    for (int r = 0; r + 1 < M; r += 2)
        for (int col = 0; col + 1 < N; col += 2) {
            float was = C[r * N + col + 1];

            C[r * N + col + 1] = C[(r + 1) * N + col];
            C[(r + 1) * N + col] = was;
        }
    assert_true(is_named(&two));
    data_free(&d);
}

/* Both inputs by one function that is wrong. */
static void of_all_inputs(void **state)
{
    static const struct slip slip = {SLIP_SWIZZLE, -1, SWIZZLED_NOT, 8, 0, 0};
    const int widths[] = {K, N}, rows[] = {M, K};
    const struct op *of = op_find("gemm_tf32");
    static float mine[2][M * K];

    (void)state;
    c.problem = op_draw(of, &(struct op_shape){.dim = {M, N, K}}, OP_POSITIVE,
                        7);
    data_make(&d, of, &c);
    for (int b = 0; b < 2; b++) {
        float *X = d.given[b];
        size_t bytes = (size_t)widths[b] * rows[b] * sizeof *X;

        memcpy(mine[b], X, bytes);
        for (int r = 0; r < rows[b]; r++)
            for (int k = 0; k < widths[b]; k++) {
                int from = k ^ r % 8 * 4;

                X[r * widths[b] + k] =
                    from < widths[b] ? mine[b][r * widths[b] + from] : 0.0f;
            }
    }
    product(of, d.got[2]);
    for (int b = 0; b < 2; b++)
        memcpy(d.given[b], mine[b],
               (size_t)widths[b] * rows[b] * sizeof *mine[b]);
    assert_true(is_named(&slip));
    data_free(&d);
}

/* j * 16 was left without its factor where B's columns are read. */
static void of_a_thread_s_columns(void **state)
{
    static const struct slip slip = {SLIP_FACTOR, -1, 1, 16, 128, 0};
    const struct op *of = op_find("gemm_f32");
    static float mine[K * 2 * N];
    float *B;

    (void)state;
    c.problem = op_draw(of, &(struct op_shape){.dim = {M / 2, 2 * N, K}},
                        OP_POSITIVE, 7);
    data_make(&d, of, &c);
    B = d.given[1];
    memcpy(mine, B, sizeof mine);
    for (int k = 0; k < K; k++)
        for (int col = 0; col < 2 * N; col++)
            B[k * 2 * N + col] = mine[k * 2 * N + col % 16 + col / 16];
    product(of, d.got[2]);
    memcpy(B, mine, sizeof mine);
    assert_true(is_named(&slip));
    data_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_an_input),
        cmocka_unit_test(of_the_output),
        cmocka_unit_test(of_all_inputs),
        cmocka_unit_test(of_a_thread_s_columns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
