// SPDX-License-Identifier: MIT
/*
 * reference.c: the operations of a sequence model in double, on the CPU.
 *
 *   train_ops_reference
 *
 * Written from the formulas of ops.h, one loop per index, and for small sizes:
 * it is what gradients and kernels are compared with.
 */
#include "train/ops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "train/reference.h"

static void *take(size_t numbers)
{
    void *array = calloc(numbers ? numbers : 1, sizeof(double));

    if (!array) {
        fprintf(stderr, "train: no memory for %zu numbers\n", numbers);
        exit(1);
    }
    return array;
}

static void put(void *to, const float *from, size_t numbers)
{
    for (size_t i = 0; i < numbers; i++)
        ((double *)to)[i] = from[i];
}

static void fetch(double *to, const void *from, size_t numbers)
{
    for (size_t i = 0; i < numbers; i++)
        to[i] = ((const double *)from)[i];
}

static void nothing(void)
{
}

static void tick(void *clock)
{
    *(double *)clock += 1;
}

static void batch(const void *data, void *to, size_t numbers, int batches,
                  const void *clock)
{
    size_t which = (size_t)*(const double *)clock - 1;
    const double *from = (const double *)data +
                         which % (size_t)batches * numbers;

    fetch(to, from, numbers);
}

static void adam_double(const struct train_adam *a, const void *clock)
{
    double step = *(const double *)clock;
    double of_mean = 1 / (1 - pow(ADAM_BETA1, step));
    double of_square = 1 / (1 - pow(ADAM_BETA2, step));
    const double *g = a->grad;
    double *p = a->value, *m = a->mean, *v = a->square;

    for (size_t i = 0; i < a->n; i++) {
        m[i] = ADAM_BETA1 * m[i] + (1 - ADAM_BETA1) * g[i];
        v[i] = ADAM_BETA2 * v[i] + (1 - ADAM_BETA2) * g[i] * g[i];
        p[i] -= a->rate * m[i] * of_mean /
                (sqrt(v[i] * of_square) + ADAM_EPS);
    }
}

/* Where (b, h, t) stands. */
static size_t at(struct dwconv_shape s, int b, int h, int t)
{
    return ((size_t)b * s.H + h) * s.L + t;
}

#define EACH(i, n) for (int i = 0; i < (n); i++)

static void dwconv_forward_double(const void *x, const void *w, void *y,
                                  struct dwconv_shape s)
{
    EACH(b, s.B) EACH(h, s.H) EACH(t, s.L) {
        double sum = 0;

        for (int k = 0; k < s.K && k <= t; k++)
            sum += ((const double *)w)[h * s.K + k] *
                   ((const double *)x)[at(s, b, h, t - k)];
        ((double *)y)[at(s, b, h, t)] = sum;
    }
}

static void dwconv_input_grad_double(const void *dy, const void *w, void *dx,
                                     struct dwconv_shape s)
{
    EACH(b, s.B) EACH(h, s.H) EACH(t, s.L) {
        double sum = 0;

        for (int k = 0; k < s.K && t + k < s.L; k++)
            sum += ((const double *)w)[h * s.K + k] *
                   ((const double *)dy)[at(s, b, h, t + k)];
        ((double *)dx)[at(s, b, h, t)] = sum;
    }
}

static void dwconv_weight_grad_double(const void *dy, const void *x, void *dw,
                                      struct dwconv_shape s)
{
    EACH(h, s.H) EACH(k, s.K) {
        double sum = 0;

        EACH(b, s.B)
            for (int t = k; t < s.L; t++)
                sum += ((const double *)dy)[at(s, b, h, t)] *
                       ((const double *)x)[at(s, b, h, t - k)];
        ((double *)dw)[h * s.K + k] = sum;
    }
}

static void lift(const void *u, const void *w, const void *bias, void *x,
                 struct dwconv_shape s)
{
    EACH(b, s.B) EACH(h, s.H) EACH(t, s.L)
        ((double *)x)[at(s, b, h, t)] =
            ((const double *)w)[h] * ((const double *)u)[b * s.L + t] +
            ((const double *)bias)[h];
}

static void lift_grad(const void *u, const void *dx, void *dw, void *dbias,
                      struct dwconv_shape s)
{
    EACH(h, s.H) {
        double of_w = 0, of_bias = 0;

        EACH(b, s.B) EACH(t, s.L) {
            double g = ((const double *)dx)[at(s, b, h, t)];

            of_w += g * ((const double *)u)[b * s.L + t];
            of_bias += g;
        }
        ((double *)dw)[h] = of_w;
        ((double *)dbias)[h] = of_bias;
    }
}

/* 1 / sqrt(mean over h of x^2 + eps) at (b, t). */
static double rms_scale(const double *x, struct dwconv_shape s, int b, int t)
{
    double squares = 0;

    EACH(h, s.H)
        squares += x[at(s, b, h, t)] * x[at(s, b, h, t)];
    return 1 / sqrt(squares / s.H + BLOCK_RMS_EPS);
}

