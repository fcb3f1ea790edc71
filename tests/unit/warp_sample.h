// SPDX-License-Identifier: MIT
/*
 * warp_sample.h: a block of a few warps and a kernel made by hand, for tests
 * of what the engine does with them. Nothing is decoded and nothing launched.
 *
 *   hand_open, hand_close   a worker with a block, none of its warps started
 *   hand_put                an instruction behind the others
 *   hand_start              the warps at the first instruction
 *   hand_run                a warp until it waits or yields
 */
#ifndef WARP_SAMPLE_H
#define WARP_SAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "simgpu/core/exec/control.h"
#include "simgpu/core/exec/sync.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/gpu.h"
#include "simgpu/host/threads.h"

enum {
    HAND_MOST = 512,  /* instructions, of all functions */
    HAND_PREDS = 16,  /* predicates, then 32-bit registers */
    HAND_REGS = 8,
    HAND_LINES = 64,
};
#define PRED(n) ((uint32_t)(n) * 4)
#define REG(n) (HAND_PREDS * 4 + (uint32_t)(n) * 128)

struct hand {
    struct engine engine;
    struct module module;
    struct kernel kernel;
    struct launch launch;
    struct run run;
    struct worker worker;
    struct cluster cluster;
    struct function function[2]; /* [0]: the kernel */
    struct source source[HAND_LINES];
    struct inst code[HAND_MOST];
    struct detail detail[HAND_MOST];
    uint32_t n;
};

static inline struct hand *hand_open(uint32_t threads)
{
    struct hand *h = calloc(1, sizeof *h);
    assert_non_null(h);
    h->engine.config = (struct engine_config){.gpu = gpu_find("h200")};
    for (int f = 0; f < 2; f++)
        h->function[f] = (struct function){
            .name = f ? "f" : "k", .module = &h->module, .is_entry = !f,
            .frame_bytes = REG(HAND_REGS), .sources = h->source,
            .n_sources = HAND_LINES, .insts = h->code};
    for (int n = 0; n < HAND_LINES; n++)
        h->source[n] = (struct source){.file = "k.cu", .line = n, .op = "op"};
    h->module = (struct module){.engine = &h->engine, .n_functions = 2,
                                .functions = h->function,
                                .kernels = &h->kernel};
    h->kernel = (struct kernel){.info = {.name = "k"}, .module = &h->module,
                                .function = h->function};
    h->launch = (struct launch){.grid = {1, 1, 1}, .block = {threads, 1, 1}};
    h->run.engine = &h->engine;
    h->run.kernel = &h->kernel;
    h->run.launch = &h->launch;
    h->run.n_blocks = 1;
    atomic_store(&h->run.fault_order, UINT64_MAX);
    h->run.out = lock_new();
    h->worker.run = &h->run;
    h->run.cluster_blocks = h->cluster.n = 1;
    h->cluster.member[0] = &h->worker;
    h->worker.cluster = &h->cluster;
    struct block *b = &h->worker.block;
    b->n_threads = b->live = threads;
    b->n_warps = (threads + LANES - 1) / LANES;
    for (uint32_t n = 0; n < b->n_warps; n++) {
        b->warps[n].worker = &h->worker;
        b->warps[n].block = b;
        b->warps[n].index = n;
        b->warps[n].dead = threads - n * LANES >= LANES
                               ? 0 : ~((1u << (threads - n * LANES)) - 1);
    }
    return h;
}

static inline struct inst *hand_put(struct hand *h, struct inst i)
{
    assert_true(h->n < HAND_MOST);
    h->code[h->n] = i;
    h->function[0].n_insts = h->n + 1;
    return &h->code[h->n++];
}

static inline void hand_start(struct hand *h)
{
    struct block *b = &h->worker.block;
    b->live = b->n_threads;
    for (uint32_t n = 0; n < b->n_warps; n++) {
        uint32_t left = b->n_threads - n * LANES;
        warp_start(&b->warps[n], h->function,
                   left >= LANES ? UINT32_MAX : (1u << left) - 1);
    }
}

/* As the engine's own loop: guards, then the handler. */
static inline void hand_run(struct warp *w)
{
    const struct inst *i = leaf_choose(w);
    while (i) {
        uint32_t mask = w->mask;
        if (i->guard)
            mask &= *(uint32_t *)slot(w, i->guard - 1) ^ i->guard_xor;
        w->worker->counters.warp_instructions += mask != 0;
        i = mask ? i->fn(w, i, mask) : i + 1;
    }
}

static inline void hand_free_frame(struct frame *f)
{
    while (f) {
        struct frame *next = f->next;
        free(f->params);
        free(f);
        f = next;
    }
}

/* What is not given back to the worker by then, the sanitizer finds. */
static inline void hand_close(struct hand *h)
{
    struct worker *k = &h->worker;
    for (uint32_t n = 0; n < k->block.n_warps; n++)
        hand_free_frame(k->block.warps[n].root);
    hand_free_frame(k->frames);
    while (k->nodes) {
        struct node *next = k->nodes->next;
        free(k->nodes);
        k->nodes = next;
    }
    free(k->found);
    lock_free(h->run.out);
    free(h);
}

#endif
