// SPDX-License-Identifier: MIT
/*
 * bulk.h: copies of many bytes that one thread issues, and that land later.
 *
 *   bulk             one of them
 *   bulk_new         zeros
 *   bulk_add         a piece, to a side
 *   bulk_drop        frees one that was not started
 *   bulk_start       it is under way
 *   bulk_read_over   its source has been read
 *   bulk_land        its bytes are there
 *   bulk_accuse      the finding for who touches bytes that one of them still
 *                    reads or writes
 *   bulk_accuse_copy the same for a copy that is about to start
 *   bulks_sweep      forgets those that have landed
 *   bulks_reset      a new block begins: what has not landed never will
 *   bulks_close
 *
 * Like a transfer (transfer.h), a bulk copy changes its target as late as the
 * program allows: when somebody waits for the mbarrier that it completes on, or
 * for its group. Until then the bytes of a target in shared memory count as
 * never written, and those of a source there must not be written.
 * The tiles that wgmma reads are a copy's source without a target.
 */
#ifndef SIMGPU_BULK_H
#define SIMGPU_BULK_H

#include "simgpu/core/state/state.h"

/* Bytes that lie side by side; of a target: those of data from at on. */
struct bulk_piece {
    uint64_t address;
    uint32_t at, bytes;
};
struct bulk_pieces {
    struct bulk_piece *list; /* the copy's own */
    uint32_t n;
};

struct bulk {
    const struct inst *at;
    const struct function *function; /* that at belongs to */
    struct bulk *next;
    struct warp *by;         /* who issued it, */
    int lane;                /* and its thread */
    struct worker *to, *from; /* whose shared memory; NULL: global memory */
    struct bulk_pieces target, source; /* what lies there */
    uint32_t bytes;          /* that an mbarrier counts */
    struct mbarrier *object; /* completes there; NULL: in a group */
    uint32_t group;          /* of the thread, as it counts them */
    bool read, landed;
    bool product;            /* wgmma reads its tiles; the warp counts groups */
    uint8_t *data;           /* as the target's pieces will be */
    const struct detail *how; /* it combines with what is there */
    /* NULL: it replaces what is there. */
    void (*reduce)(const struct bulk *x, uint8_t *to, const uint8_t *from,
                   uint32_t bytes);
};

/* data has so many bytes, of zeros. */
struct bulk *bulk_new(struct warp *w, const struct inst *i, int lane,
                      uint32_t bytes);
void bulk_add(struct bulk_pieces *x, uint64_t address, uint32_t at,
              uint32_t bytes);
void bulk_drop(struct bulk *x);
/* In the list of the block whose shared memory it goes to, or else of the one
 * that issued it. */
void bulk_start(struct bulk *x);
/* stamp: race stamp of what it did; 0: that of now. */
void bulk_read_over(struct bulk *x, uint32_t stamp);
void bulk_land(struct bulk *x, uint32_t stamp);
/* Accuses lane of a, which touches these shared bytes of k's block. */
bool bulk_accuse(const struct access *a, int lane, struct worker *k,
                 uint64_t address);
/* The same of x, which goes to shared memory; a: its write. */
bool bulk_accuse_copy(const struct access *a, int lane, const struct bulk *x);
void bulks_sweep(struct block *b);
void bulks_reset(struct worker *k);
void bulks_close(struct worker *k);

#endif
