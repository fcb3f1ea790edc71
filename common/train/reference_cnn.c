// SPDX-License-Identifier: MIT
/*
 * reference_cnn.c: the operations of an image model in double, on the CPU.
 *
 *   reference_conv2d, _input_grad, _weight_grad
 *   reference_evonorm, _eval, _grad    EvoNorm-B0; formulas in op/evonorm.h
 *   reference_classify, _grad          pooling, dense layer, cross-entropy
 */
#include "train/reference.h"

#include <math.h>

#define EACH(i, n) for (int i = 0; i < (n); i++)

enum { TAPS = 3 }; /* per side of a filter */

/* Calls body for each product of the convolution: y[cell] += w[tap] x[from]. */
#define EACH_PRODUCT(s, body)                                                 \
    do {                                                                      \
        int out_side = ((s).side - 1) / (s).stride + 1;                       \
        EACH(b, (s).B) EACH(o, (s).out) EACH(row, out_side)                   \
            EACH(col, out_side) EACH(i, (s).in) EACH(p, TAPS) EACH(q, TAPS) { \
                int r = row * (s).stride + p - 1;                             \
                int c = col * (s).stride + q - 1;                             \
                size_t cell = (((size_t)b * (s).out + o) * out_side + row) *  \
                                  out_side + col;                             \
                size_t tap = (((size_t)o * (s).in + i) * TAPS + p) * TAPS + q;\
                size_t from = (((size_t)b * (s).in + i) * (s).side + r) *     \
                                  (s).side + c;                               \
                if (r >= 0 && r < (s).side && c >= 0 && c < (s).side)         \
                    body;                                                     \
            }                                                                 \
    } while (0)

static void clear(double *array, size_t n)
{
    for (size_t i = 0; i < n; i++)
        array[i] = 0;
}

void reference_conv2d(const void *x, const void *w, void *y,
                      struct train_conv2d s)
{
    size_t side = (size_t)(s.side - 1) / s.stride + 1;

    clear(y, (size_t)s.B * s.out * side * side);
    EACH_PRODUCT(s, ((double *)y)[cell] += ((const double *)w)[tap] *
                                           ((const double *)x)[from]);
}

void reference_conv2d_input_grad(const void *dy, const void *w, void *dx,
                                 struct train_conv2d s)
{
    clear(dx, (size_t)s.B * s.in * s.side * s.side);
    EACH_PRODUCT(s, ((double *)dx)[from] += ((const double *)w)[tap] *
                                            ((const double *)dy)[cell]);
}

void reference_conv2d_weight_grad(const void *dy, const void *x, void *dw,
                                  struct train_conv2d s)
{
    clear(dw, (size_t)s.out * s.in * TAPS * TAPS);
    EACH_PRODUCT(s, ((double *)dw)[tap] += ((const double *)dy)[cell] *
                                           ((const double *)x)[from]);
}

/* The mean and variance of channel c over images [first, first + images). */
struct spread {
    double mean, variance;
};

static const double *plane(const double *x, struct evonorm_shape s, int b,
                           int c)
{
    return x + ((size_t)b * s.C + c) * s.S;
}

static struct spread spread_of(const double *x, struct evonorm_shape s,
                               int first, int images, int c)
{
    double n = (double)images * s.S;
    struct spread r = {0, 0};

    for (int b = first; b < first + images; b++)
        EACH(i, s.S)
            r.mean += plane(x, s, b, c)[i] / n;
    for (int b = first; b < first + images; b++)
        EACH(i, s.S)
            r.variance += pow(plane(x, s, b, c)[i] - r.mean, 2) / n;
    return r;
}

/* A channel, its root over the batch given. */
static void normalise(const double *x, double gamma, double beta, double v,
                      double batch, double *y, struct evonorm_shape s, int c)
{
    EACH(b, s.B) {
        double image = sqrt(spread_of(x, s, b, 1, c).variance + EVONORM_EPS);

        EACH(i, s.S) {
            double value = plane(x, s, b, c)[i];

            y[plane(x, s, b, c) - x + i] =
                gamma * value / fmax(batch, v * value + image) + beta;
        }
    }
}

void reference_evonorm(const void *x, const void *gamma, const void *beta,
                       const void *v, void *moving, void *y,
                       struct evonorm_shape s)
{
    EACH(c, s.C) {
        double variance = spread_of(x, s, 0, s.B, c).variance;
        double *average = (double *)moving + c;

        normalise(x, ((const double *)gamma)[c], ((const double *)beta)[c],
                  ((const double *)v)[c], sqrt(variance + EVONORM_EPS), y, s,
                  c);
        *average = EVONORM_DECAY * *average + (1 - EVONORM_DECAY) * variance;
    }
}

void reference_evonorm_eval(const void *x, const void *gamma, const void *beta,
                            const void *v, const void *moving, void *y,
                            struct evonorm_shape s)
{
    EACH(c, s.C)
        normalise(x, ((const double *)gamma)[c], ((const double *)beta)[c],
                  ((const double *)v)[c],
                  sqrt(((const double *)moving)[c] + EVONORM_EPS), y, s, c);
}

