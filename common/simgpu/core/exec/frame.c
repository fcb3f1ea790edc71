// SPDX-License-Identifier: MIT
/*
 * frame.c: the registers of a function's activation.
 *
 *   frame_new     from the worker's free ones, or fresh with its constants
 *   frame_begin   fills special registers, makes local memory unwritten, and
 *                 shows what is read before it is written
 *
 * A frame keeps its constants while it is reused: nothing writes to them.
 */
#include <stdlib.h>

#include "control.h"
#include "simgpu/core/state/finding.h"

static void fill(struct frame *f, const struct constant *c)
{
    for (size_t l = 0; l < LANES; l++)
        __builtin_memcpy(f->regs + c->slot + l * c->size, &c->bits, c->size);
}

struct frame *frame_new(struct worker *k, const struct function *f)
{
    for (struct frame **p = &k->frames; *p; p = &(*p)->next)
        if ((*p)->function == f) {
            struct frame *frame = *p;
            *p = frame->next;
            return frame;
        }
    size_t bytes = sizeof(struct frame) + f->frame_bytes;
    struct frame *frame = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!frame)
        abort();
    *frame = (struct frame){.function = f};
    __builtin_memset(frame->regs, 0, f->frame_bytes);
    frame->params = f->param_bytes ? calloc(LANES, f->param_bytes) : NULL;
    for (size_t c = 0; c < f->n_constants; c++)
        fill(frame, &f->constants[c]);
    return frame;
}

static uint64_t special_value(const struct warp *w, enum special what, int l)
{
    const struct launch *g = run_of(w)->launch;
    const struct block *b = w->block;
    const struct run *r = run_of(w);
    uint64_t barrier = g->cooperative ? r->engine->grid_barrier : 0;
    uint32_t thread[3], bit = 1u << l;
    finding_thread(w, l, thread);
    switch (what) {
    case SP_TID_X: case SP_TID_Y: case SP_TID_Z:
        return thread[what - SP_TID_X];
    case SP_NTID_X: case SP_NTID_Y: case SP_NTID_Z:
        return g->block[what - SP_NTID_X];
    case SP_CTAID_X: case SP_CTAID_Y: case SP_CTAID_Z:
        return b->id[what - SP_CTAID_X];
    case SP_NCTAID_X: case SP_NCTAID_Y: case SP_NCTAID_Z:
        return g->grid[what - SP_NCTAID_X];
    case SP_LANEID: return (uint64_t)l;
    case SP_WARPID: return w->index;
    case SP_NWARPID:
        return (uint64_t)r->engine->config.gpu->max_threads_sm / LANES;
    case SP_SMID: return b->index % (uint64_t)r->engine->config.gpu->sms;
    case SP_NSMID: return (uint64_t)r->engine->config.gpu->sms;
    case SP_GRIDID: return (uint64_t)r->engine->launches;
    case SP_LANEMASK_EQ: return bit;
    case SP_LANEMASK_LE: return bit | (bit - 1);
    case SP_LANEMASK_LT: return bit - 1;
    case SP_LANEMASK_GE: return ~(bit - 1);
    case SP_LANEMASK_GT: return ~(bit | (bit - 1));
    case SP_DYNAMIC_SMEM: return g->dynamic_shared;
    case SP_TOTAL_SMEM:
        return r->kernel->info.static_shared + g->dynamic_shared;
    case SP_CLUSTERID_X: case SP_CLUSTERID_Y: case SP_CLUSTERID_Z:
        return w->worker->cluster->id[what - SP_CLUSTERID_X];
    case SP_NCLUSTERID_X: case SP_NCLUSTERID_Y: case SP_NCLUSTERID_Z:
        return g->grid[what - SP_NCLUSTERID_X] /
               r->cluster[what - SP_NCLUSTERID_X];
    case SP_CLUSTER_CTAID_X: case SP_CLUSTER_CTAID_Y: case SP_CLUSTER_CTAID_Z:
        return b->id[what - SP_CLUSTER_CTAID_X] %
               r->cluster[what - SP_CLUSTER_CTAID_X];
    case SP_CLUSTER_NCTAID_X: case SP_CLUSTER_NCTAID_Y:
    case SP_CLUSTER_NCTAID_Z: return r->cluster[what - SP_CLUSTER_NCTAID_X];
    case SP_CLUSTER_CTARANK: return w->worker->rank;
    case SP_CLUSTER_NCTARANK: return r->cluster_blocks;
    case SP_EXPLICIT_CLUSTER: /* a predicate: a bit per lane */
        return r->explicit_cluster ? UINT32_MAX : 0;
    case SP_GRID_LOW: return (uint32_t)barrier;
    case SP_GRID_HIGH: return barrier >> 32;
    default: return 0;
    }
}

/* What a warp of that index reads in every block of the launch. */
static bool is_fixed(enum special what)
{
    switch (what) {
    case SP_TID_X: case SP_TID_Y: case SP_TID_Z:
    case SP_NTID_X: case SP_NTID_Y: case SP_NTID_Z:
    case SP_NCTAID_X: case SP_NCTAID_Y: case SP_NCTAID_Z:
    case SP_LANEID: case SP_WARPID: case SP_NWARPID: case SP_NSMID:
    case SP_LANEMASK_EQ: case SP_LANEMASK_LE: case SP_LANEMASK_LT:
    case SP_LANEMASK_GE: case SP_LANEMASK_GT:
        return true;
    default:
        return false;
    }
}

static bool is_uniform(enum special what)
{
    switch (what) {
    case SP_CTAID_X: case SP_CTAID_Y: case SP_CTAID_Z: case SP_SMID:
        return true;
    default:
        return false;
    }
}

/* A frame that served the same warp of an earlier block holds what is fixed;
 * a warp of eight instructions would spend most of its time here else. */
static void fill_specials(struct warp *w, struct frame *frame)
{
    const struct function *f = frame->function;
    bool filled = frame->filled_for == w->index + 1;
    for (size_t s = 0; s < f->n_specials; s++) {
        const struct special_slot *p = &f->specials[s];
        if (filled && is_fixed(p->what))
            continue;
        uint64_t v = 0;
        for (int l = 0; l < LANES; l++) {
            if (l == 0 || !is_uniform(p->what))
                v = special_value(w, p->what, l);
            if (p->size == 8)
                ((uint64_t *)(frame->regs + p->slot))[l] = v;
            else
                ((uint32_t *)(frame->regs + p->slot))[l] = (uint32_t)v;
        }
    }
    frame->filled_for = w->index + 1;
}

void frame_begin(struct warp *w, struct frame *f, uint32_t base)
{
    fill_specials(w, f);
    for (size_t k = 0; k < f->function->n_unset; k++)
        fill(f, &f->function->unset[k]);
    const struct run *r = run_of(w);
    f->local_base = base;
    if (f->function->grows)
        __builtin_memset(f->grown, 0, sizeof f->grown);
    if (!f->function->local_bytes)
        return;
    for (int l = 0; l < LANES; l++)
        bits_clear(w->local_init, (uint64_t)l * r->kernel->local_bytes + base,
                   f->function->local_bytes);
}
