// SPDX-License-Identifier: MIT
/*
 * ops.h: what a training step asks of whoever computes it.
 *
 *   struct train_ops      a table of operations on arrays
 *   train_ops_reference   the same in double on the CPU (reference.c)
 *   train_ops_device      kernels in fp32 on the GPU (device.c)
 *
 * The hard idea: arrays are opaque here. A model (s4.c, cnn.c) is wired once,
 * in terms of this table. In double on the CPU its gradients can be compared
 * with finite differences; on the GPU the very same wiring trains. So a test of
 * the wiring needs no GPU, and a loss that differs is a kernel's fault.
 *
 * Arrays hold numbers of `element` bytes. Those of a sequence model are
 * (B, H, L), those of an image model (B, C, S), the last index contiguous. A
 * failure ends the program with a message: there is nothing to go on with.
 */
#ifndef WB_TRAIN_OPS_H
#define WB_TRAIN_OPS_H

#include <stddef.h>
#include <stdio.h>

#include "op/adam.h"
#include "op/block.h"
#include "op/evonorm.h"

enum { TRAIN_CLASSES = 10 };

/* The clock, the number of the step from 1, is in the memory of whoever
 * computes: a step that is replayed cannot be told it by an argument. */

/* A 3 x 3 convolution, zeros around the image. */
struct train_conv2d {
    int B, in, out; /* images, channels of x and of y */
    int side;       /* height and width of x */
    int stride;     /* 1 or 2; y's side is (side - 1) / stride + 1 */
};

struct train_adam {
    void *value, *mean, *square; /* updated */
    const void *grad;
    size_t n;
    double rate;
};

struct train_ops {
    const char *name;
    size_t element; /* bytes of a number */

    void *(*take)(size_t numbers); /* zeros */
    void (*give_back)(void *array);
    void (*put)(void *to, const float *from, size_t numbers);
    void (*fetch)(double *to, const void *from, size_t numbers);
    void (*wait)(void);

    /* The clock goes on by a step. */
    void (*tick)(void *clock);
    /* to = the step's batch: batch (step - 1) mod batches of data. */
    void (*batch)(const void *data, void *to, size_t numbers, int batches,
                  const void *clock);
    void (*adam)(const struct train_adam *a, const void *clock);

    /* Depthwise convolution: chapters 04 to 09. */
    void (*dwconv_forward)(const void *x, const void *w, void *y,
                           struct dwconv_shape s);
    void (*dwconv_input_grad)(const void *dy, const void *w, void *dx,
                              struct dwconv_shape s);
    void (*dwconv_weight_grad)(const void *dy, const void *x, void *dw,
                               struct dwconv_shape s);

    /* lift: x[b,h,t] = w[h] u[b,t] + bias[h]. */
    void (*lift)(const void *u, const void *w, const void *bias, void *x,
                 struct dwconv_shape s);
    void (*lift_grad)(const void *u, const void *dx, void *dw, void *dbias,
                      struct dwconv_shape s);
    /* rms: n = gamma[h] x / sqrt(mean over h of x^2 + eps), for each (b, t);
     * its gradient is added to skip: dx = skip + gradient. */
    void (*rms)(const void *x, const void *gamma, void *n,
                struct dwconv_shape s);
    void (*rms_grad)(const void *x, const void *gamma, const void *dn,
                     const void *skip, void *dx, void *dgamma,
                     struct dwconv_shape s);
    /* swish: y = skip + swish(z + bias[h]); its gradient is that of z. */
    void (*swish)(const void *z, const void *bias, const void *skip, void *y,
                  struct dwconv_shape s);
    /* swish_rms: y of swish, and n = the norm of y, so that y is not read. */
    void (*swish_rms)(const void *z, const void *bias, const void *skip,
                      void *y, const void *gamma, void *n,
                      struct dwconv_shape s);
    void (*swish_grad)(const void *z, const void *bias, const void *dy,
                       void *dz, void *dbias, struct dwconv_shape s);
    /* loss: e[b,t] = sum over h of w[h] x[b,h,t] + bias - target[b,t];
     * losses[step - 1] = mean of e^2; dx, dw, dbias are its gradients. */
    void (*loss)(const void *x, const void *w, const void *bias,
                 const void *target, void *dx, void *dw, void *dbias,
                 void *losses, const void *clock, struct dwconv_shape s);

    /* w is (out, in, 3, 3). */
    void (*conv2d)(const void *x, const void *w, void *y,
                   struct train_conv2d s);
    void (*conv2d_input_grad)(const void *dy, const void *w, void *dx,
                              struct train_conv2d s);
    void (*conv2d_weight_grad)(const void *dy, const void *x, void *dw,
                               struct train_conv2d s);
    /* EvoNorm-B0: chapter 22; formulas in op/evonorm.h. */
    void (*evonorm)(const void *x, const void *gamma, const void *beta,
                    const void *v, void *moving, void *y,
                    struct evonorm_shape s);
    void (*evonorm_eval)(const void *x, const void *gamma, const void *beta,
                         const void *v, const void *moving, void *y,
                         struct evonorm_shape s);
    void (*evonorm_grad)(const void *x, const void *dy, const void *gamma,
                         const void *v, void *dx, void *dgamma, void *dbeta,
                         void *dv, struct evonorm_shape s);
    /* classify: pool[b,c] = mean over s of x, logit[b,k] = sum over c of
     * pool[b,c] w[c,k] + bias[k]; losses[step - 1] = mean cross-entropy,
     * hits[step - 1] = images whose largest logit is the label's. de[b,k] is
     * the gradient of the logits. */
    void (*classify)(const void *x, const void *w, const void *bias,
                     const void *label, void *pool, void *de, void *losses,
                     void *hits, const void *clock, struct evonorm_shape s);
    void (*classify_grad)(const void *pool, const void *w, const void *de,
                          void *dx, void *dw, void *dbias,
                          struct evonorm_shape s);
};

const struct train_ops *train_ops_reference(void);

/* Where the device's stages are: NN/NAME.so in the first folder that has it. */
enum { TRAIN_FOLDERS = 4 };
struct train_stages {
    const char *folder[TRAIN_FOLDERS]; /* NULL: no more */
    const char *given; /* the library of kernels.h */
    int conv;          /* 4 to 9: whose depthwise convolution */
    int norm_apart;    /* EvoNorm as a kernel per quantity, 22's first step */
};
const struct train_ops *train_ops_device(const struct train_stages *stages);

/* A step as a graph: what is enqueued between begin and end is recorded, not
 * executed; replay enqueues it. A step must have been executed before, so that
 * nothing has to be allocated while recording. */
void train_graph_begin(void);
void train_graph_end(void);
void train_graph_replay(void);
/* Times on the device's clock. start and stop enqueue marks; ms waits. */
void train_time_start(void);
void train_time_stop(void);
double train_time_ms(void);
/* From now on each operation is timed by itself; writes the sums, an operation
 * per line: its name, calls, ms. */
void train_time_each(void);
void train_time_report(FILE *to);
size_t train_device_bytes(void); /* the most that was taken at a time */

#endif
