// SPDX-License-Identifier: MIT
/*
 * access.h: the event that a memory instruction raises.
 *
 *   access_form     what an instruction always does, as the decoder read it
 *   access          what a warp does with it now, in one address space
 *   access_init     all of an event but its addresses
 *   access_facts    fills in what every observer asks of the addresses
 *   access_bytes    of one lane
 *   access_key      tells accesses of other lanes, or other places, apart
 *
 * Plain, vector, atomic and asynchronous accesses all raise this one event
 * (access/raise.h); counters, traffic and races look at nothing else. An
 * instruction whose generic addresses lie in two spaces raises two.
 *
 * An event by hand, for a test: 32 lanes that each load 4 bytes.
 *
 *     static const struct access_form load = {
 *         .kind = ACCESS_LOAD, .space = PTX_SPACE_GLOBAL, .size = 4, .n = 1,
 *         .site = 1};
 *     struct access a = {.form = &load, .space = PTX_SPACE_GLOBAL,
 *                        .bytes = 4, .mask = UINT32_MAX, .warp = &warp};
 *     for (int l = 0; l < LANES; l++)
 *         a.addr[l] = 0x1000 + 4 * l;
 *     access_facts(&a);
 *     count_access(&counters, NULL, &a);     // access/count.h
 *     race_observer.access(&a);              // race/detect.h
 *
 * Counters need neither warp nor inst; races need warp, with its block and
 * worker; findings need inst, too, for the line.
 */
#ifndef SIMGPU_ACCESS_H
#define SIMGPU_ACCESS_H

#include "simgpu/core/engine.h"

enum {
    LANES = 32,
    FULL = -1, /* as uint32_t: all lanes */
};

struct warp;
struct inst;
struct worker;
struct function;

/* ACCESS_COPY: from global to shared memory, by cp.async. ACCESS_BULK: one side
 * of a bulk copy. ACCESS_OBJECT: an operation on an mbarrier. ACCESS_FREE: free
 * in a kernel, a write to all of its block. */
enum access_kind {
    ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC, ACCESS_COPY, ACCESS_BULK,
    ACCESS_OBJECT, ACCESS_FREE,
};
/* Who can see the order that an access makes. */
enum access_scope {
    SCOPE_SYSTEM, SCOPE_GPU, SCOPE_CLUSTER, SCOPE_BLOCK, SCOPES
};
/* FENCE_INIT: of mbarrier.init alone. FENCE_GRID: a wait for the launch before.
 * FENCE_PROXY: between proxies, of all memory or one space. */
enum fence_kind {
    FENCE_THREADS, FENCE_INIT, FENCE_GRID, FENCE_PROXY, FENCE_PROXY_GLOBAL,
    FENCE_PROXY_SHARED,
};
/* The path to memory: accesses of two proxies need a fence of its own between
 * them, whatever else orders them. */
enum access_proxy { PROXY_GENERIC, PROXY_ASYNC };
/* A copy's write is issued, which must be ordered, and lands later. */
enum access_part { PART_WHOLE, PART_ISSUED, PART_LANDED };

/* Does somebody wait for the value that is read? decode/awaited.c. */
enum access_awaited { NOT_AWAITED, AWAITED_ONCE, AWAITED_IN_LOOP };

/* Race stamp of a write that is under way: above those of all barriers, so that
 * it is ordered before nothing, not even what its own thread does next. */
#define STAMP_UNDER_WAY 0x7fffffffu

struct access_form {
    uint8_t kind;       /* enum access_kind */
    uint8_t space;      /* enum ptx_space, as written: may be generic */
    uint8_t size, n;    /* bytes per element; elements per lane */
    uint8_t scope, proxy;
    uint8_t align;      /* of addresses; 0: as many bytes as a lane accesses */
    bool cluster;       /* .shared::cluster: may name another block's memory */
    bool write;         /* stores, atomics, a copy's destination */
    bool strong;        /* volatile, relaxed or stronger, or atomic */
    bool is_volatile;
    bool release;       /* .release or .acq_rel: a fence comes before it */
    bool acquire;       /* .acquire or .acq_rel: a fence comes behind it */
    bool constant;      /* .nc: of memory that nobody writes in this launch */
    bool perhaps;       /* what it loads may be thrown away: whoever reads what
                           nobody wrote is followed (exec/suspect.c) */
    bool perhaps_local; /* the same, of bytes in local memory: nvcc -G */
    bool chosen;        /* for races it counts where a selection takes it:
                           exec/chosen.c */
    bool swaps;         /* compare-and-swap */
    uint8_t awaited;    /* a strong read: enum access_awaited */
    bool taken;         /* the same: its value decides nothing */
    bool of_group;      /* a read of shared memory by wgmma */
    bool of_box;        /* rows of a box: one copy has several such accesses */
    bool matrix;        /* of a matrix instruction: shared passes never merge,
                           and what is stored is in no one register */
    uint32_t site;      /* number in its module, from 1; 0: not observed */
    uint32_t used;      /* bytes of a load that somebody uses; 0: all */
};

