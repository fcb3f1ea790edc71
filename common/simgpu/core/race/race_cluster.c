// SPDX-License-Identifier: MIT
/*
 * race_cluster.c: what orders accesses of two blocks of a cluster, and their
 * accesses to each other's shared memory. Interface: race.h.
 *
 * Each warp knows, of each other block, the stamps below which it has seen
 * everything: whole blocks, warps, threads. Barriers of the cluster, mbarriers
 * and the block's own barriers hand this on.
 *
 * A block's shared memory is gone when its last thread has left. So whoever
 * touches another block's must come before that by order, not by luck: the last
 * access of each visiting thread is kept, and when the block has ended, one of
 * its warps must have seen it.
 */
#include "race.h"

#include <stdlib.h>
#include <string.h>

#include "simgpu/core/memory/own.h"
#include "simgpu/core/state/finding.h"

struct visit { /* by a thread of another block */
    uint64_t tag;        /* as in that block's own records; 0: none */
    uint32_t address, bytes;
};

/* A thread's last visit is ordered behind its earlier ones, but what its
 * asynchronous copies do is in no order with what it does itself. */
enum by { BY_THREAD, BY_COPY, VISITORS };

struct cluster_seen {
    struct seen_block of[MAX_WARPS][CLUSTER_MOST]; /* of mine; of rank */
    uint32_t visitors[CLUSTER_MOST];               /* warps, a bit each */
    struct visit visits[CLUSTER_MOST][MAX_WARPS][LANES][VISITORS];
};

void race_join(uint32_t *to, const uint32_t *from, size_t n)
{
    for (size_t k = 0; k < n; k++)
        to[k] = to[k] > from[k] ? to[k] : from[k];
}

void race_raise(uint32_t *to, uint32_t stamp)
{
    *to = *to > stamp ? *to : stamp;
}

static struct cluster_seen *seen_of(struct block *b)
{
    if (!b->seen)
        b->seen = own_not_null(calloc(1, sizeof *b->seen));
    return b->seen;
}

void race_cluster_begins(struct block *b)
{
    struct cluster_seen *s = b->seen;
    if (!s)
        return;
    for (int w = 0; w < MAX_WARPS; w++)
        for (int rank = 0; rank < CLUSTER_MOST; rank++)
            if (s->of[w][rank].any)
                memset(&s->of[w][rank], 0, sizeof s->of[w][rank]);
    for (int rank = 0; rank < CLUSTER_MOST; rank++) {
        for (uint32_t rest = s->visitors[rank]; rest; rest &= rest - 1)
            memset(s->visits[rank][first_lane(rest)], 0,
                   sizeof s->visits[rank][0]);
        s->visitors[rank] = 0;
    }
}

void race_cluster_close(struct block *b)
{
    free(b->seen);
}

struct seen_block *race_seen(struct warp *w, uint32_t rank)
{
    return &seen_of(w->block)->of[w->index][rank];
}

static void join_copies(struct seen_block *to, const struct seen_block *from)
{
    if (!from->copies)
        return;
    to->copies = true;
    race_join(to->landed, from->landed, MAX_WARPS * LANES);
}

void race_seen_join(struct seen_block *to, const struct seen_block *from)
{
    if (!from->any)
        return;
    to->any = true;
    race_raise(&to->floor, from->floor);
    race_join(to->warp, from->warp, MAX_WARPS);
    race_join(to->inits, from->inits, MAX_WARPS);
    join_copies(to, from);
    if (!from->threads)
        return;
    to->threads = true;
    race_join(to->thread, from->thread, MAX_WARPS * LANES);
}

void race_cluster_meet(struct block *b, uint32_t from, uint32_t to)
{
    const struct worker *k = b->warps[0].worker;
    for (uint32_t rank = 0; b->seen && rank < k->cluster->n; rank++) {
        struct seen_block all = {.any = false};
        for (uint32_t rest = from; rest; rest &= rest - 1)
            race_seen_join(&all, &b->seen->of[first_lane(rest)][rank]);
        for (uint32_t rest = to; rest; rest &= rest - 1)
            race_seen_join(&b->seen->of[first_lane(rest)][rank], &all);
    }
}

/* Two blocks --------------------------------------------------------------- */

