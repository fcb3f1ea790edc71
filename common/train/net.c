// SPDX-License-Identifier: MIT
/*
 * net.c: layers in a row: memory, order, and a step.
 *
 *   net_add, net_open, net_close, net_step, net_gradient, net_evaluate,
 *   net_random
 */
#include "train/net.h"

#include <stdio.h>
#include <stdlib.h>

#include "profile/mark.h"

/* Parameters begin at a multiple of 16 bytes, as stages may ask for. */
enum { ALIGNED = 4 };

static size_t rounded(size_t n)
{
    return (n + ALIGNED - 1) / ALIGNED * ALIGNED;
}

/* The number's place in an array. */
static void *number(const struct net *net, void *array, size_t i)
{
    return (char *)array + i * net->ops->element;
}

/* Steele, Lea, Flood: SplitMix64. */
double net_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

void net_add(struct net *net, const struct net_kind *kind,
             struct net_size size)
{
    if (net->n_layers == NET_LAYERS) {
        fprintf(stderr, "train: a model has at most %d layers\n", NET_LAYERS);
        exit(1);
    }
    net->layer[net->n_layers++] = (struct net_layer){.kind = kind,
                                                     .size = size};
}

static void begin_param(const struct net *net, struct net_param p, void *to,
                        uint64_t *state)
{
    float *values = malloc(p.n * sizeof *values);

    if (!values) {
        fprintf(stderr, "train: no memory for %zu parameters\n", p.n);
        exit(1);
    }
    for (size_t i = 0; i < p.n; i++)
        values[i] = (float)(p.centre +
                            p.spread * (2 * net_random(state) - 1));
    net->ops->put(to, values, p.n);
    free(values);
}

static void open_params(struct net *net, uint64_t seed)
{
    size_t first = 0;

    for (int l = 0; l < net->n_layers; l++)
        for (int i = 0; i < NET_PARAMS; i++)
            net->n_params += rounded(
                net->layer[l].kind->param(&net->layer[l].size, i).n);
    net->params = net->ops->take(net->n_params);
    net->grads = net->ops->take(net->n_params);
    net->means = net->ops->take(net->n_params);
    net->squares = net->ops->take(net->n_params);
    for (int l = 0; l < net->n_layers; l++)
        for (int i = 0; i < NET_PARAMS; i++) {
            struct net_layer *layer = &net->layer[l];
            struct net_param p = layer->kind->param(&layer->size, i);

            layer->param[i] = (struct net_tensor){
                number(net, net->params, first),
                number(net, net->grads, first), p.n};
            begin_param(net, p, layer->param[i].value, &seed);
            first += rounded(p.n);
        }
}

static void open_layer(struct net *net, int l)
{
    struct net_layer *layer = &net->layer[l];
    struct net_tensor *out = &net->act[l + 1];

    out->n = layer->kind->out(&layer->size);
    out->value = net->ops->take(out->n);
    out->grad = net->ops->take(out->n);
    layer->in = &net->act[l];
    layer->out = out;
    for (int i = 0; layer->kind->scratch && i < NET_SCRATCH; i++) {
        size_t n = layer->kind->scratch(&layer->size, i);

        if (n)
            layer->scratch[i] = net->ops->take(n);
    }
}

void net_open(struct net *net, uint64_t seed)
{
    const struct train_ops *ops = net->ops;

    net->act[0] = (struct net_tensor){ops->take(net->data.input_numbers), NULL,
                                      net->data.input_numbers};
    net->target = ops->take(net->data.target_numbers);
    net->clock = ops->take(1);
    net->losses = ops->take((size_t)net->max_steps);
    net->hits = ops->take((size_t)net->max_steps);
    for (int l = 0; l < net->n_layers; l++)
        open_layer(net, l);
    open_params(net, seed);
}

void net_close(struct net *net)
{
    const struct train_ops *ops = net->ops;
    void *const arrays[] = {net->target, net->clock, net->losses, net->hits,
                            net->params, net->grads, net->means,
                            net->squares};

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        ops->give_back(arrays[i]);
    for (int l = 0; l <= net->n_layers; l++) {
        ops->give_back(net->act[l].value);
        ops->give_back(net->act[l].grad);
    }
    for (int l = 0; l < net->n_layers; l++)
        for (int i = 0; i < NET_SCRATCH; i++)
            ops->give_back(net->layer[l].scratch[i]);
}

static void next_batch(const struct net *net)
{
    const struct net_data *d = &net->data;

    mark_begin("batch");
    net->ops->tick(net->clock);
    net->ops->batch(d->inputs, net->act[0].value, d->input_numbers,
                    d->batches, net->clock);
    net->ops->batch(d->targets, net->target, d->target_numbers, d->batches,
                    net->clock);
    mark_end();
}

static void forward(const struct net *net)
{
    mark_begin("forward");
    for (int l = 0; l < net->n_layers; l++) {
        mark_begin(net->layer[l].kind->name);
        net->layer[l].kind->forward(net, &net->layer[l]);
        mark_end();
    }
    mark_end();
}

static void backward(const struct net *net)
{
    mark_begin("backward");
    for (int l = net->n_layers; l-- > 0;) {
        mark_begin(net->layer[l].kind->name);
        net->layer[l].kind->backward(net, &net->layer[l]);
        mark_end();
    }
    mark_end();
}

void net_gradient(const struct net *net)
{
    next_batch(net);
    forward(net);
    backward(net);
}

void net_step(const struct net *net)
{
    const struct train_adam adam = {net->params, net->means, net->squares,
                                    net->grads, net->n_params, net->rate};

    net_gradient(net);
    mark_begin("optimiser");
    net->ops->adam(&adam, net->clock);
    mark_end();
}

void net_evaluate(const struct net *net)
{
    next_batch(net);
    for (int l = 0; l < net->n_layers; l++) {
        const struct net_layer *layer = &net->layer[l];

        (layer->kind->evaluate ? layer->kind->evaluate
                               : layer->kind->forward)(net, layer);
    }
}
