// SPDX-License-Identifier: MIT
/*
 * map_test.c: the references of ReLU, sigmoid and Swish, of bias, Swish and
 * residual, and of the linear layer, against the same written another way: a
 * sigmoid by tanh, sums from their end, cells by columns. And what their
 * tolerances take: a plain fp32 computation, but not one that is off by ten
 * times as much.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "op/op.h"

enum { MOST = 2048 }; /* cells of an array here */

static const struct op *op;
static struct op_problem problem;
static float array[OP_MAX_BUFFERS][MOST]; /* or as many bf16 */
static struct op_cell got[MOST];

static void make(const char *name, const struct op_shape *shape,
                 enum op_family family, uint64_t seed)
{
    op = op_find(name);
    assert_non_null(op);
    problem = op_draw(op, shape, family, seed);
    for (int b = 0; b < op->n_buffers; b++) {
        assert_true(op_count(op, b, shape) <= MOST);
        op_fill(op, &problem, b, array[b]);
    }
}

/* All cells of the last buffer, asked for in two pieces. */
static size_t refer(void)
{
    const void *arrays[OP_MAX_BUFFERS];
    int out = op->n_buffers - 1;
    size_t n = op_count(op, out, &problem.shape), some = n / 3;

    for (int b = 0; b < op->n_buffers; b++)
        arrays[b] = array[b];
    op->reference(op, &problem, out, arrays, some, n - some, got + some);
    op->reference(op, &problem, out, arrays, 0, some, got);
    return n;
}

static double sigmoid(double x)
{
    return x < -1 ? exp(x) / (1 + exp(x)) : 0.5 * (1 + tanh(x / 2));
}

static double relu(double x)
{
    return isnan(x) ? x : isinf(x) ? fmax(x, 0) : (x + fabs(x)) / 2;
}

static double swish(double x)
{
    return x == -INFINITY ? NAN : x * sigmoid(x);
}

/* Beside rounding in double; size: of what was added up. */
static bool same(double a, double b, double size)
{
    if (isnan(b) || isinf(b))
        return isnan(b) ? isnan(a) : a == b;
    return fabs(a - b) <= 1e-13 * (fabs(b) + size) + 1e-300;
}

static const struct map {
    const char *name;
    double (*of)(double x);
} maps[] = {
    {"elementwise_relu_f32", relu},       {"elementwise_relu_bf16", relu},
    {"elementwise_sigmoid_f32", sigmoid}, {"elementwise_sigmoid_bf16", sigmoid},
    {"elementwise_swish_f32", swish},     {"elementwise_swish_bf16", swish},
};

static void maps_are_their_formulas(void **state)
{
    static const struct op_shape shape = {.dim = {1009}};

    (void)state;
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++)
        for (int family = 0; family < op_find(maps[m].name)->n_families;
             family++) {
            make(maps[m].name, &shape, op_find(maps[m].name)->families[family],
                 7);
            for (size_t i = 0, n = refer(); i < n; i++) {
                double x = type_get(op->buffers[0].type, array[0], i);

                assert_true(same(got[i].value, maps[m].of(x), 0));
            }
        }
}

/* What no drawn number is sure to be. */
static void maps_at_their_ends(void **state)
{
    static const struct op_shape shape = {.dim = {8}};
    static const float x[8] = {INFINITY, -INFINITY, NAN,       0.0f,
                               -0.0f,    1e-40f,    -1000.0f, 3e38f};

    (void)state;
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        make(maps[m].name, &shape, OP_SPECIAL, 1);
        for (size_t i = 0; i < 8; i++)
            type_set(op->buffers[0].type, array[0], i, x[i]);
        refer();
        assert_true(isnan(got[2].value));
        assert_true(got[0].value == (maps[m].of == sigmoid ? 1 : INFINITY));
        if (maps[m].of == swish)
            assert_true(isnan(got[1].value));
        else
            assert_true(got[1].value == 0);
        assert_true(got[3].value == (maps[m].of == sigmoid ? 0.5 : 0));
        for (size_t i = 0; i < 8; i++)
            assert_null(op_cell_defect(&problem, &got[i]));
    }
}

static void bias_swish_residual_by_columns(void **state)
{
    static const struct op_shape shape = {.dim = {17, 29}};

    (void)state;
    for (int family = 0; family < op_find("bias_swish_residual")->n_families;
         family++) {
        make("bias_swish_residual", &shape,
             op_find("bias_swish_residual")->families[family], 3);
        assert_int_equal(refer(), 17 * 29);
        for (int col = 0; col < 29; col++)
            for (int row = 0; row < 17; row++) {
                int at = row * 29 + col;
                double z = (double)array[1][col] + array[0][at];
                double r = array[2][at];

                assert_true(same(got[at].value, r + swish(z), fabs(r)));
            }
    }
}

static void linear_from_its_end(void **state)
{
    static const struct op_shape shape = {.dim = {5, 13, 37}};

    (void)state;
    make("linear_swish", &shape, OP_SIGNED, 5);
    assert_int_equal(refer(), 5 * 13);
    for (int row = 0; row < 5; row++)
        for (int col = 0; col < 13; col++) {
            double z = array[2][col];

            for (int k = 36; k >= 0; k--)
                z += (double)array[0][row * 37 + k] * array[1][k * 13 + col];
            assert_true(same(got[row * 13 + col].value, swish(z), 40));
        }
}

/* The tolerance of Swish: a computation in fp32 is right, for magnitudes over
 * decades too; where exp does not matter, one that is off by 1e-5 is not. */
static void tolerance_takes_fp32_alone(void **state)
{
    static const struct op_shape shape = {.dim = {1009}};
    enum op_family families[] = {OP_SIGNED, OP_WIDE};

    (void)state;
    for (int f = 0; f < 2; f++) {
        make("elementwise_swish_f32", &shape, families[f], 11);
        for (size_t i = 0, n = refer(); i < n; i++) {
            float x = array[0][i], y = x / (1.0f + expf(-x));

            assert_true(op_accepts(op, &problem, 1, &got[i],
                                   type_encode(TYPE_FP32, y)));
            if (fabsf(x) > 0.1f && fabsf(x) < 4)
                assert_false(op_accepts(op, &problem, 1, &got[i],
                                        type_encode(TYPE_FP32, y * 1.00001)));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_are_their_formulas),
        cmocka_unit_test(maps_at_their_ends),
        cmocka_unit_test(bias_swish_residual_by_columns),
        cmocka_unit_test(linear_from_its_end),
        cmocka_unit_test(tolerance_takes_fp32_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
