// SPDX-License-Identifier: MIT
/*
 * norm_test.c: the references of softmax, layer norm and EvoNorm-B0. Results
 * against formulas written another way; gradients against differences of these
 * formulas, all in double.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <math.h>

#include "op/evonorm.h"
#include "op/op.h"

enum { MOST = 512 }; /* cells of an array here */

static const struct op *op;
static struct op_problem problem;
static float array[OP_MAX_BUFFERS][MOST];
static struct op_cell got[MOST];

static size_t count(int buffer)
{
    return op_count(op, buffer, &problem.shape);
}

static void make(const char *name, const struct op_shape *shape,
                 enum op_family family, uint64_t seed)
{
    op = op_find(name);
    assert_non_null(op);
    problem = op_draw(op, shape, family, seed);
    for (int b = 0; b < op->n_buffers; b++) {
        assert_true(count(b) <= MOST);
        op_fill(op, &problem, b, array[b]);
    }
}

/* All cells of an output, asked for in two pieces. */
static void refer(int buffer)
{
    const void *arrays[OP_MAX_BUFFERS];
    size_t n = count(buffer), half = n / 2;

    for (int b = 0; b < op->n_buffers; b++)
        arrays[b] = array[b];
    op->reference(op, &problem, buffer, arrays, half, n - half, got + half);
    op->reference(op, &problem, buffer, arrays, 0, half, got);
}

static bool near(double a, double b, double size)
{
    return fabs(a - b) <= 1e-6 * (fabs(b) + size);
}

/* Formulas in double; x[] is a parameter so that it can be moved a little. */
static void softmax_row(const double *x, int n, double *y)
{
    double sum = 0;

    for (int i = n - 1; i >= 0; i--)
        sum += exp(x[i]);
    for (int i = 0; i < n; i++)
        y[i] = exp(x[i]) / sum;
}

static void layer_norm_row(const double *x, const double *gamma,
                           const double *beta, int n, double eps, double *y)
{
    double mean = 0, squares = 0;

    for (int i = n - 1; i >= 0; i--) {
        mean += x[i] / n;
        squares += x[i] * x[i] / n;
    }
    for (int i = 0; i < n; i++)
        y[i] = gamma[i] * (x[i] - mean) / sqrt(squares - mean * mean + eps) +
               beta[i];
}

struct evonorm_in {
    double x[MOST], gamma[MOST], beta[MOST], v[MOST];
};

static double variance_of(const struct evonorm_in *in, const int *d, int b,
                          int images, int c)
{
    double n = (double)images * d[2], mean = 0, squares = 0;

    for (int i = b; i < b + images; i++)
        for (int s = 0; s < d[2]; s++) {
            double x = in->x[(i * d[1] + c) * d[2] + s];
            mean += x / n;
            squares += x * x / n;
        }
    return squares - mean * mean;
}

static void evonorm_all(const struct evonorm_in *in, const int *d,
                        const float *moving, double *y)
{
    const double eps = (double)EVONORM_EPS;

    for (int b = 0; b < d[0]; b++)
        for (int c = 0; c < d[1]; c++) {
            double p = moving ? moving[c] : variance_of(in, d, 0, d[0], c);
            double q = variance_of(in, d, b, 1, c);

            for (int s = 0; s < d[2]; s++) {
                int at = (b * d[1] + c) * d[2] + s;
                double den = fmax(sqrt(p + eps),
                                  in->v[c] * in->x[at] + sqrt(q + eps));
                y[at] = in->gamma[c] * in->x[at] / den + in->beta[c];
            }
        }
}

static void widen(double *to, const float *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
}

static void softmax_is_its_formula(void **state)
{
    static const struct op_shape shape = {.dim = {5, 37}};
    double x[37], y[37];

    (void)state;
    make("softmax_f32", &shape, OP_SIGNED, 1);
    refer(1);
    for (int r = 0; r < 5; r++) {
        widen(x, array[0] + r * 37, 37);
        softmax_row(x, 37, y);
        for (int c = 0; c < 37; c++)
            assert_true(near(got[r * 37 + c].value, y[c], 0));
    }
}

/* dL/dx of L = sum dy y, by moving each x. */
static void softmax_gradient_is_a_difference(void **state)
{
    static const struct op_shape shape = {.dim = {3, 11}};
    const double step = 1e-4;

    (void)state;
    make("softmax_backward_f32", &shape, OP_SIGNED, 2);
    for (int r = 0; r < 3; r++) {
        double x[11], y[11];

        for (int c = 0; c < 11; c++)
            x[c] = sin(r + 3.0 * c);
        softmax_row(x, 11, y);
        for (int c = 0; c < 11; c++)
            array[0][r * 11 + c] = (float)y[c];
    }
    refer(2);
    for (int i = 0; i < 33; i++) {
        double loss[2], x[11], y[11];
        int r = i / 11, c = i % 11;

        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < 11; k++)
                x[k] = sin(r + 3.0 * k);
            x[c] += side ? step : -step;
            softmax_row(x, 11, y);
            loss[side] = 0;
            for (int k = 0; k < 11; k++)
                loss[side] += array[1][r * 11 + k] * y[k];
        }
        assert_true(near(got[i].value, (loss[1] - loss[0]) / (2 * step), 1));
    }
}

