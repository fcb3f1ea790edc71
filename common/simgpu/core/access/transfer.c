// SPDX-License-Identifier: MIT
/*
 * transfer.c: bytes on their way into shared memory. Interface: transfer.h.
 *
 * A word of shared memory counts the transfers that will write it, so that
 * the usual question, whether there is one at all, costs a look-up.
 */
#include "transfer.h"

#include <stdlib.h>
#include <string.h>

#include "place.h"
#include "raise.h"
#include "simgpu/core/memory/own.h"
#include "simgpu/core/state/finding.h"

enum { WORD = 4 }; /* the least that a lane copies */

static const uint32_t of_now[LANES];
static const uint32_t under_way[LANES] = {
    [0 ... LANES - 1] = STAMP_UNDER_WAY};

void transfers_open(struct worker *k)
{
    size_t words = k->run->shared_end / WORD + TRANSFER_MOST;
    if (!k->arriving)
        k->arriving = own_not_null(calloc(words, sizeof *k->arriving));
}

struct transfer *transfer_new(struct warp *w, const struct inst *i)
{
    struct worker *k = w->worker;
    struct transfer *t = k->free_transfers;
    if (t)
        k->free_transfers = t->next;
    else
        t = own_not_null(malloc(sizeof *t));
    transfers_open(k);
    t->at = i;
    t->function = w->leaf->frame->function;
    t->next = NULL;
    t->warp = w->index;
    t->mask = 0;
    t->bytes = (uint32_t)i->detail->access.size * i->detail->access.n;
    t->stamped = false;
    t->serial = ++w->block->transfer_serial;
    if (!w->transfers)
        w->transfers_end = &w->transfers;
    *w->transfers_end = t;
    w->transfers_end = &t->next;
    w->block->n_transfers++;
    return t;
}

void transfer_groups(struct transfer *t, const uint32_t groups[LANES])
{
    uint32_t differ = 0;
    t->least = t->most = groups[0];
    for (int l = 0; l < LANES; l++)
        differ |= groups[l] ^ groups[0];
    if (!differ)
        return;
    memcpy(t->group, groups, sizeof t->group);
    for (int l = 0; l < LANES; l++) {
        t->least = groups[l] < t->least ? groups[l] : t->least;
        t->most = groups[l] > t->most ? groups[l] : t->most;
    }
}

/* The initialised bits of whole words. */
static uint8_t *word_bits(const struct worker *k, uint64_t address,
                          uint8_t *bits)
{
    *bits = (uint8_t)(0xf << (address & WORD));
    return &k->shared_init[address / 8];
}

static void forget(struct worker *k, uint64_t address, uint32_t bytes)
{
    uint8_t bits;
    for (uint32_t b = 0; b < bytes; b += WORD) {
        uint8_t *at = word_bits(k, address + b, &bits);
        *at &= (uint8_t)~bits;
    }
}

static void start_lane(const struct access *a, struct transfer *t, int lane)
{
    struct worker *k = a->warp->worker;
    t->mask |= 1u << lane;
    t->to[lane] = (uint32_t)a->addr[lane];
    for (uint32_t b = 0; b < a->bytes; b += WORD)
        k->arriving[(t->to[lane] + b) / WORD]++;
    k->pending++;
    forget(k, t->to[lane], a->bytes);
}

/* Counts a's words up, or down again. Returns whether one had a count. */
ACCESS_INLINE bool count_words(const struct access *a, int by,
                               const uint32_t bytes)
{
    uint16_t *arriving = a->warp->worker->arriving;
    uint32_t any = 0;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        uint16_t *at = arriving + a->addr[first_lane(rest)] / WORD;
        for (uint32_t b = 0; b < bytes / WORD; b++) {
            any |= at[b];
            at[b] = (uint16_t)(at[b] + by);
        }
    }
    return any;
}

static bool count_arriving(const struct access *a, int by)
{
    return a->bytes == WORD ? count_words(a, by, WORD)
                            : count_words(a, by, a->bytes);
}

/* All lanes of the write at once. false: nothing was started, as a byte of it
 * has a transfer under way, or two lanes write it. */
