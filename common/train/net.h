// SPDX-License-Identifier: MIT
/*
 * net.h: a model as a table of layers, and a step of its training.
 *
 *   net_add     appends a layer to a model that is not yet open
 *   net_open    memory for it, and first parameters from a seed
 *   net_close   gives all of it back
 *   net_step    clock, batch, forward, backward, optimiser
 *   net_gradient   the same without the optimiser
 *   net_evaluate   forward alone, as after training
 *
 * A tensor is an array and its gradient. A layer reads `in` and writes `out`;
 * backward is given out's gradient and writes in's and those of its
 * parameters. The parameters of all layers lie in one array, their gradients
 * in another, so the optimiser is one launch for the whole model.
 */
#ifndef WB_TRAIN_NET_H
#define WB_TRAIN_NET_H

#include <stdint.h>

#include "train/ops.h"

enum {
    NET_LAYERS = 12,
    NET_PARAMS = 4,  /* of a layer; the most is EvoNorm's, and its average */
    NET_SCRATCH = 5, /* of a layer: what backward needs of forward */
};

/* Sequences: B, channels, length, taps. Images: B, in, channels, side, stride;
 * `side` is the input's. */
struct net_size {
    int B, in, channels, length, taps, side, stride;
};

struct net_tensor {
    void *value, *grad; /* grad: NULL where nobody needs it */
    size_t n;
};

struct net;
struct net_layer;

/* How a parameter begins: uniform in [centre - spread, centre + spread). */
struct net_param {
    size_t n;
    double centre, spread;
};

struct net_kind {
    const char *name;
    size_t (*out)(const struct net_size *s);
    struct net_param (*param)(const struct net_size *s, int i);
    size_t (*scratch)(const struct net_size *s, int i); /* NULL: none */
    void (*forward)(const struct net *net, const struct net_layer *layer);
    void (*backward)(const struct net *net, const struct net_layer *layer);
    /* After training; NULL: as forward. */
    void (*evaluate)(const struct net *net, const struct net_layer *layer);
};

struct net_layer {
    const struct net_kind *kind;
    struct net_size size;
    const struct net_tensor *in, *out;
    struct net_tensor param[NET_PARAMS];
    void *scratch[NET_SCRATCH];
};

/* What is learnt from, in the memory of whoever computes. */
struct net_data {
    void *inputs, *targets; /* batches one after the other */
    size_t input_numbers, target_numbers; /* of a batch */
    int batches;
};

struct net {
    const struct train_ops *ops;
    int n_layers;
    struct net_layer layer[NET_LAYERS];
    struct net_tensor act[NET_LAYERS + 1]; /* act[0]: the batch */
    void *target, *clock;
    void *losses, *hits; /* a number per step, up to max_steps */
    int max_steps;
    size_t n_params;
    void *params, *grads, *means, *squares;
    struct net_data data;
    double rate;
};

void net_add(struct net *net, const struct net_kind *kind,
             struct net_size size);
/* ops, data, rate and max_steps are set, and all layers are added. */
void net_open(struct net *net, uint64_t seed);
void net_close(struct net *net);
void net_step(const struct net *net);
void net_gradient(const struct net *net);
void net_evaluate(const struct net *net);

/* Uniform in [0, 1); the state goes on. */
double net_random(uint64_t *state);

/* The models. Fills in ops and layers. */
void net_s4(struct net *net, const struct train_ops *ops,
            struct dwconv_shape s, int blocks);
void net_cnn(struct net *net, const struct train_ops *ops, int B, int side,
             int channels);

#endif
