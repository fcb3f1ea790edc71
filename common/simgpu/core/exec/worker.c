// SPDX-License-Identifier: MIT
/*
 * worker.c: what executes a block: shared and local memory, warps, counters.
 *
 *   workers_open, worker_close
 *   worker_add     one more cluster's, while the launch runs
 *
 * Only what a kernel touches of it costs memory; it is kept from one block
 * to the next.
 */
#include <stdlib.h>
#include <string.h>

#include "cluster.h"
#include "control.h"
#include "mbarrier_object.h"
#include "simgpu/core/lanes/ops.h"
#include "simgpu/core/access/count.h"
#include "simgpu/core/access/bulk.h"
#include "simgpu/core/access/transfer.h"
#include "simgpu/core/state/observe.h"
#include "simgpu/blocks.h"
#include "simgpu/host/pages.h"
#include "simgpu/host/threads.h"
#include "suspect.h"
#include "worker.h"

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static size_t local_total(const struct run *r)
{
    const uint32_t *size = r->launch->block;
    size_t warps = ((size_t)size[0] * size[1] * size[2] + LANES - 1) / LANES;
    return warps * LANES * r->kernel->local_bytes;
}

static void open_worker(struct worker *k, struct run *r)
{
    *k = (struct worker){.run = r};
    size_t shared = round_up(r->shared_end + 64, 64);
    size_t sites = (size_t)r->kernel->module->n_sites + 1;
    k->windows = aligned_alloc(_Alignof(struct window),
                               sites * sizeof *k->windows);
    k->shared = pages_zero(shared);
    k->shared_init = pages_zero(shared / 8 + 64);
    k->patterns = calloc(sites, sizeof *k->patterns);
    if (!k->windows || !k->patterns)
        abort();
    memset(k->windows, 0, sites * sizeof *k->windows);
    size_t local = local_total(r);
    if (local) {
        k->local = pages_zero(local);
        k->local_init = pages_zero(local / 8 + 64);
    }
}

static void free_frames(struct frame *f)
{
    while (f) {
        struct frame *next = f->next;
        free(f->params);
        free(f);
        f = next;
    }
}

/* After a fault the tree still stands: frames and nodes hang on leaves. */
static void free_tree(struct worker *k, struct warp *w)
{
    struct node *n = w->leaves;
    w->leaves = NULL;
    while (n) {
        struct node *next = n->next, *parent = n->parent;
        if (n->is_call) {
            n->frame->next = k->frames;
            k->frames = n->frame;
        }
        node_recycle(k, n);
        if (parent && --parent->children == 0) {
            parent->next = next;
            next = parent;
        }
        n = next;
    }
}

void worker_close(struct worker *k)
{
    struct run *r = k->run;
    size_t shared = round_up(r->shared_end + 64, 64), local = local_total(r);
    for (uint32_t n = 0; n < MAX_WARPS; n++) {
        free_tree(k, &k->block.warps[n]);
        suspect_close(&k->block.warps[n]);
        if (k->block.warps[n].root) {
            k->block.warps[n].root->next = NULL;
            free_frames(k->block.warps[n].root);
        }
    }
    bulks_close(k);
    transfers_close(k);
    mbarriers_close(&k->block);
    if (k->rank == 0)
        cluster_close(k->cluster);
    free_frames(k->frames);
    while (k->nodes) {
        struct node *next = k->nodes->next;
        free(k->nodes);
        k->nodes = next;
    }
    free(k->windows);
    free(k->patterns);
    free(k->spread_out);
    free(k->found);
    pages_free(k->shared, shared);
    pages_free(k->shared_init, shared / 8 + 64);
    if (r->races)
        r->races->close(k);
    if (local) {
        pages_free(k->local, local);
        pages_free(k->local_init, local / 8 + 64);
    }
}