static bool start_alone(const struct access *a, struct transfer *t)
{
    struct worker *k = a->warp->worker;
    if (count_arriving(a, 1)) {
        count_arriving(a, -1);
        return false;
    }
    for (uint32_t rest = a->mask; rest; rest &= rest - 1)
        forget(k, a->addr[first_lane(rest)], a->bytes);
    t->mask = a->mask;
    for (int l = 0; l < LANES; l++)
        t->to[l] = (uint32_t)a->addr[l];
    k->pending += (uint32_t)__builtin_popcount(a->mask);
    return true;
}

ACCESS_INLINE void land_lanes(struct worker *k, const struct transfer *t,
                              uint32_t lanes, const uint32_t bytes)
{
    uint8_t bits;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        transfer_copy(k->shared + t->to[l], t->data + bytes * (uint32_t)l,
                      bytes);
        for (uint32_t b = 0; b < bytes; b += WORD) {
            uint64_t address = t->to[l] + b;
            uint8_t *at = word_bits(k, address, &bits);
            if (--k->arriving[address / WORD] == 0)
                *at |= bits;
        }
    }
}

void transfer_reads(struct access *a, struct transfer *t)
{
    if (run_of(a->warp)->races) {
        memcpy(t->from, a->addr, sizeof t->from);
        if (a->lane_bytes)
            memcpy(t->from_bytes, a->lane_bytes, sizeof t->from_bytes);
        else
            memset(t->from_bytes, (int)a->bytes, sizeof t->from_bytes);
        a->stamps = under_way;
    }
    access_raise(a);
}

/* The races' records may forget that these lanes still read. */
static void raise_read(struct warp *w, const struct transfer *t,
                       uint32_t lanes)
{
    struct access a;
    if (!run_of(w)->races)
        return;
    access_init(&a, w, t->at, t->at->detail->from, PTX_SPACE_GLOBAL, 0);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        a.mask |= t->from_bytes[first_lane(rest)] ? rest & -rest : 0;
    a.function = t->function;
    a.part = PART_LANDED;
    a.stamps = t->stamped ? t->stamp : of_now;
    a.lane_bytes = t->from_bytes;
    memcpy(a.addr, t->from, sizeof a.addr);
    access_raise_races(run_of(w), &a);
}

static void raise_landed(struct warp *w, const struct transfer *t,
                         uint32_t lanes)
{
    const struct access_form *form = &t->at->detail->access;
    const struct run *r = run_of(w);
    struct access a;
    if (!r->races && !r->traffic)
        return; /* counters count what is read */
    access_init(&a, w, t->at, form, PTX_SPACE_SHARED, lanes);
    a.function = t->function;
    a.part = PART_LANDED;
    a.stamps = t->stamped ? t->stamp : of_now;
    a.stored = (uintptr_t)w->worker->shared;
    for (int l = 0; l < LANES; l++)
        a.addr[l] = t->to[l];
    access_facts(&a);
    access_raise(&a);
}

void transfer_land(struct block *b, struct transfer *t, uint32_t lanes)
{
    struct warp *w = &b->warps[t->warp];
    if (!lanes)
        return;
    if (t->bytes == WORD)
        land_lanes(w->worker, t, lanes, WORD);
    else if (t->bytes == TRANSFER_MOST)
        land_lanes(w->worker, t, lanes, TRANSFER_MOST);
    else
        land_lanes(w->worker, t, lanes, t->bytes);
    w->worker->pending -= (uint32_t)__builtin_popcount(lanes);
    t->mask &= ~lanes;
    raise_read(w, t, lanes);
    raise_landed(w, t, lanes);
}

void transfers_sweep(struct warp *w)
{
    struct worker *k = w->worker;
    struct transfer **p = &w->transfers;
    while (*p) {
        struct transfer *t = *p;
        if (t->mask) {
            p = &t->next;
            continue;
        }
        *p = t->next;
        t->next = k->free_transfers;
        k->free_transfers = t;
        w->block->n_transfers--;
    }
    w->transfers_end = p;
}