struct worker *race_peer(const struct warp *w, uint64_t block)
{
    const struct cluster *c = w->worker->cluster;
    for (uint32_t rank = 0; c && rank < c->n; rank++)
        if (c->member[rank]->block.index == block)
            return c->member[rank];
    return NULL;
}

static bool is_init(const struct run *r, uint64_t tag)
{
    const struct access_form *f = race_form(r, tag);
    return f && f->kind == ACCESS_OBJECT && !f->strong;
}

void race_inits_seen(struct warp *w, const uint32_t inits[MAX_WARPS])
{
    uint32_t any = 0;
    for (int n = 0; n < MAX_WARPS; n++)
        any |= inits[n];
    if (!any)
        return;
    struct seen_block *p = race_seen(w, w->worker->rank);
    p->any = true;
    race_join(p->inits, inits, MAX_WARPS);
}

bool race_init_ordered(const struct warp *w, uint64_t before)
{
    const struct cluster_seen *s = w->block->seen;
    uint32_t by = tag_thread(before) / LANES;
    return s && before >> TAG_STAMP <
                    s->of[w->index][w->worker->rank].inits[by] &&
           is_init(run_of(w), before);
}

bool race_is_copy(const struct run *r, uint64_t tag)
{
    const struct access_form *f = race_form(r, tag);
    return f && (f->kind == ACCESS_COPY || f->kind == ACCESS_BULK);
}

bool race_seen_covers(const struct run *r, const struct seen_block *p,
                      uint64_t tag)
{
    uint32_t stamp = tag >> TAG_STAMP, thread = tag_thread(tag);
    return stamp < p->floor || stamp < p->warp[thread / LANES] ||
           (p->threads && stamp < p->thread[thread]) ||
           (p->copies && stamp < p->landed[thread] && race_is_copy(r, tag)) ||
           (stamp < p->inits[thread / LANES] && is_init(r, tag));
}

bool race_peer_ordered(struct warp *w, uint32_t lanes, uint32_t rank,
                       uint64_t before)
{
    return (w->block->seen &&
            race_seen_covers(run_of(w), race_seen(w, rank), before)) ||
           race_notes_cover(w, lanes, rank, before);
}

const struct worker *race_whose(const struct worker *owner, uint64_t *tag)
{
    uint32_t rank = *tag >> TAG_RANK & (CLUSTER_MOST - 1);
    if (*tag < TAG_FOREIGN)
        return owner;
    *tag &= (1ull << TAG_RANK) - 1;
    return owner->cluster->member[rank];
}

struct whose {
    const struct worker *by;
    uint64_t tag;
};

static struct whose whose(const struct worker *owner, uint64_t tag)
{
    const struct worker *by = race_whose(owner, &tag);
    return (struct whose){by, tag};
}

bool race_foreign_old(const struct worker *owner, uint64_t before)
{
    struct whose x = whose(owner, before);
    return x.tag < stamp_tag(x.by->block.start);
}

bool race_foreign_ordered(struct warp *w, int lane, const struct worker *owner,
                          uint64_t before)
{
    struct whose x = whose(owner, before);
    if (x.by != w->worker)
        return race_peer_ordered(w, 1u << lane, x.by->rank, x.tag) ||
               race_released(w, 1u << lane, x.by->block.index, x.tag);
    return x.tag < stamp_tag(w->block->floor) ||
           same_thread(x.tag, w->tags[lane]) || race_ordered(w, lane, x.tag);
}

uint64_t race_foreign_tag(const struct access *a, int l)
{
    uint64_t tag = race_tag(a, l);
    if (tag >> (TAG_STAMP + FOREIGN_STAMP))
        return 0;
    return TAG_FOREIGN | (uint64_t)a->warp->worker->rank << TAG_RANK | tag;
}

void race_foreign_accuse(const struct access *a, int lane, uint64_t address,
                         uint64_t before, enum finding_kind kind)
{
    const struct worker *k = a->warp->worker;
    const struct worker *owner = a->peer ? a->peer : k;
    struct whose x = whose(owner, before);
    const uint32_t *id = x.by->block.id;
    struct finding f = {.space = PTX_SPACE_SHARED, .address = address,
                        .bytes = a->bytes,
                        .other = race_site_of(k->run, x.tag)};
    race_name_shared(k->run, address, &f);
    snprintf(f.detail, sizeof f.detail,
             "in the shared memory of rank %u of the cluster; this one by rank "
             "%u, that one by rank %u, block (%u,%u,%u): %s",
             owner->rank, k->rank, x.by->rank, id[0], id[1], id[2],
             kind == FIND_EQUAL_WRITES ? "both write the same value"
                                       : "nothing orders the two");
    access_finding(a, lane, kind, &f);
}