static double layer_norm_loss(const double *x, const double *gamma,
                              const double *beta, int rows, int n)
{
    double y[MOST], loss = 0;

    for (int r = 0; r < rows; r++) {
        layer_norm_row(x + r * n, gamma, beta, n, problem.scalar[0], y);
        for (int c = 0; c < n; c++)
            loss += array[1][r * n + c] * y[c];
    }
    return loss;
}

static void layer_norm_is_its_formula(void **state)
{
    static const struct op_shape shape = {.dim = {5, 37}};
    double x[37], gamma[37], beta[37], y[37];

    (void)state;
    make("layer_norm_f32", &shape, OP_SIGNED, 3);
    widen(gamma, array[1], 37);
    widen(beta, array[2], 37);
    refer(3);
    for (int r = 0; r < 5; r++) {
        widen(x, array[0] + r * 37, 37);
        layer_norm_row(x, gamma, beta, 37, problem.scalar[0], y);
        for (int c = 0; c < 37; c++)
            assert_true(near(got[r * 37 + c].value, y[c], 1e-3));
    }
}

static void layer_norm_gradient_is_a_difference(void **state)
{
    enum { ROWS = 4, N = 9, DX = 3, DGAMMA, DBETA };
    static const struct op_shape shape = {.dim = {ROWS, N}};
    const double step = 1e-5;
    double at[3][ROWS * N] = {{0}};

    (void)state;
    make("layer_norm_backward_f32", &shape, OP_SIGNED, 4);
    widen(at[0], array[0], ROWS * N);
    widen(at[1], array[2], N);
    for (int which = 0; which < 3; which++) {
        refer(DX + which);
        for (size_t i = 0; i < count(DX + which); i++) {
            double kept = at[which][i], high, low;

            at[which][i] = kept + step;
            high = layer_norm_loss(at[0], at[1], at[2], ROWS, N);
            at[which][i] = kept - step;
            low = layer_norm_loss(at[0], at[1], at[2], ROWS, N);
            at[which][i] = kept;
            assert_true(near(got[i].value, (high - low) / (2 * step), 10));
        }
    }
}

static void evonorm_in_of(struct evonorm_in *in, const int *d, int gamma,
                          int beta, int v)
{
    widen(in->x, array[0], (size_t)(d[0] * d[1] * d[2]));
    widen(in->gamma, array[gamma], (size_t)d[1]);
    if (beta)
        widen(in->beta, array[beta], (size_t)d[1]);
    widen(in->v, array[v], (size_t)d[1]);
}

static void evonorm_is_its_formula(void **state)
{
    static const struct op_shape shape = {.dim = {3, 4, 13}};
    static struct evonorm_in in;
    double y[MOST];

    (void)state;
    for (int eval = 0; eval < 2; eval++) {
        make(eval ? "evonorm_b0_eval" : "evonorm_b0", &shape, OP_SIGNED, 5);
        evonorm_in_of(&in, shape.dim, 1, 2, 3);
        evonorm_all(&in, shape.dim, eval ? array[4] : NULL, y);
        refer(5);
        for (size_t i = 0; i < count(5); i++)
            assert_true(near(got[i].value, y[i], 1e-3));
    }
    make("evonorm_b0", &shape, OP_SIGNED, 5);
    refer(4);
    for (int c = 0; c < 4; c++)
        assert_true(near(got[c].value,
                         0.9 * array[4][c] +
                             0.1 * variance_of(&in, shape.dim, 0, 3, c),
                         1e-3));
}

static double evonorm_loss(const struct evonorm_in *in, const int *d)
{
    double y[MOST], loss = 0;

    evonorm_all(in, d, NULL, y);
    for (int i = 0; i < d[0] * d[1] * d[2]; i++)
        loss += array[1][i] * y[i];
    return loss;
}

static void evonorm_gradient_is_a_difference(void **state)
{
    enum { DX = 4, DGAMMA, DBETA, DV };
    static const struct op_shape shape = {.dim = {3, 2, 7}};
    static struct evonorm_in in;
    double *const moved[] = {in.x, in.gamma, in.beta, in.v};
    const double step = 1e-6;

    (void)state;
    for (uint64_t seed = 1; seed < 6; seed++) {
        make("evonorm_b0_backward", &shape, OP_SIGNED, seed);
        evonorm_in_of(&in, shape.dim, 2, 0, 3);
        memset(in.beta, 0, sizeof in.beta);
        for (int which = 0; which < 4; which++) {
            refer(DX + which);
            for (size_t i = 0; i < count(DX + which); i++) {
                double kept = moved[which][i], high, low;

                moved[which][i] = kept + step;
                high = evonorm_loss(&in, shape.dim);
                moved[which][i] = kept - step;
                low = evonorm_loss(&in, shape.dim);
                moved[which][i] = kept;
                assert_true(near(got[i].value, (high - low) / (2 * step),
                                 10));
            }
        }
    }
}