void transfers_reset(struct worker *k)
{
    struct block *b = &k->block;
    for (struct warp *w = b->warps; b->n_transfers; w++) {
        for (struct transfer *t = w->transfers; t; t = t->next) {
            raise_read(w, t, t->mask);
            t->mask = 0;
        }
        transfers_sweep(w);
    }
    if (k->pending)
        memset(k->arriving, 0,
               k->run->shared_end / WORD * sizeof *k->arriving);
    k->pending = 0;
}

void transfers_close(struct worker *k)
{
    transfers_reset(k);
    while (k->free_transfers) {
        struct transfer *next = k->free_transfers->next;
        free(k->free_transfers);
        k->free_transfers = next;
    }
    free(k->arriving);
}

/* Whose ---------------------------------------------------------------------*/

bool transfer_arrives(const struct worker *k, uint64_t address, uint32_t bytes)
{
    uint64_t last = (address + bytes - 1) / WORD;
    bool any = false;
    for (uint64_t word = address / WORD; k->pending && word <= last; word++)
        any |= k->arriving[word] != 0;
    return any;
}

/* The first lane under way that writes one of these bytes; LANES: none. */
static int lane_at(const struct transfer *t, uint64_t address, uint32_t bytes)
{
    for (uint32_t rest = t->mask; rest; rest &= rest - 1) {
        uint64_t to = t->to[first_lane(rest)];
        if (address < to + t->bytes && to < address + bytes)
            return first_lane(rest);
    }
    return LANES;
}

/* What will write one of these bytes; thread: whose it is. NULL: none. */
static const struct transfer *transfer_at(const struct block *b,
                                          uint64_t address, uint32_t bytes,
                                          uint32_t *thread)
{
    const struct worker *k = b->warps[0].worker;
    const struct transfer *first = NULL;
    if (!transfer_arrives(k, address, bytes))
        return NULL;
    for (uint32_t n = 0; n < b->n_warps; n++)
        for (const struct transfer *t = b->warps[n].transfers;
             t && (!first || t->serial < first->serial); t = t->next) {
            int l = lane_at(t, address, bytes);
            if (l == LANES)
                continue;
            *thread = n * LANES + (uint32_t)l;
            first = t;
        }
    return first;
}

bool transfer_accuse(const struct access *a, int lane, struct worker *k,
                     uint64_t address)
{
    struct finding x = {.space = PTX_SPACE_SHARED, .address = address,
                        .bytes = a->bytes};
    struct block *b = &k->block;
    uint32_t thread;
    const struct transfer *t = transfer_at(b, address, a->bytes, &thread);
    if (!t)
        return false;
    place_about(a->warp, PTX_SPACE_SHARED, address, &x);
    x.other = finding_site(finding_source(t->function, t->at));
    x.other.write = true;
    finding_thread(&b->warps[thread / LANES], (int)(thread % LANES),
                   x.other.thread);
    snprintf(x.detail, sizeof x.detail,
             "its asynchronous copy was never waited for");
    access_finding(a, lane, FIND_RACE, &x);
    return true;
}

/* Beginning ---------------------------------------------------------------- */

/* Two copies under way to one place: groups of one thread land in order,
 * all else does not. */
static void find_overlap(const struct access *a, struct transfer *c,
                         int l)
{
    uint32_t thread;
    const struct transfer *other =
        transfer_at(a->warp->block, a->addr[l], a->bytes, &thread);
    int lane = (int)(thread % LANES);
    if (!other)
        return;
    bool same_thread = thread == a->warp->index * LANES + (uint32_t)l;
    bool same_bytes = other->to[lane] == a->addr[l] &&
                      memcmp(other->data + other->bytes * (uint32_t)lane,
                             transfer_data(c, l), a->bytes) == 0;
    if (!same_bytes && !(same_thread && transfer_group(other, lane) !=
                                            transfer_group(c, l)))
        transfer_accuse(a, l, a->warp->worker, a->addr[l]);
}

/* One lane after the other, if some bytes have a copy under way. */
void transfer_begin(const struct access *a, struct transfer *t)
{
    if (start_alone(a, t))
        return;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        find_overlap(a, t, first_lane(rest));
        start_lane(a, t, first_lane(rest));
    }
}
