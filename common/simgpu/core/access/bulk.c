// SPDX-License-Identifier: MIT
/*
 * bulk.c: copies of many bytes that land later. Interface: bulk.h.
 *
 * A word of shared memory counts the copies that will write it, and those that
 * still read it, so that the usual question, whether there is one at all, costs
 * a look-up. The first count is the one that transfers have.
 */
#include "bulk.h"

#include <stdlib.h>
#include <string.h>

#include "place.h"
#include "raise.h"
#include "simgpu/core/memory/own.h"
#include "simgpu/core/state/finding.h"
#include "transfer.h"

enum { WORD = 4 };

struct bulk *bulk_new(struct warp *w, const struct inst *i, int lane,
                      uint32_t bytes)
{
    struct bulk *x = own_not_null(calloc(1, sizeof *x));
    x->at = i;
    x->function = w->leaf->frame->function;
    x->by = w;
    x->lane = lane;
    x->bytes = bytes;
    x->data = own_not_null(calloc(1, bytes ? bytes : 1));
    return x;
}

/* A side begins with room for one piece, and doubles when it is full. */
void bulk_add(struct bulk_pieces *x, uint64_t address, uint32_t at,
              uint32_t bytes)
{
    if ((x->n & (x->n - 1)) == 0) {
        uint32_t room = x->n ? 2 * x->n : 1;
        x->list = own_not_null(realloc(x->list, room * sizeof *x->list));
    }
    x->list[x->n++] = (struct bulk_piece){address, at, bytes};
}

/* A word counts a piece that has any of its bytes. */
static void count(uint16_t *words, const struct bulk_pieces *x, int by)
{
    for (uint32_t n = 0; n < x->n; n++) {
        uint64_t first = x->list[n].address / WORD;
        uint64_t last = (x->list[n].address + x->list[n].bytes - 1) / WORD;
        for (uint64_t at = first; at <= last && x->list[n].bytes; at++)
            words[at] = (uint16_t)(words[at] + by);
    }
}

static void open_leaving(struct worker *k)
{
    size_t words = k->run->shared_end / WORD + TRANSFER_MOST;
    transfers_open(k);
    if (!k->leaving)
        k->leaving = own_not_null(calloc(words, sizeof *k->leaving));
}

void bulk_start(struct bulk *x)
{
    struct worker *home = x->to ? x->to : x->by->worker;
    struct block *b = &home->block;
    if (!b->bulks)
        b->bulks_end = &b->bulks;
    *b->bulks_end = x;
    b->bulks_end = &x->next;
    if (x->to) {
        transfers_open(x->to);
        count(x->to->arriving, &x->target, 1);
        for (uint32_t n = 0; n < x->target.n; n++)
            bits_clear(x->to->shared_init, x->target.list[n].address,
                       x->target.list[n].bytes);
        x->to->pending++;
    }
    if (x->from) {
        open_leaving(x->from);
        count(x->from->leaving, &x->source, 1);
        x->from->pending++;
    }
}

/* What it did, at last. k: whose shared memory; NULL: global memory. */
static void raise_piece(const struct bulk *x, const struct access_form *form,
                        struct worker *k, const struct bulk_piece *p,
                        uint32_t stamp)
{
    struct worker *own = x->by->worker;
    uint32_t stamps[LANES] = {0};
    struct access a;
    stamps[x->lane] = stamp;
    access_init(&a, x->by, x->at, form,
                k ? PTX_SPACE_SHARED : PTX_SPACE_GLOBAL, 1u << x->lane);
    a.function = x->function;
    a.bytes = p->bytes;
    a.part = PART_LANDED;
    a.peer = k == own ? NULL : k;
    a.stamps = stamps;
    a.stored = (uintptr_t)(k ? k->shared
                             : own->run->engine->memory.host - DEVICE_BASE);
    a.addr[x->lane] = p->address;
    access_facts(&a);
    access_raise(&a);
}

static void raise_landed(const struct bulk *x, const struct access_form *form,
                         struct worker *k, const struct bulk_pieces *side,
                         uint32_t stamp)
{
    for (uint32_t n = 0; n < side->n; n++)
        raise_piece(x, form, k, &side->list[n], stamp);
}

void bulk_read_over(struct bulk *x, uint32_t stamp)
{
    if (x->read)
        return;
    x->read = true;
    if (!x->from)
        return;
    count(x->from->leaving, &x->source, -1);
    x->from->pending--;
    raise_landed(x, x->at->detail->from, x->from, &x->source, stamp);
}

static void put(const struct bulk *x, uint8_t *to, const uint8_t *from,
                uint32_t bytes)
{
    if (x->reduce)
        x->reduce(x, to, from, bytes);
    else
        memcpy(to, from, bytes);
}

static void land_shared(struct bulk *x)
{
    struct worker *k = x->to;
    count(k->arriving, &x->target, -1);
    k->pending--;
    for (uint32_t n = 0; n < x->target.n; n++) {
        const struct bulk_piece *p = &x->target.list[n];
        put(x, k->shared + p->address, x->data + p->at, p->bytes);
        for (uint64_t at = p->address; at < p->address + p->bytes; at += WORD)
            if (k->arriving[at / WORD] == 0)
                bits_set(k->shared_init, at, WORD);
    }
}

static void land_global(struct bulk *x)
{
    struct memory *m = &x->by->worker->run->engine->memory;
    for (uint32_t n = 0; n < x->target.n; n++) {
        const struct bulk_piece *p = &x->target.list[n];
        put(x, memory_host(m, p->address), x->data + p->at, p->bytes);
        bits_set_atomic(m->init, p->address - DEVICE_BASE, p->bytes);
    }
}

