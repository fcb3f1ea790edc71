// SPDX-License-Identifier: MIT
/*
 * mbarrier_object.h: an mbarrier's state, for those who change it, and for the
 * scheduler.
 *
 *   mbarrier_find, mbarrier_named, mbarrier_take, mbarrier_forget
 *   mbarrier_overrun      do copies bring more than was announced?
 *   mbarrier_advance      ends the phase if nothing is missing
 *   mbarrier_waits        does anybody wait for a phase of it?
 *   mbarrier_order        how a wait instruction orders accesses
 *   mbarrier_misuse       the finding that ends the launch
 *   mbarriers_unblock     nobody can run: waits that have a time limit reach it
 *   mbarriers_reset, mbarriers_close   of a block
 *   mbarrier_describe     what a waiting leaf waits for
 */
#ifndef SIMGPU_MBARRIER_OBJECT_H
#define SIMGPU_MBARRIER_OBJECT_H

#include "simgpu/core/state/state.h"

enum {
    MBARRIER_BYTES = 8, /* PTX ISA: mbarrier, .b64 */
    MBARRIER_COUNT_MOST = (1 << 20) - 1,
};

/* detail.op of op_mbarrier_arrive and op_mbarrier_wait: what it does, or-ed. */
enum {
    MBARRIER_ARRIVE = 1,
    MBARRIER_DROP = 2,      /* one arrival less in later phases */
    MBARRIER_EXPECT = 4,    /* that many more bytes */
    MBARRIER_COMPLETE = 8,  /* bytes that have come */
    MBARRIER_INCOMPLETE = 16, /* an arrival that must not end the phase */
    MBARRIER_RELAXED = 32,
    MBARRIER_OF_BLOCK = 64, /* .cta: orders nothing of other blocks. Without a
                               scope it is the cluster's: PTX says .cta, but
                               libraries arrive at other blocks so. */
};

/* Arrivals that copies under way will make. */
struct deferral {
    uint32_t warp, mask;
    uint64_t serial;   /* of the last transfer they wait for */
};

struct mbarrier {
    struct block *home; /* whose shared memory it is in */
    uint32_t address;
    bool live;
    uint32_t expected;  /* arrivals per phase */
    uint32_t pending;   /* in this one, deferred ones included */
    bool arrived;       /* somebody has, in this one */
    uint32_t phase;     /* how many have ended */
    bool looked;        /* in this one, test_wait has said once that copies are
                           still under way */
    int64_t bytes;      /* announced and not there */
    int64_t flying;     /* that bulk copies bring */
    struct deferral *deferred;
    uint32_t n_deferred, room;
    uint32_t n_promised; /* arrivals of all deferrals */
    const struct inst *at; /* its initialisation */
    const struct function *function;
    struct object_order order;
};

struct mbarrier *mbarrier_find(const struct block *b, uint64_t address);
/* A new one in block b, all zeros. */
struct mbarrier *mbarrier_take(struct block *b);
void mbarrier_forget(struct mbarrier *x);
/* The one in block home that lane names; NULL after a finding. */
struct mbarrier *mbarrier_named(const struct access *a, int lane,
                                struct block *home);
bool mbarrier_waits(const struct mbarrier *x);
/* ORDER_... of op_mbarrier_wait. */
unsigned mbarrier_order(const struct inst *i);
bool mbarrier_overrun(const struct mbarrier *x);
/* Does nothing but copies under way keep the phase from ending? */
bool mbarrier_lacks_copies(const struct mbarrier *x);
/* late: nothing is missing but copies under way, and they land now. */
void mbarrier_advance(struct mbarrier *x, bool late);
/* Returns false. */
bool mbarrier_misuse(const struct access *a, int lane, const char *text);
/* false: there is none, or they have been tried often enough. */
bool mbarriers_unblock(struct block *b);
void mbarriers_reset(struct block *b);
void mbarriers_close(struct block *b);
void mbarrier_describe(const struct node *n, struct finding *x);

#endif
