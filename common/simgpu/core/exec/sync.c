// SPDX-License-Identifier: MIT
/*
 * sync.c: .sync operations of a warp.
 *
 *   op_warp_sync, op_shuffle, op_vote, op_match, op_redux, op_elect
 *   sync_end_shuffle, ...   the second halves
 *   op_activemask
 *   sync_whole      what all lanes of a warp must do at once
 *   sync_recheck    after lanes exited
 *
 * A .sync operation has two halves: each lane publishes its value in
 * warp->exchange; when all lanes named in the member mask (that have not
 * exited) have published, each reads what it needs. Lanes may arrive from
 * different places in the program, so the halves can be far apart. Lanes at
 * operations of different kinds do not wait for each other.
 */
#include "control.h"
#include "simgpu/core/lanes/eval.h"
#include "simgpu/core/state/observe.h"
#include "simgpu/core/state/finding.h"
#include "suspect.h"
#include "sync.h"

/* What an inactive source lane shows: odd as a float and as an integer. */
static const uint32_t nobody = 0x7fc0dead;

static uint32_t segment_source(const struct inst *i, int lane, uint32_t b,
                               uint32_t c, bool *in_range)
{
    int segment = c >> 8 & 31, clamp = c & 31, delta = b & 31;
    int last = (lane & segment) | (clamp & ~segment);
    int first = lane & segment, j = lane;
    switch (i->detail->op) {
    case SHUFFLE_UP: j = lane - delta; *in_range = j >= last; break;
    case SHUFFLE_DOWN: j = lane + delta; *in_range = j <= last; break;
    case SHUFFLE_BFLY: j = lane ^ delta; *in_range = j <= last; break;
    default:
        j = first | (delta & ~segment);
        *in_range = j <= last;
    }
    return (uint32_t)(*in_range ? j : lane);
}

void sync_end_shuffle(struct warp *w, const struct inst *i, uint32_t mask,
                      uint32_t members)
{
    uint32_t *d = slot(w, i->d), p = 0, members_alive = members & ~w->dead;
    uint32_t out[LANES], absent = 0;
    uint8_t giver[LANES];
    const uint32_t *b = slot(w, i->b), *c = slot(w, i->c);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        bool in_range;
        uint32_t from = segment_source(i, l, b[l], c[l], &in_range);
        p |= (uint32_t)in_range << l;
        giver[l] = (uint8_t)from;
        absent |= ~(members_alive >> from) & 1;
        out[l] = members_alive >> from & 1 ? (uint32_t)w->exchange[from]
                                           : nobody;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        d[first_lane(rest)] = out[first_lane(rest)];
    if (absent || w->follower)
        suspect_exchange(w, i, mask, giver, members);
    if (i->detail->pair != NO_SLOT) {
        uint32_t *pred = slot(w, i->detail->pair);
        *pred = (*pred & ~mask) | p;
    }
}

void sync_end_vote(struct warp *w, const struct inst *i, uint32_t mask,
                   uint32_t members)
{
    uint32_t alive = members & ~w->dead, yes = 0;
    for (uint32_t rest = alive; rest; rest &= rest - 1)
        yes |= (uint32_t)w->exchange[first_lane(rest)] << first_lane(rest);
    uint32_t *d = slot(w, i->d), p = 0;
    switch (i->detail->op) {
    case VOTE_BALLOT:
        for (uint32_t rest = mask; rest; rest &= rest - 1)
            d[first_lane(rest)] = yes;
        return;
    case VOTE_ALL: p = yes == alive; break;
    case VOTE_ANY: p = yes != 0; break;
    default: p = yes == alive || yes == 0;
    }
    *d = (*d & ~mask) | (p ? mask : 0);
}

void sync_end_match(struct warp *w, const struct inst *i, uint32_t mask,
                    uint32_t members)
{
    uint32_t alive = members & ~w->dead, p = 0;
    uint32_t *d = slot(w, i->d);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint32_t same = 0;
        for (uint32_t m = alive; m; m &= m - 1)
            same |= (uint32_t)(w->exchange[first_lane(m)] == w->exchange[l])
                    << first_lane(m);
        bool all = same == alive;
        p |= (uint32_t)all << l;
        d[l] = i->detail->op == MATCH_ALL && !all ? 0 : same;
    }
    if (i->detail->pair != NO_SLOT) {
        uint32_t *pred = slot(w, i->detail->pair);
        *pred = (*pred & ~mask) | p;
    }
}

static uint32_t reduce(const struct inst *i, uint32_t x, uint32_t y)
{
    switch (i->detail->op) {
    case REDUX_ADD: return x + y;
    case REDUX_MIN: return x < y ? x : y;
    case REDUX_MAX: return x > y ? x : y;
    case REDUX_MIN_S: return (int32_t)x < (int32_t)y ? x : y;
    case REDUX_MAX_S: return (int32_t)x > (int32_t)y ? x : y;
    case REDUX_MIN_F: return (uint32_t)eval_min_f32(x, y, 0, i);
    case REDUX_MAX_F: return (uint32_t)eval_max_f32(x, y, 0, i);
    case REDUX_AND: return x & y;
    case REDUX_OR: return x | y;
    default: return x ^ y;
    }
}