/* Whose memory it is, and for how long ------------------------------------- */

static void gone(const struct worker *owner, struct finding *f)
{
    const uint32_t *id = owner->block.id;
    race_name_shared(owner->run, f->address, f);
    snprintf(f->detail, sizeof f->detail,
             "rank %u of the cluster, block (%u,%u,%u), may have exited by "
             "then: its shared memory needs a cluster barrier behind this "
             "access", owner->rank, id[0], id[1], id[2]);
}

static void not_yet_there(const struct access *a)
{
    const struct worker *owner = a->peer;
    const uint32_t *id = owner->block.id;
    int lane = first_lane(a->mask);
    struct finding f = {.space = PTX_SPACE_SHARED, .address = a->addr[lane],
                        .bytes = a->bytes};
    race_name_shared(owner->run, f.address, &f);
    snprintf(f.detail, sizeof f.detail,
             "rank %u of the cluster, block (%u,%u,%u), may not have started: "
             "its shared memory needs a cluster barrier before this access",
             owner->rank, id[0], id[1], id[2]);
    access_finding(a, lane, FIND_EXITED, &f);
}

/* Who waits for the bytes of a bulk copy has seen it count them off: its own
 * visit is what has to be over. */
static bool counts_bytes(const struct access *a)
{
    const struct detail *t = a->inst->detail;
    return t && t->bulk && a->form == &t->bulk->signal;
}

void race_visit(const struct access *a)
{
    struct warp *w = a->warp;
    int lane = first_lane(a->mask);
    struct cluster_seen *s = seen_of(&a->peer->block);
    enum by by = a->form->kind == ACCESS_BULK ? BY_COPY : BY_THREAD;
    a->peer->race->visited = true;
    s->visitors[w->worker->rank] |= 1u << w->index;
    for (uint32_t rest = counts_bytes(a) ? 0 : a->mask; rest;
         rest &= rest - 1) {
        int l = first_lane(rest);
        s->visits[w->worker->rank][w->index][l][by] = (struct visit){
            race_tag(a, l), (uint32_t)a->addr[l], a->bytes};
    }
    if (!w->block->joined && !race_seen(w, a->peer->rank)->any)
        not_yet_there(a);
    if (a->peer->has_block)
        return;
    struct finding f = {.space = PTX_SPACE_SHARED, .address = a->addr[lane],
                        .bytes = a->bytes};
    gone(a->peer, &f);
    access_finding(a, lane, FIND_EXITED, &f);
}

static bool any_warp_saw(struct block *b, uint32_t rank, uint64_t tag)
{
    const struct worker *other = b->warps[0].worker->cluster->member[rank];
    for (uint32_t n = 0; n < b->n_warps; n++)
        if (race_peer_ordered(&b->warps[n], FULL, rank, tag) ||
            race_released(&b->warps[n], (uint32_t)FULL, other->block.index,
                          tag))
            return true;
    return false;
}

static void judge_visit(struct worker *k, const struct worker *by,
                        const struct visit *v)
{
    struct finding f = {.kind = FIND_EXITED,
                        .kernel = k->run->kernel->info.name,
                        .at = race_site_of(k->run, v->tag), .count = 1,
                        .space = PTX_SPACE_SHARED, .address = v->address,
                        .bytes = v->bytes};
    memcpy(f.block, by->block.id, sizeof f.block);
    gone(k, &f);
    found_add(k, &f, k->order);
}

void race_ended(struct worker *k)
{
    struct block *b = &k->block;
    for (uint32_t rank = 0; b->seen && rank < k->cluster->n; rank++)
        for (uint32_t rest = b->seen->visitors[rank]; rest; rest &= rest - 1) {
            const struct visit *v =
                b->seen->visits[rank][first_lane(rest)][0];
            for (int n = 0; n < LANES * VISITORS; n++)
                if (v[n].tag && !any_warp_saw(b, rank, v[n].tag))
                    judge_visit(k, k->cluster->member[rank], &v[n]);
        }
}
