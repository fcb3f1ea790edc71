// SPDX-License-Identifier: MIT
/*
 * contention.c: the busiest place of global atomics. Interface: contention.h.
 *
 * Tables of hashes know the first sectors and slices that are touched. A kernel
 * that touches more of them than they hold spreads its atomics, and what comes
 * later is not followed.
 */
#include "contention.h"

#include <stdlib.h>

#include "simgpu/core/state/state.h"
#include "simgpu/core/state/program.h"

enum {
    ROOM = 1 << 13,        /* places; three quarters of it are used */
    SECTOR_BYTES = 32, WORD_BYTES = 4, SLICE_BYTES = 512,
    WORDS = SECTOR_BYTES / WORD_BYTES,
    /* Tenths of clocks of the whole GPU. An H200's adds to n words
     * (tests/hardware/atomics-h200.csv) say so: a warp's to one word take 46
     * clocks, 1.5 per lane, of floats 111, 3.5 per lane, where atomic_one of
     * tests/hardware/rates-h200.csv is 204, and nobody knows why the two
     * differ: the model takes what lies between. Neighbours are not quicker
     * than one word, up to 64 of them, if each warp adds to one: so one unit
     * has 512 bytes, 128 words have two. A warp's to 64 consecutive words, a
     * lane each, take 4.7 clocks, 1.2 per sector; to 256 and more, some units
     * have more of them than others: 1.4. */
    LANE = 15,             /* a lane at one word, */
    LANE_FLOAT = 47,       /* if it adds floats; */
    PASS = 14,             /* a lane of each word of a sector, in its unit */
};

struct hot {
    uint64_t place;        /* its number + 1; 0: none */
    uint64_t block;        /* who touched it first */
    uint64_t tenths;
    bool shared;           /* by other blocks too */
};

struct places {
    struct hot at[ROOM];
    uint32_t n;
};

struct contention {
    struct places sectors, slices;
};

struct contention *contention_open(void)
{
    struct contention *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    return c;
}

void contention_close(struct contention *c)
{
    free(c);
}

static struct hot *hot_at(struct places *c, uint64_t place, uint64_t block)
{
    size_t k = (size_t)(place * 0x9e3779b97f4a7c15ull >> 32) % ROOM;
    while (c->at[k].place && c->at[k].place != place + 1)
        k = (k + 1) % ROOM;
    if (!c->at[k].place) {
        if (c->n >= ROOM / 4 * 3)
            return NULL;
        c->n++;
        c->at[k] = (struct hot){.place = place + 1, .block = block};
    }
    return &c->at[k];
}

static void keep_busy(struct places *c, uint64_t place, uint64_t block,
                      uint64_t tenths)
{
    struct hot *x = hot_at(c, place, block);
    if (!x)
        return;
    x->shared |= x->block != block;
    x->tenths += tenths;
}

static bool adds_floats(const struct access *a)
{
    unsigned type = a->inst->detail->type_class;
    return type == PTX_FLOAT || type == PTX_BFLOAT;
}

/* The most lanes of mask that touch one word of the sector; *rest: those that
 * touch another sector. */
static uint32_t turns_at(const struct access *a, uint64_t sector, uint32_t mask,
                         uint32_t *rest)
{
    uint32_t lanes[WORDS] = {0}, most = 0;
    *rest = mask;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint64_t address = a->addr[first_lane(left)];
        if (address / SECTOR_BYTES != sector)
            continue;
        uint32_t n = ++lanes[address % SECTOR_BYTES / WORD_BYTES];
        most = n > most ? n : most;
        *rest &= ~(left & -left);
    }
    return most;
}

void contention_add(struct contention *c, const struct access *a,
                    uint64_t block, bool counted)
{
    uint64_t lane = !counted ? 0 : adds_floats(a) ? LANE_FLOAT : LANE;
    for (uint32_t rest = a->mask; rest;) {
        uint64_t sector = a->addr[first_lane(rest)] / SECTOR_BYTES;
        uint64_t turns = turns_at(a, sector, rest, &rest);
        keep_busy(&c->sectors, sector, block, turns * lane);
        keep_busy(&c->slices, sector / (SLICE_BYTES / SECTOR_BYTES), block,
                  counted ? turns * PASS : 0);
    }
}

static void forget(struct places *c)
{
    for (size_t k = 0; k < ROOM; k++)
        c->at[k].tenths = 0;
}

void contention_forget(struct contention *c)
{
    forget(&c->sectors);
    forget(&c->slices);
}

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* How many blocks touch this place, if one was seen: those that touched others
 * say how many places lie between two blocks. */
static uint64_t crowd(const struct places *c, const struct hot *x)
{
    uint64_t most = 1;
    for (size_t k = 0; k < ROOM; k++) {
        const struct hot *y = &c->at[k];
        if (!y->place || y->shared || y->block == x->block)
            continue;
        uint64_t n = apart(x->block, y->block) / apart(x->place, y->place);
        most = n > most ? n : most;
    }
    return most;
}

static void find_busiest(const struct places *c, struct contention_sum *sum)
{
    const struct hot *own = NULL;
    for (size_t k = 0; k < ROOM; k++) {
        const struct hot *x = &c->at[k];
        if (x->shared && x->tenths / 10 > sum->shared)
            sum->shared = x->tenths / 10;
        if (!x->shared && (!own || x->tenths > own->tenths))
            own = x;
    }
    uint64_t tenths = own && own->place ? own->tenths * crowd(c, own) : 0;
    if (tenths / 10 > sum->own)
        sum->own = tenths / 10;
}

struct contention_sum contention_sum(const struct contention *c)
{
    struct contention_sum sum = {0};
    find_busiest(&c->sectors, &sum);
    find_busiest(&c->slices, &sum);
    return sum;
}
