// SPDX-License-Identifier: MIT
/*
 * train_test.c: the gradients of both models, wired as they are trained,
 * against finite differences of their losses, in double; and that a wrong
 * wiring or a missing term is seen. Then that a few steps learn something.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "train/data.h"
#include "train/net.h"

enum { STEPS = 512, SIDE = 6, IMAGES = 3 };

static struct train_ops ops;
static struct net net;

static void use_data(const float *inputs, const float *targets)
{
    net.data.inputs = ops.take(net.data.input_numbers);
    net.data.targets = ops.take(net.data.target_numbers);
    ops.put(net.data.inputs, inputs, net.data.input_numbers);
    ops.put(net.data.targets, targets, net.data.target_numbers);
    net.data.batches = 1;
    net.max_steps = STEPS;
    net.rate = 0.01;
    net_open(&net, 7);
}

static void open_s4(struct dwconv_shape s, int blocks)
{
    struct data_set d = data_series(s.B, s.L, 3);

    net = (struct net){0};
    net_s4(&net, &ops, s, blocks);
    use_data(d.inputs, d.targets);
    data_give_back(&d);
}

static void open_cnn(void)
{
    struct data_set d = data_images(IMAGES, SIDE, 3);

    net = (struct net){0};
    net_cnn(&net, &ops, IMAGES, SIDE, 4);
    use_data(d.inputs, d.targets);
    data_give_back(&d);
}

static void close_net(void)
{
    ops.give_back(net.data.inputs);
    ops.give_back(net.data.targets);
    net_close(&net);
}

/* The loss of the batch with the parameters as they are. */
static double loss_now(void)
{
    *(double *)net.clock = 0;
    net_gradient(&net);
    return *(double *)net.losses;
}

/* The largest difference between a gradient and the central difference, over
 * what it may be: of each parameter of each layer, every third number. */
static double worst_gradient(void)
{
    static double grads[4096];
    double worst = 0, *params = net.params;

    assert_true(net.n_params <= sizeof grads / sizeof *grads);
    loss_now();
    memcpy(grads, net.grads, net.n_params * sizeof *grads);
    for (size_t i = 0; i < net.n_params; i += 3) {
        const double h = 1e-5, was = params[i];
        double high, low, error;

        params[i] = was + h;
        high = loss_now();
        params[i] = was - h;
        low = loss_now();
        params[i] = was;
        error = fabs((high - low) / (2 * h) - grads[i]) /
                (1e-8 + 1e-6 * fabs(grads[i]));
        if (!(error <= worst))
            worst = error;
    }
    return worst;
}

static void gradients_of_s4(void **state)
{
    (void)state;
    open_s4((struct dwconv_shape){3, 5, 9, 4}, 2);
    assert_true(worst_gradient() <= 1);
    close_net();
    open_s4((struct dwconv_shape){1, 1, 1, 3}, 1);
    assert_true(worst_gradient() <= 1);
    close_net();
}

static void gradients_of_cnn(void **state)
{
    (void)state;
    open_cnn();
    assert_true(worst_gradient() <= 1);
    close_net();
}

/* Mutants: a term left out, or a wire in a wrong place. */
static const struct train_ops *right;

static void rms_without_skip(const void *x, const void *gamma, const void *dn,
                             const void *skip, void *dx, void *dgamma,
                             struct dwconv_shape s)
{
    double *none = ops.take((size_t)s.B * s.H * s.L);

    (void)skip;
    right->rms_grad(x, gamma, dn, none, dx, dgamma, s);
    ops.give_back(none);
}

static void conv_of_dz(const void *dy, const void *w, void *dx,
                       struct dwconv_shape s)
{
    right->dwconv_forward(dy, w, dx, s); /* looks back, not ahead */
}

static void swish_without_slope(const void *z, const void *bias,
                                const void *dy, void *dz, void *dbias,
                                struct dwconv_shape s)
{
    right->swish_grad(z, bias, dy, dz, dbias, s);
    memcpy(dz, dy, (size_t)s.B * s.H * s.L * sizeof(double));
}

static void norm_without_v(const void *x, const void *dy, const void *gamma,
                           const void *v, void *dx, void *dgamma, void *dbeta,
                           void *dv, struct evonorm_shape s)
{
    right->evonorm_grad(x, dy, gamma, v, dx, dgamma, dbeta, dv, s);
    memset(dv, 0, (size_t)s.C * sizeof(double));
}

static void mutants_are_seen(void **state)
{
    const struct dwconv_shape s = {2, 3, 6, 4};

    (void)state;
    ops.rms_grad = rms_without_skip;
    open_s4(s, 2);
    assert_true(worst_gradient() > 100);
    close_net();
    ops = *right;
    ops.dwconv_input_grad = conv_of_dz;
    open_s4(s, 2);
    assert_true(worst_gradient() > 100);
    close_net();
    ops = *right;
    ops.swish_grad = swish_without_slope;
    open_s4(s, 1);
    assert_true(worst_gradient() > 100);
    close_net();
    ops = *right;
    ops.evonorm_grad = norm_without_v;
    open_cnn();
    assert_true(worst_gradient() > 100);
    close_net();
    ops = *right;
}

/* The loss falls to a part of what it was. */
static void learns(double part)
{
    double *losses = net.losses;

    for (int step = 0; step < net.max_steps; step++)
        net_step(&net);
    assert_true(losses[net.max_steps - 1] < part * losses[0]);
    assert_true(losses[net.max_steps - 1] > 0);
}

static void both_learn(void **state)
{
    (void)state;
    open_s4((struct dwconv_shape){4, 6, 16, 16}, 2);
    learns(0.2);
    close_net();
    open_cnn();
    learns(0.05);
    assert_true(((double *)net.hits)[STEPS - 1] == IMAGES);
    close_net();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_of_s4),
        cmocka_unit_test(gradients_of_cnn),
        cmocka_unit_test(mutants_are_seen),
        cmocka_unit_test(both_learn),
    };

    right = train_ops_reference();
    ops = *right;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