/* What channel c of image b, or of the batch, hands on through its root. */
static void through_root(const double *x, double gradient, struct spread r,
                         double *dx, struct evonorm_shape s, int b, int c,
                         double n)
{
    EACH(i, s.S)
        dx[plane(x, s, b, c) - x + i] +=
            gradient * (plane(x, s, b, c)[i] - r.mean) /
            (n * sqrt(r.variance + EVONORM_EPS));
}

void reference_evonorm_grad(const void *x_, const void *dy, const void *gamma,
                            const void *v_, void *dx_, void *dgamma,
                            void *dbeta, void *dv, struct evonorm_shape s)
{
    const double *x = x_;
    double *dx = dx_;

    EACH(c, s.C) {
        struct spread batch = spread_of(x, s, 0, s.B, c);
        double root = sqrt(batch.variance + EVONORM_EPS), of_batch = 0;
        double v = ((const double *)v_)[c], sums[3] = {0, 0, 0};

        EACH(b, s.B) {
            struct spread image = spread_of(x, s, b, 1, c);
            double other = sqrt(image.variance + EVONORM_EPS), of_image = 0;

            EACH(i, s.S) {
                double value = plane(x, s, b, c)[i];
                double d = fmax(root, v * value + other);
                double g = plane(dy, s, b, c)[i];
                double scaled = g * ((const double *)gamma)[c];
                double h = -scaled * value / (d * d);
                int by_image = v * value + other > root;

                dx[plane(x, s, b, c) - x + i] =
                    scaled / d + (by_image ? h * v : 0);
                *(by_image ? &of_image : &of_batch) += h;
                sums[0] += g * value / d;
                sums[1] += g;
                sums[2] += by_image ? h * value : 0;
            }
            through_root(x, of_image, image, dx, s, b, c, s.S);
        }
        EACH(b, s.B)
            through_root(x, of_batch, batch, dx, s, b, c, (double)s.B * s.S);
        ((double *)dgamma)[c] = sums[0];
        ((double *)dbeta)[c] = sums[1];
        ((double *)dv)[c] = sums[2];
    }
}

/* An image's logits become the gradient of its loss, which is returned. */
static double cross_entropy(double *logits, int label, int images, int *hit)
{
    double most = logits[0], sum = 0, loss;
    int first = 0;

    EACH(k, TRAIN_CLASSES)
        if (logits[k] > most) {
            most = logits[k];
            first = k;
        }
    EACH(k, TRAIN_CLASSES)
        sum += exp(logits[k] - most);
    loss = log(sum) + most - logits[label];
    EACH(k, TRAIN_CLASSES)
        logits[k] = (exp(logits[k] - most) / sum - (k == label)) / images;
    *hit = first == label;
    return loss / images;
}

void reference_classify(const void *x, const void *w, const void *bias,
                        const void *label, void *pool, void *de, void *losses,
                        void *hits, const void *clock, struct evonorm_shape s)
{
    size_t step = (size_t)*(const double *)clock - 1;
    double loss = 0;
    int right = 0, hit;

    EACH(b, s.B) {
        double *logits = (double *)de + b * TRAIN_CLASSES;
        double *mean = (double *)pool + (size_t)b * s.C;

        EACH(c, s.C) {
            mean[c] = 0;
            EACH(i, s.S)
                mean[c] += plane(x, s, b, c)[i] / s.S;
        }
        EACH(k, TRAIN_CLASSES) {
            logits[k] = ((const double *)bias)[k];
            EACH(c, s.C)
                logits[k] += mean[c] *
                             ((const double *)w)[c * TRAIN_CLASSES + k];
        }
        loss += cross_entropy(logits, (int)((const double *)label)[b], s.B,
                              &hit);
        right += hit;
    }
    ((double *)losses)[step] = loss;
    ((double *)hits)[step] = right;
}

void reference_classify_grad(const void *pool, const void *w, const void *de_,
                             void *dx, void *dw, void *dbias,
                             struct evonorm_shape s)
{
    const double *de = de_;

    clear(dw, (size_t)s.C * TRAIN_CLASSES);
    clear(dbias, TRAIN_CLASSES);
    EACH(b, s.B) EACH(k, TRAIN_CLASSES)
        ((double *)dbias)[k] += de[b * TRAIN_CLASSES + k];
    EACH(b, s.B) EACH(c, s.C) {
        double g = 0;

        EACH(k, TRAIN_CLASSES) {
            double e = de[b * TRAIN_CLASSES + k];

            ((double *)dw)[c * TRAIN_CLASSES + k] +=
                e * ((const double *)pool)[(size_t)b * s.C + c];
            g += e * ((const double *)w)[c * TRAIN_CLASSES + k];
        }
        EACH(i, s.S)
            ((double *)dx)[((size_t)b * s.C + c) * s.S + i] = g / s.S;
    }
}