struct access {
    _Alignas(64) uint64_t addr[LANES]; /* in its space; of an inactive
                                          lane: some active lane's */
    struct warp *warp;
    const struct inst *inst;
    const struct access_form *form;
    const struct function *function; /* that inst belongs to, of a copy that
                           lands: its warp may be elsewhere by then, or over;
                           NULL: the warp's present one */
    uint32_t mask;      /* lanes; 0: a copy that writes zeros alone */
    uint32_t bytes;     /* per lane: size * n */
    uint8_t space;      /* where the bytes lie: global, shared, local */
    uint8_t part;       /* enum access_part */
    struct worker *peer; /* shared: whose memory, if another block's of the
                            cluster; NULL: the block's own */
    const uint8_t *lane_bytes; /* a copy's lanes may differ; NULL: all read
                                  bytes */
    const uint32_t *stamps; /* race stamp of each lane's access; NULL, or 0:
                               that of now */
    uintptr_t stored;   /* the bytes of address a are at stored + a by now;
                           0: still in registers */
    /* access_facts: */
    bool uniform;       /* one address */
    bool unit;          /* consecutive, all lanes active */
    uint64_t low;       /* shared: the lowest address, */
    uint32_t spread;    /* and how far above it the highest one is */
};

static inline int first_lane(uint32_t mask)
{
    return __builtin_ctz(mask);
}

static inline uint32_t access_bytes(const struct access *a, int lane)
{
    return a->lane_bytes ? a->lane_bytes[lane] : a->bytes;
}

/* One more word into a key. */
static inline uint64_t access_mix(uint64_t key, uint64_t word)
{
    key = (key ^ word) * 0x9e3779b97f4a7c15ull;
    return key ^ key >> 29;
}

/* A key of its lanes and their addresses. */
static inline uint64_t access_key(const struct access *a)
{
    uint64_t key = a->mask;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1)
        key = access_mix(key, a->addr[first_lane(rest)]);
    return key;
}

/* Whether passes of a shared access may be one (memory/cost.h): those of
 * ldmatrix never are. */
static inline bool access_merges(const struct access *a)
{
    return !a->form->write && !a->form->matrix;
}

#define ACCESS_INLINE static inline __attribute__((always_inline))

/* An event without addresses, whole, of registers. */
ACCESS_INLINE void access_init(struct access *a, struct warp *w,
                               const struct inst *i,
                               const struct access_form *form, uint8_t space,
                               uint32_t mask)
{
    a->warp = w;
    a->inst = i;
    a->form = form;
    a->function = NULL;
    a->mask = mask;
    a->bytes = (uint32_t)form->size * form->n;
    a->space = space;
    a->part = PART_WHOLE;
    a->peer = NULL;
    a->lane_bytes = NULL;
    a->stamps = NULL;
    a->stored = 0;
}

/* Addresses of the lanes that take no part; uniform and unit. */
ACCESS_INLINE void access_shape(struct access *a, uint32_t mask, int bytes)
{
    if (mask != (uint32_t)FULL) {
        int first = first_lane(mask), last = 31 - __builtin_clz(mask);
        uint64_t low = a->addr[first], high = a->addr[last];
        for (int l = 0; l < LANES; l++) {
            uint64_t idle = l < first ? low : high;
            a->addr[l] = mask >> l & 1 ? a->addr[l] : idle;
        }
    }
    uint64_t same = 0, next = 0, a0 = a->addr[0];
    for (int l = 0; l < LANES; l++) {
        same |= a->addr[l] ^ a0;
        next |= (a->addr[l] - a0) ^ (uint64_t)(l * bytes);
    }
    a->uniform = same == 0;
    a->unit = next == 0 && mask == (uint32_t)FULL;
}

/* Shared addresses are small: 32 bits hold their differences. */
ACCESS_INLINE void access_spread(struct access *a)
{
    int32_t low = 0, high = 0;
    for (int l = 0; l < LANES; l++) {
        int32_t d = (int32_t)(uint32_t)(a->addr[l] - a->addr[0]);
        low = d < low ? d : low;
        high = d > high ? d : high;
    }
    a->low = a->addr[0] + (uint64_t)(int64_t)low;
    a->spread = (uint32_t)(high - low);
}

/* From mask, bytes, space and the lanes' addresses. */
static inline void access_facts(struct access *a)
{
    if (!a->mask)
        return;
    access_shape(a, a->mask, (int)a->bytes);
    if (a->space == PTX_SPACE_SHARED)
        access_spread(a);
}

#endif