void bulk_land(struct bulk *x, uint32_t stamp)
{
    if (x->landed)
        return;
    x->landed = true;
    bulk_read_over(x, stamp);
    (x->to ? land_shared : land_global)(x);
    raise_landed(x, &x->at->detail->access, x->to, &x->target, stamp);
}

void bulk_drop(struct bulk *x)
{
    free(x->target.list);
    free(x->source.list);
    free(x->data);
    free(x);
}

void bulks_sweep(struct block *b)
{
    struct bulk **p = &b->bulks;
    while (*p) {
        struct bulk *x = *p;
        if (!x->landed) {
            p = &x->next;
            continue;
        }
        *p = x->next;
        bulk_drop(x);
    }
    b->bulks_end = p;
}

void bulks_reset(struct worker *k)
{
    while (k->block.bulks) {
        struct bulk *next = k->block.bulks->next;
        bulk_drop(k->block.bulks);
        k->block.bulks = next;
    }
    if (k->pending && k->leaving)
        memset(k->leaving, 0,
               k->run->shared_end / WORD * sizeof *k->leaving);
}

void bulks_close(struct worker *k)
{
    bulks_reset(k);
    free(k->leaving);
}

/* Whose ---------------------------------------------------------------------*/

static bool meets(const struct bulk_pieces *x, uint64_t address, uint32_t bytes)
{
    for (uint32_t n = 0; n < x->n; n++)
        if (address < x->list[n].address + x->list[n].bytes &&
            x->list[n].address < address + bytes)
            return true;
    return false;
}

/* In the list of one block: a copy that writes these bytes of k's, or (reads)
 * one that still reads them. */
static const struct bulk *find(const struct block *b, const struct worker *k,
                               uint64_t address, uint32_t bytes, bool reads)
{
    for (const struct bulk *x = b->bulks; x; x = x->next) {
        bool is = reads ? !x->read && x->from == k &&
                              meets(&x->source, address, bytes)
                        : !x->landed && x->to == k &&
                              meets(&x->target, address, bytes);
        if (is)
            return x;
    }
    return NULL;
}

/* A copy that reads k's memory is in the list of the block it goes to. */
static const struct bulk *find_reader(const struct worker *k, uint64_t address,
                                      uint32_t bytes)
{
    const struct bulk *x = NULL;
    for (uint32_t rank = 0; !x && rank < k->cluster->n; rank++)
        x = find(&k->cluster->member[rank]->block, k, address, bytes, true);
    return x;
}

/* Lane of a touches bytes that x writes, or still reads. */
static void accuse(const struct access *a, int lane, uint64_t address,
                   const struct bulk *x, bool writes)
{
    struct finding f = {.space = PTX_SPACE_SHARED, .address = address,
                        .bytes = a->bytes};
    place_about(a->warp, PTX_SPACE_SHARED, address, &f);
    f.other = finding_site(finding_source(x->function, x->at));
    f.other.write = writes;
    finding_thread(x->by, x->lane, f.other.thread);
    snprintf(f.detail, sizeof f.detail, "%s",
             writes       ? "its bulk copy was not waited for"
             : x->product ? "wgmma may still read it: wgmma.wait_group has to "
                            "come first"
                          : "a bulk copy may still read it: "
                            "cp.async.bulk.wait_group.read has to come first");
    access_finding(a, lane, FIND_RACE, &f);
}

bool bulk_accuse(const struct access *a, int lane, struct worker *k,
                 uint64_t address)
{
    const struct bulk *x = find(&k->block, k, address, a->bytes, false);
    bool writes = x != NULL;
    if (!x && a->form->write)
        x = find_reader(k, address, a->bytes);
    if (x)
        accuse(a, lane, address, x, writes);
    return x != NULL;
}

/* In either order the same bytes are left. */
static bool agree(const struct bulk *a, const struct bulk *b)
{
    if (a->reduce || b->reduce)
        return a->reduce && b->reduce;
    bool same = a->target.n == b->target.n;
    for (uint32_t n = 0; same && n < a->target.n; n++) {
        const struct bulk_piece *x = &a->target.list[n];
        const struct bulk_piece *y = &b->target.list[n];
        same = x->address == y->address && x->bytes == y->bytes &&
               memcmp(a->data + x->at, b->data + y->at, x->bytes) == 0;
    }
    return same;
}

/* A word of these is written or read by something that is under way. */
static bool in_use(const struct worker *k, const struct bulk_piece *p)
{
    bool any = false;
    for (uint64_t at = p->address / WORD;
         !any && at * WORD < p->address + p->bytes; at++)
        any = (k->arriving && k->arriving[at]) ||
              (k->leaving && k->leaving[at]);
    return any;
}

bool bulk_accuse_copy(const struct access *a, int lane, const struct bulk *x)
{
    const struct worker *k = x->to;
    for (uint32_t n = 0; n < x->target.n; n++) {
        const struct bulk_piece *p = &x->target.list[n];
        if (!in_use(k, p))
            continue;
        const struct bulk *other = k->block.bulks;
        while (other && (other->landed || other->to != k || agree(x, other) ||
                         !meets(&other->target, p->address, p->bytes)))
            other = other->next;
        bool writes = other != NULL;
        if (!other)
            other = find_reader(k, p->address, p->bytes);
        if (!other)
            continue;
        accuse(a, lane, p->address, other, writes);
        return true;
    }
    return false;
}
