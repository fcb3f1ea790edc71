// SPDX-License-Identifier: MIT
/*
 * cnn.c: a small image model: which of ten classes?
 *
 *   net_cnn   convolution, EvoNorm-B0, convolution, EvoNorm-B0, classifier
 *
 * The second convolution goes by two pixels, so its images have a quarter of
 * the size. EvoNorm-B0 is norm and activation in one (Liu et al., arXiv
 * 2004.02967); its moving average is kept where a parameter would be, with a
 * gradient of 0, which the optimiser leaves alone.
 */
#include "train/net.h"

#include <math.h>

static int out_side(const struct net_size *s)
{
    return (s->side - 1) / s->stride + 1;
}

static struct train_conv2d conv_shape(const struct net_size *s)
{
    return (struct train_conv2d){s->B, s->in, s->channels, s->side, s->stride};
}

static size_t conv_out(const struct net_size *s)
{
    return (size_t)s->B * s->channels * out_side(s) * out_side(s);
}

static struct net_param conv_param(const struct net_size *s, int i)
{
    size_t terms = 9 * (size_t)s->in;

    return i ? (struct net_param){0, 0, 0}
             : (struct net_param){terms * s->channels, 0,
                                  sqrt(3.0 / (double)terms)};
}

static void conv_forward(const struct net *net, const struct net_layer *l)
{
    net->ops->conv2d(l->in->value, l->param[0].value, l->out->value,
                     conv_shape(&l->size));
}

static void conv_backward(const struct net *net, const struct net_layer *l)
{
    net->ops->conv2d_weight_grad(l->out->grad, l->in->value, l->param[0].grad,
                                 conv_shape(&l->size));
    if (l->in->grad)
        net->ops->conv2d_input_grad(l->out->grad, l->param[0].value,
                                    l->in->grad, conv_shape(&l->size));
}

static const struct net_kind conv = {
    "conv2d", conv_out, conv_param, NULL, conv_forward, conv_backward, NULL};

enum { GAMMA, BETA, V, MOVING };

static struct evonorm_shape planes(const struct net_size *s)
{
    return (struct evonorm_shape){s->B, s->channels, s->side * s->side};
}

static size_t norm_out(const struct net_size *s)
{
    return (size_t)s->B * s->channels * s->side * s->side;
}

static struct net_param norm_param(const struct net_size *s, int i)
{
    return (struct net_param){(size_t)s->channels, i == BETA ? 0 : 1, 0};
}

static void norm_forward(const struct net *net, const struct net_layer *l)
{
    net->ops->evonorm(l->in->value, l->param[GAMMA].value,
                      l->param[BETA].value, l->param[V].value,
                      l->param[MOVING].value, l->out->value,
                      planes(&l->size));
}

static void norm_evaluate(const struct net *net, const struct net_layer *l)
{
    net->ops->evonorm_eval(l->in->value, l->param[GAMMA].value,
                           l->param[BETA].value, l->param[V].value,
                           l->param[MOVING].value, l->out->value,
                           planes(&l->size));
}

static void norm_backward(const struct net *net, const struct net_layer *l)
{
    net->ops->evonorm_grad(l->in->value, l->out->grad, l->param[GAMMA].value,
                           l->param[V].value, l->in->grad,
                           l->param[GAMMA].grad, l->param[BETA].grad,
                           l->param[V].grad, planes(&l->size));
}

static const struct net_kind norm = {
    "evonorm", norm_out, norm_param, NULL, norm_forward, norm_backward,
    norm_evaluate};

/* The classifier: w, bias; scratch: the means. */
static struct net_param classes_param(const struct net_size *s, int i)
{
    size_t n = (size_t)s->channels * TRAIN_CLASSES;

    return i == 0   ? (struct net_param){n, 0, 1 / sqrt(s->channels)}
           : i == 1 ? (struct net_param){TRAIN_CLASSES, 0, 0}
                    : (struct net_param){0, 0, 0};
}

static size_t classes_out(const struct net_size *s)
{
    return (size_t)s->B * TRAIN_CLASSES;
}

static size_t classes_scratch(const struct net_size *s, int i)
{
    return i ? 0 : (size_t)s->B * s->channels;
}

static void classes_forward(const struct net *net, const struct net_layer *l)
{
    net->ops->classify(l->in->value, l->param[0].value, l->param[1].value,
                       net->target, l->scratch[0], l->out->grad, net->losses,
                       net->hits, net->clock, planes(&l->size));
}

static void classes_backward(const struct net *net, const struct net_layer *l)
{
    net->ops->classify_grad(l->scratch[0], l->param[0].value, l->out->grad,
                            l->in->grad, l->param[0].grad, l->param[1].grad,
                            planes(&l->size));
}

static const struct net_kind classes = {
    "classifier", classes_out, classes_param, classes_scratch,
    classes_forward, classes_backward, NULL};

void net_cnn(struct net *net, const struct train_ops *ops, int B, int side,
             int channels)
{
    struct net_size size = {.B = B, .in = 1, .channels = channels,
                            .side = side, .stride = 1};

    net->ops = ops;
    net->data.input_numbers = (size_t)B * side * side;
    net->data.target_numbers = (size_t)B;
    net_add(net, &conv, size);
    net_add(net, &norm, size);
    size.in = channels;
    size.stride = 2;
    net_add(net, &conv, size);
    size.side = out_side(&size);
    net_add(net, &norm, size);
    net_add(net, &classes, size);
}
