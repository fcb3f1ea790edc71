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

void transfers_open(struct worker *k)
{
    size_t words = k->run->shared_end / WORD + TRANSFER_MOST;
    if (!k->arriving)
        k->arriving = own_not_null(calloc(words, sizeof *k->arriving));
}

struct transfer *transfer_new(struct warp *w, const struct inst *i)
{
    struct worker *k = w->worker;
    struct block *b = w->block;
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
    t->serial = ++b->transfer_serial;
    if (!b->transfers)
        b->transfers_end = &b->transfers;
    *b->transfers_end = t;
    b->transfers_end = &t->next;
    return t;
}

static uint32_t bytes_of(const struct transfer *t)
{
    const struct access_form *form = &t->at->detail->access;
    return (uint32_t)form->size * form->n;
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

void transfer_start(const struct access *a, struct transfer *t, int lane)
{
    struct worker *k = a->warp->worker;
    t->mask |= 1u << lane;
    t->to[lane] = a->addr[lane];
    t->stamp[lane] = 0;
    for (uint32_t b = 0; b < a->bytes; b += WORD)
        k->arriving[(t->to[lane] + b) / WORD]++;
    k->pending++;
    forget(k, t->to[lane], a->bytes);
}

/* Counts a's words up, or down again. Returns whether one had a count. */
static bool count_arriving(const struct access *a, int by)
{
    uint16_t *arriving = a->warp->worker->arriving;
    uint32_t any = 0;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        uint16_t *at = arriving + a->addr[first_lane(rest)] / WORD;
        for (uint32_t b = 0; b < a->bytes / WORD; b++) {
            any |= at[b];
            at[b] = (uint16_t)(at[b] + by);
        }
    }
    return any;
}

bool transfer_start_alone(const struct access *a, struct transfer *t)
{
    struct worker *k = a->warp->worker;
    if (count_arriving(a, 1)) {
        count_arriving(a, -1);
        return false;
    }
    for (uint32_t rest = a->mask; rest; rest &= rest - 1)
        forget(k, a->addr[first_lane(rest)], a->bytes);
    t->mask = a->mask;
    memcpy(t->to, a->addr, sizeof t->to);
    memset(t->stamp, 0, sizeof t->stamp);
    k->pending += (uint32_t)__builtin_popcount(a->mask);
    return true;
}

static void land_lane(struct worker *k, struct transfer *t, int l,
                      uint32_t bytes)
{
    uint8_t bits;
    transfer_copy(k->shared + t->to[l], t->data[l], bytes);
    for (uint32_t b = 0; b < bytes; b += WORD) {
        uint64_t address = t->to[l] + b;
        uint8_t *at = word_bits(k, address, &bits);
        if (--k->arriving[address / WORD] == 0)
            *at |= bits;
    }
    k->pending--;
}

void transfer_reads(const struct access *a, struct transfer *t)
{
    struct access reads = *a;
    uint32_t stamps[LANES];
    memcpy(t->from, a->addr, sizeof t->from);
    memcpy(t->from_bytes, a->lane_bytes, sizeof t->from_bytes);
    for (int l = 0; l < LANES; l++)
        stamps[l] = STAMP_UNDER_WAY;
    reads.stamps = stamps;
    access_raise(&reads);
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
    a.part = PART_LANDED;
    a.stamps = t->stamp;
    a.lane_bytes = t->from_bytes;
    memcpy(a.addr, t->from, sizeof a.addr);
    access_raise_races(run_of(w), &a);
}

static void raise_landed(struct warp *w, const struct transfer *t,
                         uint32_t lanes)
{
    const struct access_form *form = &t->at->detail->access;
    struct access a;
    access_init(&a, w, t->at, form, PTX_SPACE_SHARED, lanes);
    a.part = PART_LANDED;
    a.stamps = t->stamp;
    a.stored = (uintptr_t)w->worker->shared;
    memcpy(a.addr, t->to, sizeof a.addr);
    access_facts(&a);
    access_raise(&a);
}

void transfer_land(struct block *b, struct transfer *t, uint32_t lanes)
{
    struct warp *w = &b->warps[t->warp];
    uint32_t bytes = bytes_of(t);
    if (!lanes)
        return;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        land_lane(w->worker, t, first_lane(rest), bytes);
    t->mask &= ~lanes;
    raise_read(w, t, lanes);
    raise_landed(w, t, lanes);
}

void transfers_sweep(struct block *b)
{
    struct worker *k = b->warps[0].worker;
    struct transfer **p = &b->transfers;
    while (*p) {
        struct transfer *t = *p;
        if (t->mask) {
            p = &t->next;
            continue;
        }
        *p = t->next;
        t->next = k->free_transfers;
        k->free_transfers = t;
    }
    b->transfers_end = p;
}

void transfers_reset(struct worker *k)
{
    struct block *b = &k->block;
    for (struct transfer *t = b->transfers; t; t = t->next) {
        raise_read(&b->warps[t->warp], t, t->mask);
        t->mask = 0;
    }
    if (b->transfers)
        transfers_sweep(b);
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

static bool any_arriving(const struct worker *k, uint64_t address,
                         uint32_t bytes)
{
    uint64_t last = (address + bytes - 1) / WORD;
    bool any = false;
    for (uint64_t word = address / WORD; word <= last; word++)
        any |= k->arriving[word] != 0;
    return any;
}

const struct transfer *transfer_at(const struct block *b, uint64_t address,
                                   uint32_t bytes, uint32_t *thread)
{
    const struct worker *k = b->warps[0].worker;
    if (!k->pending || !any_arriving(k, address, bytes))
        return NULL;
    for (const struct transfer *t = b->transfers; t; t = t->next)
        for (uint32_t rest = t->mask; rest; rest &= rest - 1) {
            int l = first_lane(rest);
            *thread = t->warp * LANES + (uint32_t)l;
            if (address < t->to[l] + bytes_of(t) &&
                t->to[l] < address + bytes)
                return t;
        }
    return NULL;
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
