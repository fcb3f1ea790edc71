// SPDX-License-Identifier: MIT
/*
 * s4.c: a sequence model like S4ConvD: what follows in a time series?
 *
 *   net_s4   lift, blocks, read-out
 *
 * A block is  y = x + swish(conv(n, w) + bias),  n = rms(x) gamma: a norm over
 * the channels, a causal convolution per channel with as many taps as the
 * sequence is long, an activation, and the way around all three. Nothing at
 * step t looks at a later one, so every step of a sequence is an example:
 * from what came before, say the next value. A block makes the norm of its
 * output for the block that follows.
 *
 * Sources: the operator is that of Babak and Schaller, arXiv 2604.25422; the
 * norm is Zhang and Sennrich's, arXiv 1910.07467.
 */
#include <stdbool.h>

#include "train/net.h"

static struct dwconv_shape shape_of(const struct net_size *s)
{
    return (struct dwconv_shape){s->B, s->channels, s->length, s->taps};
}

static size_t all(const struct net_size *s)
{
    return (size_t)s->B * s->channels * s->length;
}

/* The input layer: w, bias. */
static struct net_param lift_param(const struct net_size *s, int i)
{
    size_t n = i < 2 ? (size_t)s->channels : 0;

    return (struct net_param){n, 0, 1};
}

static void lift_forward(const struct net *net, const struct net_layer *l)
{
    net->ops->lift(l->in->value, l->param[0].value, l->param[1].value,
                   l->out->value, shape_of(&l->size));
}

static void lift_backward(const struct net *net, const struct net_layer *l)
{
    net->ops->lift_grad(l->in->value, l->out->grad, l->param[0].grad,
                        l->param[1].grad, shape_of(&l->size));
}

static const struct net_kind lift = {
    "lift", all, lift_param, NULL, lift_forward, lift_backward, NULL};

/* A block. */
enum { GAMMA, W, BIAS };
enum { N, Z, DZ, DN, BLOCK_SCRATCH };

static struct net_param block_param(const struct net_size *s, int i)
{
    size_t channels = (size_t)s->channels;

    switch (i) {
    case GAMMA:
        return (struct net_param){channels, 1, 0};
    case W: /* the sum's variance is about that of its terms */
        return (struct net_param){channels * s->taps, 0, 1.7 / s->taps};
    case BIAS:
        return (struct net_param){channels, 0, 0};
    }
    return (struct net_param){0, 0, 0};
}

static size_t block_scratch(const struct net_size *s, int i)
{
    return i < BLOCK_SCRATCH ? all(s) : 0;
}

static void block_forward(const struct net *net, const struct net_layer *l);

static bool is_block(const struct net *net, const struct net_layer *l)
{
    return l >= net->layer && l < net->layer + net->n_layers &&
           l->kind->forward == block_forward;
}

/* A block leaves the norm of its output to a block that follows it. */
static void block_forward(const struct net *net, const struct net_layer *l)
{
    struct dwconv_shape s = shape_of(&l->size);
    const struct net_layer *next = l + 1;

    if (!is_block(net, l - 1))
        net->ops->rms(l->in->value, l->param[GAMMA].value, l->scratch[N], s);
    net->ops->dwconv_forward(l->scratch[N], l->param[W].value, l->scratch[Z],
                             s);
    if (is_block(net, next))
        net->ops->swish_rms(l->scratch[Z], l->param[BIAS].value, l->in->value,
                            l->out->value, next->param[GAMMA].value,
                            next->scratch[N], s);
    else
        net->ops->swish(l->scratch[Z], l->param[BIAS].value, l->in->value,
                        l->out->value, s);
}

static void block_backward(const struct net *net, const struct net_layer *l)
{
    struct dwconv_shape s = shape_of(&l->size);

    net->ops->swish_grad(l->scratch[Z], l->param[BIAS].value, l->out->grad,
                         l->scratch[DZ], l->param[BIAS].grad, s);
    net->ops->dwconv_weight_grad(l->scratch[DZ], l->scratch[N],
                                 l->param[W].grad, s);
    net->ops->dwconv_input_grad(l->scratch[DZ], l->param[W].value,
                                l->scratch[DN], s);
    net->ops->rms_grad(l->in->value, l->param[GAMMA].value, l->scratch[DN],
                       l->out->grad, l->in->grad, l->param[GAMMA].grad, s);
}

static const struct net_kind block = {
    "block", all, block_param, block_scratch, block_forward, block_backward,
    NULL};

/* The read-out: w, bias. It ends in the loss, and has no output. */
static struct net_param read_out_param(const struct net_size *s, int i)
{
    double spread = 1.0 / s->channels;

    return i == 0   ? (struct net_param){(size_t)s->channels, 0, spread}
           : i == 1 ? (struct net_param){1, 0, 0}
                    : (struct net_param){0, 0, 0};
}

static size_t nothing(const struct net_size *s)
{
    (void)s;
    return 0;
}

/* With the loss come its gradients, so that x is read once. */
static void read_out_forward(const struct net *net, const struct net_layer *l)
{
    net->ops->loss(l->in->value, l->param[0].value, l->param[1].value,
                   net->target, l->in->grad, l->param[0].grad,
                   l->param[1].grad, net->losses, net->clock,
                   shape_of(&l->size));
}

static void read_out_backward(const struct net *net, const struct net_layer *l)
{
    (void)net, (void)l; /* is done */
}

static const struct net_kind read_out = {
    "read_out", nothing, read_out_param, NULL, read_out_forward,
    read_out_backward, NULL};

void net_s4(struct net *net, const struct train_ops *ops,
            struct dwconv_shape s, int blocks)
{
    struct net_size size = {.B = s.B, .channels = s.H, .length = s.L,
                            .taps = s.K};

    net->ops = ops;
    net->data.input_numbers = net->data.target_numbers = (size_t)s.B * s.L;
    net_add(net, &lift, size);
    for (int i = 0; i < blocks; i++)
        net_add(net, &block, size);
    net_add(net, &read_out, size);
}