void sync_end_redux(struct warp *w, const struct inst *i, uint32_t mask,
                    uint32_t members)
{
    uint32_t rest = members & ~w->dead;
    uint32_t value = (uint32_t)w->exchange[first_lane(rest)];
    while (rest &= rest - 1)
        value = reduce(i, value, (uint32_t)w->exchange[first_lane(rest)]);
    uint32_t *d = slot(w, i->d);
    for (; mask; mask &= mask - 1)
        d[first_lane(mask)] = value;
}

/* The least lane of the members; pair: who it is. */
void sync_end_elect(struct warp *w, const struct inst *i, uint32_t mask,
                    uint32_t members)
{
    int leader = first_lane(members & ~w->dead);
    uint32_t *d = slot(w, i->d);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        d[first_lane(rest)] = (uint32_t)leader;
    if (i->detail->pair != NO_SLOT) {
        uint32_t *pred = slot(w, i->detail->pair);
        *pred = (*pred & ~mask) | (mask & 1u << leader);
    }
}

/* A matrix instruction by some of a warp's lanes: PTX leaves undefined what it
 * does. */
static void accuse_part(struct warp *w, const struct inst *i, uint32_t mask)
{
    struct finding x = {0};
    snprintf(x.detail, sizeof x.detail,
             "all 32 lanes must come to it together; these did: 0x%08x", mask);
    finding_add(w, i, first_lane(mask), FIND_DEADLOCK, &x);
    fault_raise(w, FAULT_DEADLOCK);
}

static void complete(struct warp *w, const struct inst *i, uint32_t mask,
                     uint32_t members)
{
    bool whole = i->detail && i->detail->whole;
    if (whole && mask != (uint32_t)FULL)
        accuse_part(w, i, mask);
    else if (whole)
        i->fn(w, i, mask);
    else if (i->detail && i->detail->finish)
        i->detail->finish(w, i, mask, members);
}

/* A .sync of one kind does not complete one of another. */
static bool waits_for(const struct node *n, uint32_t members, handler *kind)
{
    return n->state == NODE_SYNC && n->sync == members && n->pc->fn == kind;
}

/* Lanes have met at i. __syncwarp() orders what they did to memory, and so
 * does an instruction of the whole warp; shuffles, votes and the like do
 * not. */
static void tell_sync(struct warp *w, const struct inst *i, uint32_t members)
{
    if (!i->detail || !i->detail->finish)
        observe_sync(w, members);
}

/* All leaves that wait with the same members, at an operation of one kind, go
 * on if nobody is missing. */
static bool complete_waiting(struct warp *w, uint32_t members, handler *kind)
{
    uint32_t here = 0;
    const struct inst *i = NULL;
    for (struct node *n = w->leaves; n; n = n->next)
        if (waits_for(n, members, kind)) {
            here |= n->mask;
            i = n->pc;
        }
    if (!here || (members & ~w->dead & ~here))
        return false;
    tell_sync(w, i, members);
    leaf_merge_waiting(w, NODE_SYNC);
    uint8_t *regs = w->regs;
    struct node *leaf = w->leaf;
    for (struct node *n = w->leaves; n; n = n->next) {
        if (!waits_for(n, members, kind))
            continue;
        w->leaf = n;
        w->regs = n->frame->regs;
        complete(w, n->pc, n->mask, members);
        n->state = NODE_RUN;
        n->pc++;
    }
    w->leaf = leaf;
    w->regs = regs;
    return true;
}

bool sync_recheck(struct warp *w)
{
    bool followed = w->follower;
    for (struct node *n = w->leaves; n; n = n->next)
        if (n->state == NODE_SYNC)
            complete_waiting(w, n->sync, n->pc->fn);
    return !followed && w->follower;
}

static uint32_t lanes_naming(uint32_t set, uint32_t mask,
                             const uint32_t *named)
{
    uint32_t here = 0;
    for (uint32_t m = mask; m; m &= m - 1)
        here |= (uint32_t)(named[first_lane(m)] == set) << first_lane(m);
    return here;
}

/* Lanes that are in step and lack nobody: each set of members by itself. */
static void complete_sets(struct warp *w, const struct inst *i, uint32_t mask,
                          const uint32_t *named)
{
    for (uint32_t rest = mask; rest;) {
        uint32_t set = named[first_lane(rest)];
        uint32_t here = lanes_naming(set, rest, named);
        tell_sync(w, i, set);
        complete(w, i, here, set);
        rest &= ~here;
    }
}

/* Everybody whom a lane of mask names; *alike: all name the same. */
static uint32_t all_named(uint32_t mask, const uint32_t *named, bool *alike)
{
    uint32_t all = 0, common = UINT32_MAX;
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t off = (mask >> l & 1) - 1;
        all |= named[l] & ~off;
        common &= named[l] | off;
    }
    *alike = all == common;
    return all;
}

