// SPDX-License-Identifier: MIT
/*
 * contention.c: the busiest sector of global atomics. Interface: contention.h.
 *
 * A table of hashes knows the first sectors that are touched. A kernel that
 * touches more of them than it holds spreads its atomics, and what comes later
 * is not followed.
 */
#include "contention.h"

#include <stdlib.h>

#include "simgpu/core/state/state.h"
#include "simgpu/core/state/program.h"

enum {
    ROOM = 1 << 13,        /* sectors; three quarters of it are used */
    SECTOR_BYTES = 32, WORD_BYTES = 4,
    WORDS = SECTOR_BYTES / WORD_BYTES,
    /* Clocks of the whole GPU. An H200 took, for a warp's adds to n random
     * words, u32 (f32): 46 (111) for n = 1, 16 (38) for n = 4, 12 (16) for
     * n = 16, 18 (18) for n = 64 (tests/hardware/atomics-h200.csv); to n
     * consecutive words 5 (7) for n = 16. But atomic_one of
     * tests/hardware/rates-h200.csv is 204 for floats, and nobody knows why the
     * two differ: the model takes what lies between. */
    TURN = 10,             /* a warp at one sector, */
    LANE_TENTHS = 15,      /* but so many tenths for a lane at one word, */
    LANE_FLOAT_TENTHS = 47, /* if it adds floats */
};

struct hot {
    uint64_t sector;       /* its number + 1; 0: none */
    uint64_t block;        /* who touched it first */
    uint64_t clocks;
    bool shared;           /* by other blocks too */
};

struct contention {
    struct hot at[ROOM];
    uint32_t n;
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

static struct hot *hot_at(struct contention *c, uint64_t sector, uint64_t block)
{
    size_t k = (size_t)(sector * 0x9e3779b97f4a7c15ull >> 32) % ROOM;
    while (c->at[k].sector && c->at[k].sector != sector + 1)
        k = (k + 1) % ROOM;
    if (!c->at[k].sector) {
        if (c->n >= ROOM / 4 * 3)
            return NULL;
        c->n++;
        c->at[k] = (struct hot){.sector = sector + 1, .block = block};
    }
    return &c->at[k];
}

static bool adds_floats(const struct access *a)
{
    unsigned type = a->inst->detail->type_class;
    return type == PTX_FLOAT || type == PTX_BFLOAT;
}

/* Clocks for the lanes of mask that touch the sector; *rest: the others. */
static uint64_t turn_at(const struct access *a, uint64_t sector, uint32_t mask,
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
    uint64_t waiting =
        most * (adds_floats(a) ? LANE_FLOAT_TENTHS : LANE_TENTHS) / 10;
    return waiting > TURN ? waiting : TURN;
}

void contention_add(struct contention *c, const struct access *a,
                    uint64_t block, bool counted)
{
    for (uint32_t rest = a->mask; rest;) {
        uint64_t sector = a->addr[first_lane(rest)] / SECTOR_BYTES;
        uint64_t clocks = turn_at(a, sector, rest, &rest);
        struct hot *x = hot_at(c, sector, block);
        if (!x)
            continue;
        x->shared |= x->block != block;
        x->clocks += counted ? clocks : 0;
    }
}

void contention_forget(struct contention *c)
{
    for (size_t k = 0; k < ROOM; k++)
        c->at[k].clocks = 0;
}

struct contention_sum contention_sum(const struct contention *c)
{
    struct contention_sum sum = {0};
    for (size_t k = 0; k < ROOM; k++) {
        const struct hot *x = &c->at[k];
        uint64_t *most = x->shared ? &sum.shared : &sum.own;
        if (x->clocks > *most)
            *most = x->clocks;
    }
    return sum;
}