/* The convolution by what each value of x hands on, the variance from the mean
 * of squares. */
static void convolution_and_norm_are_their_formula(void **state)
{
    enum { C = 3, S = 17, K = 5 };
    static const struct op_shape shape = {.dim = {2, C, S, K}};
    const double eps = (double)EVONORM_EPS;

    (void)state;
    make("conv_evonorm_b0", &shape, OP_SIGNED, 4);
    refer(6);
    for (int plane = 0; plane < 2 * C; plane++) {
        double z[S] = {0}, mean = 0, squares = 0;
        int c = plane % C;

        for (int at = 0; at < S * K; at++)
            if (at / K + at % K < S)
                z[at / K + at % K] += (double)array[0][plane * S + at / K] *
                                      array[1][c * K + at % K];
        for (int s = 0; s < S; s++) {
            mean += z[s] / S;
            squares += z[s] * z[s] / S;
        }
        for (int s = 0; s < S; s++) {
            double d = fmax(sqrt(array[5][c] + eps),
                            array[4][c] * z[s] +
                                sqrt(squares - mean * mean + eps));

            assert_true(near(got[plane * S + s].value,
                             array[2][c] * z[s] / d + array[3][c], 1));
        }
    }
}

/* The rounded reference is right, whatever the family and the shape. */
static void references_accept_themselves(void **state)
{
    static const char *const names[] = {
        "softmax_f32",     "softmax_backward_f32",    "layer_norm_f32",
        "evonorm_b0_eval", "layer_norm_backward_f32", "evonorm_b0",
        "evonorm_b0_backward", "conv_evonorm_b0"};

    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const struct op *of = op_find(names[n]);

        for (int i = 0; i < of->n_awkward * of->n_families; i++) {
            const struct op_shape *shape = &of->awkward[i / of->n_families];
            bool fits = true;

            for (int b = 0; b < of->n_buffers; b++)
                fits = fits && op_count(of, b, shape) <= MOST;
            if (!fits)
                continue;
            make(names[n], shape, of->families[i % of->n_families],
                 (uint64_t)i);
            for (int b = 0; b < op->n_buffers; b++) {
                if (!op_is_written(op, b))
                    continue;
                refer(b);
                for (size_t c = 0; c < count(b); c++)
                    assert_true(op_accepts(
                        op, &problem, b, &got[c],
                        type_encode(TYPE_FP32, got[c].value)));
            }
        }
    }
}

/* Of each row, made once, the sums over rows come out the same; and they are
 * made from it. */
static void sums_share_their_rows(void **state)
{
    enum { DGAMMA = 4 };
    static const struct op_shape shape = {.dim = {7, 33}};
    static double rows[MOST][16];
    const void *arrays[OP_MAX_BUFFERS];
    struct op_cell alone[MOST];

    (void)state;
    make("layer_norm_backward_f32", &shape, OP_POSITIVE, 5);
    assert_non_null(op->share);
    assert_in_range(op->shared_bytes, 1, sizeof rows / MOST);
    for (int b = 0; b < op->n_buffers; b++)
        arrays[b] = array[b];
    for (size_t r = 0; r < 7; r++)
        op->share(op, &problem, arrays, r,
                  (char *)rows + r * op->shared_bytes);
    refer(DGAMMA);
    memcpy(alone, got, sizeof alone);
    problem.shared = rows;
    refer(DGAMMA);
    for (size_t i = 0; i < count(DGAMMA); i++) {
        assert_true(got[i].value == alone[i].value);
        assert_true(got[i].magnitude == alone[i].magnitude);
        assert_true(got[i].terms == alone[i].terms);
    }
    memset(rows, 0, sizeof rows);
    refer(DGAMMA);
    assert_true(got[0].value != alone[0].value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(softmax_is_its_formula),
        cmocka_unit_test(softmax_gradient_is_a_difference),
        cmocka_unit_test(layer_norm_is_its_formula),
        cmocka_unit_test(layer_norm_gradient_is_a_difference),
        cmocka_unit_test(evonorm_is_its_formula),
        cmocka_unit_test(evonorm_gradient_is_a_difference),
        cmocka_unit_test(convolution_and_norm_are_their_formula),
        cmocka_unit_test(references_accept_themselves),
        cmocka_unit_test(sums_share_their_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