/* Who names others only: what the PTX ISA leaves undefined. */
static bool names_itself(struct warp *w, const struct inst *i, uint32_t mask,
                         const uint32_t *members)
{
    uint32_t named = 0;
    for (uint32_t l = 0; l < LANES; l++)
        named |= members[l] & 1u << l;
    for (uint32_t rest = mask & ~named; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        struct finding x = {0};
        snprintf(x.detail, sizeof x.detail,
                 "lane %d is not in its own mask, 0x%08x", l, members[l]);
        finding_add(w, i, l, FIND_DEADLOCK, &x);
        fault_raise(w, FAULT_DEADLOCK);
        return false;
    }
    return true;
}

/* The current leaf waits, a leaf for each set of members. */
static void wait_in_sets(struct warp *w, const struct inst *i, uint32_t mask,
                         const uint32_t *named)
{
    uint32_t sets[LANES], n = 0;
    struct node *leaf = w->leaf, *apart;
    leaf->sync = named[first_lane(mask)];
    sets[n++] = leaf->sync;
    for (uint32_t rest = mask & ~lanes_naming(leaf->sync, mask, named); rest;) {
        uint32_t set = named[first_lane(rest)];
        uint32_t here = lanes_naming(set, rest, named);
        leaf = leaf_part(w, leaf, here, &apart);
        leaf->sync = sets[0];
        apart->sync = set;
        sets[n++] = set;
        rest &= ~here;
    }
    while (n > 0)
        complete_waiting(w, sets[--n], i->fn);
}

/* Where the current leaf goes on; if the warp holds suspect values now, in the
 * loop that follows them. */
static const struct inst *go_on(struct warp *w, const struct inst *i,
                                bool followed)
{
    if (followed || !w->follower)
        return i + 1;
    w->leaf->pc = i + 1;
    return NULL;
}

/* at: the slot of the lanes' member masks. */
static const struct inst *arrive(struct warp *w, const struct inst *i,
                                 uint32_t mask, uint32_t at)
{
    const uint32_t *named = slot(w, at);
    if (!names_itself(w, i, mask, named))
        return NULL;
    bool alike, followed = w->follower;
    uint32_t members = all_named(mask, named, &alike);
    if (!(members & ~w->dead & ~mask)) {
        if (alike) {
            tell_sync(w, i, members);
            complete(w, i, mask, members);
        } else {
            complete_sets(w, i, mask, named);
        }
        return go_on(w, i, followed);
    }
    leaf_block(w, i, mask, NODE_SYNC);
    wait_in_sets(w, i, mask, named);
    return !followed && w->follower ? NULL : leaf_choose(w);
}

const struct inst *sync_whole(struct warp *w, const struct inst *i,
                              uint32_t mask)
{
    leaf_block(w, i, mask, NODE_SYNC);
    w->leaf->sync = FULL;
    complete_waiting(w, FULL, i->fn);
    return leaf_choose(w);
}

const struct inst *op_warp_sync(struct warp *w, const struct inst *i,
                                uint32_t mask)
{
    return arrive(w, i, mask, i->a);
}

/* slot[1]: the member mask of shuffle, match and redux. */
const struct inst *op_shuffle(struct warp *w, const struct inst *i,
                              uint32_t mask)
{
    const uint32_t *a = slot(w, i->a);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        w->exchange[first_lane(rest)] = a[first_lane(rest)];
    return arrive(w, i, mask, i->detail->extra);
}

const struct inst *op_match(struct warp *w, const struct inst *i,
                            uint32_t mask)
{
    const void *a = slot(w, i->a);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        w->exchange[l] = i->detail->reg == 8 ? ((const uint64_t *)a)[l]
                                             : ((const uint32_t *)a)[l];
    }
    return arrive(w, i, mask, i->detail->extra);
}

const struct inst *op_redux(struct warp *w, const struct inst *i,
                            uint32_t mask)
{
    uint32_t keep = i->mods & MOD_ABS ? INT32_MAX : UINT32_MAX;
    const uint32_t *a = slot(w, i->a);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        w->exchange[first_lane(rest)] = a[first_lane(rest)] & keep;
    return arrive(w, i, mask, i->detail->extra);
}

const struct inst *op_elect(struct warp *w, const struct inst *i,
                            uint32_t mask)
{
    return arrive(w, i, mask, i->a);
}

/* a: a predicate; p0: inverted. */
const struct inst *op_vote(struct warp *w, const struct inst *i,
                           uint32_t mask)
{
    uint32_t p = *(uint32_t *)slot(w, i->a) ^ (i->p0 ? (uint32_t)FULL : 0);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        w->exchange[first_lane(rest)] = p >> first_lane(rest) & 1;
    return arrive(w, i, mask, i->detail->extra);
}

const struct inst *op_activemask(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    uint32_t *d = slot(w, i->d);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        d[first_lane(rest)] = mask;
    return i + 1;
}