static void rms(const void *x, const void *gamma, void *n,
                struct dwconv_shape s)
{
    EACH(b, s.B) EACH(t, s.L) {
        double scale = rms_scale(x, s, b, t);

        EACH(h, s.H)
            ((double *)n)[at(s, b, h, t)] =
                ((const double *)gamma)[h] * scale *
                ((const double *)x)[at(s, b, h, t)];
    }
}

static void rms_grad(const void *x_, const void *gamma, const void *dn_,
                     const void *skip, void *dx, void *dgamma,
                     struct dwconv_shape s)
{
    const double *x = x_, *dn = dn_;

    EACH(h, s.H)
        ((double *)dgamma)[h] = 0;
    EACH(b, s.B) EACH(t, s.L) {
        double scale = rms_scale(x, s, b, t), dot = 0;

        EACH(h, s.H) {
            size_t i = at(s, b, h, t);

            ((double *)dgamma)[h] += dn[i] * x[i] * scale;
            dot += dn[i] * ((const double *)gamma)[h] * x[i];
        }
        EACH(h, s.H) {
            size_t i = at(s, b, h, t);

            ((double *)dx)[i] = ((const double *)skip)[i] +
                scale * (dn[i] * ((const double *)gamma)[h] -
                         x[i] * scale * scale * dot / s.H);
        }
    }
}

static void swish(const void *z, const void *bias, const void *skip, void *y,
                  struct dwconv_shape s)
{
    EACH(b, s.B) EACH(h, s.H) EACH(t, s.L) {
        size_t i = at(s, b, h, t);
        double a = ((const double *)z)[i] + ((const double *)bias)[h];

        ((double *)y)[i] = ((const double *)skip)[i] + a / (1 + exp(-a));
    }
}

static void swish_rms(const void *z, const void *bias, const void *skip,
                      void *y, const void *gamma, void *n,
                      struct dwconv_shape s)
{
    swish(z, bias, skip, y, s);
    rms(y, gamma, n, s);
}

static void swish_grad(const void *z, const void *bias, const void *dy,
                       void *dz, void *dbias, struct dwconv_shape s)
{
    EACH(h, s.H)
        ((double *)dbias)[h] = 0;
    EACH(b, s.B) EACH(h, s.H) EACH(t, s.L) {
        size_t i = at(s, b, h, t);
        double a = ((const double *)z)[i] + ((const double *)bias)[h];
        double sigma = 1 / (1 + exp(-a));
        double g = ((const double *)dy)[i] * sigma * (1 + a * (1 - sigma));

        ((double *)dz)[i] = g;
        ((double *)dbias)[h] += g;
    }
}

static void loss(const void *x, const void *w, const void *bias,
                 const void *target, void *dx, void *dw, void *dbias,
                 void *losses, const void *clock, struct dwconv_shape s)
{
    double mean = 0, n = (double)s.B * s.L;

    *(double *)dbias = 0;
    EACH(h, s.H)
        ((double *)dw)[h] = 0;
    EACH(b, s.B) EACH(t, s.L) {
        double e = *(const double *)bias -
                   ((const double *)target)[b * s.L + t];

        EACH(h, s.H)
            e += ((const double *)w)[h] *
                 ((const double *)x)[at(s, b, h, t)];
        mean += e * e / n;
        *(double *)dbias += 2 * e / n;
        EACH(h, s.H) {
            size_t i = at(s, b, h, t);

            ((double *)dx)[i] = 2 * e / n * ((const double *)w)[h];
            ((double *)dw)[h] += 2 * e / n * ((const double *)x)[i];
        }
    }
    ((double *)losses)[(size_t)*(const double *)clock - 1] = mean;
}

const struct train_ops *train_ops_reference(void)
{
    static const struct train_ops ops = {
        .name = "reference",
        .element = sizeof(double),
        .take = take,
        .give_back = free,
        .put = put,
        .fetch = fetch,
        .wait = nothing,
        .tick = tick,
        .batch = batch,
        .adam = adam_double,
        .dwconv_forward = dwconv_forward_double,
        .dwconv_input_grad = dwconv_input_grad_double,
        .dwconv_weight_grad = dwconv_weight_grad_double,
        .lift = lift,
        .lift_grad = lift_grad,
        .rms = rms,
        .rms_grad = rms_grad,
        .swish = swish,
        .swish_rms = swish_rms,
        .swish_grad = swish_grad,
        .loss = loss,
        .conv2d = reference_conv2d,
        .conv2d_input_grad = reference_conv2d_input_grad,
        .conv2d_weight_grad = reference_conv2d_weight_grad,
        .evonorm = reference_evonorm,
        .evonorm_eval = reference_evonorm_eval,
        .evonorm_grad = reference_evonorm_grad,
        .classify = reference_classify,
        .classify_grad = reference_classify_grad,
    };

    return &ops;
}