/* A thread's workers: one cluster, or a cluster each. */
static void join_clusters(struct worker *first, uint32_t blocks)
{
    uint32_t rank = 0;
    for (struct worker *k = first; k; k = k->mate) {
        k->rank = rank;
        k->cluster = rank ? first->cluster : cluster_open();
        k->cluster->member[rank] = k;
        k->cluster->n = blocks;
        if (++rank == blocks) {
            first = k->mate;
            rank = 0;
        }
    }
}

/* How many blocks the GPU runs at once. */
static uint64_t blocks_at_once(const struct run *r)
{
    const struct gpu_model *gpu = r->engine->config.gpu;
    const uint32_t *size = r->launch->block;
    size_t shared = r->kernel->info.static_shared + r->launch->dynamic_shared;
    int registers = (int)r->launch->registers;
    struct gpu_blocks b =
        gpu_blocks(gpu, (int)(size[0] * size[1] * size[2]),
                   registers > 0 ? registers : 1, shared);
    int of_sm = b.blocks > 0 ? b.blocks : 1;
    int clusters = gpu_clusters(gpu, of_sm, (int)r->cluster_blocks);
    return (uint64_t)(clusters > 0 ? clusters : 1) * r->cluster_blocks;
}

/* Can a thread of this launch wait for another block, which is not there? */
static bool may_wait(const struct run *r)
{
    const struct module *m = r->kernel->module;
    bool followed = r->traffic && (!r->n_sampled || r->launch->fair);
    if (r->launch->cooperative || followed || r->steps ||
        r->quota != NO_QUOTA)
        return false;
    for (uint32_t n = 1; m->sites && n <= m->n_sites; n++) {
        const struct access_form *f = m->sites[n].form;
        if (f && f->strong && (f->kind == ACCESS_LOAD ||
                               f->kind == ACCESS_ATOMIC))
            return true;
    }
    return false;
}

/* Workers beyond the first n are opened when they are needed; until then, their
 * memory is never touched. */
static uint32_t room_for(const struct run *r, uint32_t n)
{
    uint64_t most = may_wait(r) ? blocks_at_once(r) : n;
    most = most < r->n_blocks ? most : r->n_blocks;
    return most > n ? (uint32_t)most : n;
}

/* The n-th, which belongs to no cluster yet. */
static struct worker *add(struct run *r, uint32_t n)
{
    struct worker *k = &r->workers[n];
    open_worker(k, r);
    k->slot = n;
    return k;
}

struct worker *worker_add(struct run *r)
{
    struct worker *first = NULL;
    lock_take(r->out);
    uint32_t n = atomic_load(&r->opened), blocks = r->cluster_blocks;
    if (n + blocks <= r->room) {
        first = add(r, n);
        for (uint32_t k = 1; k < blocks; k++)
            r->workers[n + k - 1].mate = add(r, n + k);
        join_clusters(first, blocks);
        for (uint32_t k = 0; r->races && k < blocks; k++)
            r->races->open(&r->workers[n + k]);
        atomic_store(&r->opened, n + blocks);
    }
    lock_leave(r->out);
    return first;
}

struct worker *workers_open(struct run *r, int threads, int *n)
{
    *n = r->launch->cooperative ? (int)r->n_blocks
                                : threads * (int)r->cluster_blocks;
    if (r->n_sampled)
        *n = (int)r->n_slots;
    r->room = room_for(r, (uint32_t)*n);
    r->threads = (uint32_t)threads;
    struct worker *workers = aligned_alloc(
        64, round_up((size_t)r->room * sizeof *workers, 64));
    if (!workers)
        abort();
    r->workers = workers;
    atomic_store(&r->opened, (unsigned)*n);
    for (int k = 0; k < *n; k++) {
        open_worker(&workers[k], r);
        workers[k].order = (uint64_t)k;
        workers[k].slot = (uint32_t)k;
        workers[k].mate = k + threads < *n ? &workers[k + threads] : NULL;
    }
    for (int t = 0; t < threads && t < *n; t++)
        join_clusters(&workers[t], r->cluster_blocks);
    for (int k = 0; r->races && k < *n; k++)
        r->races->open(&workers[k]);
    return workers;
}
