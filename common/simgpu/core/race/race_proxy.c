// SPDX-License-Identifier: MIT
/*
 * race_proxy.c: fences between proxies. Interface: race.h.
 *
 * What threads write by ordinary instructions, asynchronous operations (bulk
 * copies, tensor copies, wgmma) need not see, even if something orders the two:
 * a fence.proxy.async has to stand on the way from the one to the other, behind
 * the write or before the operation. So each warp remembers for either space
 * what such a fence of its own covers: what its lanes had done, and had seen.
 * An operation is fine if its own warp's fences cover the write, or those of
 * the warp that wrote; or those of a third warp, if any of its fences is
 * ordered before the operation. The other way round, waiting for the operation
 * is enough.
 *
 * Source: PTX ISA, "Memory Consistency Model", proxies; "cp.async.bulk" ends
 * with an implicit fence.
 */
#include "race.h"

#include <stdlib.h>

#include "simgpu/core/memory/own.h"
#include "simgpu/core/access/place.h"
#include "simgpu/core/state/finding.h"

enum proxy_space { PROXY_GLOBAL, PROXY_SHARED, PROXY_SPACES };

/* A warp's proxy fences, by space. */
struct warp_proxy {
    struct object_order covered[PROXY_SPACES];
    uint64_t first[PROXY_SPACES]; /* tag of the first one; 0: none */
};

void race_proxy_begins(struct warp *w)
{
    for (int n = 0; w->proxy && n < PROXY_SPACES; n++)
        free(w->proxy->covered[n].records);
    free(w->proxy);
    w->proxy = NULL;
}

void race_proxy_fence(struct warp *w, uint32_t mask, enum fence_kind kind)
{
    const enum fence_kind other[PROXY_SPACES] = {
        [PROXY_GLOBAL] = FENCE_PROXY_SHARED,
        [PROXY_SHARED] = FENCE_PROXY_GLOBAL};
    if (!w->proxy)
        w->proxy = own_not_null(calloc(1, sizeof *w->proxy));
    for (int n = 0; n < PROXY_SPACES; n++) {
        if (kind == other[n])
            continue;
        race_arrives_at(w, mask, &w->proxy->covered[n], ORDER_ACQ_REL);
        if (!w->proxy->first[n])
            w->proxy->first[n] = w->tags[first_lane(mask)];
    }
}

static bool covered(const struct warp *w, enum proxy_space space,
                    uint32_t rank, uint64_t tag)
{
    const struct seen_block *p =
        w->proxy ? race_gathered(&w->proxy->covered[space], rank) : NULL;
    return p && race_seen_covers(run_of(w), p, tag);
}

/* Some warp of k's block has fenced the write, by's, and what that warp does
 * is ordered before the lane's operation. */
static bool fenced_in(struct warp *w, int lane, const struct worker *k,
                      const struct worker *by, uint64_t tag,
                      enum proxy_space space)
{
    for (uint32_t n = 0; n < k->block.n_warps; n++) {
        const struct warp *x = &k->block.warps[n];
        uint64_t fence = x->proxy ? x->proxy->first[space] : 0;
        if (!fence || !covered(x, space, by->rank, tag))
            continue;
        if (k != w->worker ? race_peer_ordered(w, 1u << lane, k->rank, fence)
                           : fence < stamp_tag(w->block->floor) ||
                                 race_ordered(w, lane, fence))
            return true;
    }
    return false;
}

bool race_proxy_fenced(struct warp *w, int lane, const struct worker *by,
                       uint64_t tag, bool shared)
{
    enum proxy_space space = shared ? PROXY_SHARED : PROXY_GLOBAL;
    const struct warp *writer = &by->block.warps[tag_thread(tag) / LANES];
    const struct access_form *f = race_form(by->run, tag);
    if (!f || !f->write || f->proxy == PROXY_ASYNC)
        return true;
    if (f->kind == ACCESS_OBJECT && f->strong) /* see mbarriers by themselves */
        return true;
    if (f->kind == ACCESS_OBJECT && writer->order &&
        tag >> TAG_STAMP < writer->order->inits)
        return true;
    if (covered(w, space, by->rank, tag) ||
        covered(writer, space, by->rank, tag))
        return true;
    const struct cluster *c = w->worker->cluster;
    for (uint32_t rank = 0; rank < c->n; rank++)
        if (fenced_in(w, lane, c->member[rank], by, tag, space))
            return true;
    return false;
}

void race_proxy_accuse(const struct access *a, int lane, uint64_t address,
                       uint64_t tag)
{
    struct run *r = run_of(a->warp);
    const struct access_form *f = race_form(r, tag);
    bool object = f && f->kind == ACCESS_OBJECT;
    struct finding x = {.space = a->space, .address = address,
                        .bytes = a->bytes, .other = race_site_of(r, tag)};
    if (a->space == PTX_SPACE_SHARED)
        race_name_shared(r, address, &x);
    else
        place_about_global(r->engine, address, &x);
    snprintf(x.detail, sizeof x.detail, "%s",
             object ? "fence.mbarrier_init or fence.proxy.async has to stand "
                      "between the initialisation and this copy"
                    : "fence.proxy.async has to stand between the write and "
                      "this operation: behind the write, before the barrier");
    access_finding(a, lane, FIND_PROXY, &x);
}
