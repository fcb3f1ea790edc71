// SPDX-License-Identifier: MIT
/*
 * transfer.h: bytes on their way into shared memory, which land later.
 *
 *   transfer            one instruction's, of one warp
 *   transfer_groups     which group its lanes' bytes belong to
 *   transfer_begin      the bytes of all lanes are under way
 *   transfer_data, transfer_group   of a lane
 *   transfer_copy       a lane's bytes
 *   transfer_land       they are there: those of some lanes
 *   transfer_arrives    is one on its way to these bytes?
 *   transfer_accuse     the finding, if there is such a transfer
 *   transfers_open      there are to be some, of any kind
 *   transfers_reset     a new block begins: what has not landed never will
 *   transfers_close
 *
 * Transfers belong to a warp. Until one lands its bytes count as never
 * written, so that the checks which every read makes anyway come upon them;
 * what nobody waits for never lands. As long as one is under way, the race
 * records count it as a reader of its source. Whoever completes them says when:
 * the commit groups of a thread (exec/async.c), or an mbarrier
 * (exec/mbarrier.c).
 */
#ifndef SIMGPU_TRANSFER_H
#define SIMGPU_TRANSFER_H

#include "simgpu/core/state/state.h"

enum { TRANSFER_MOST = 16 }; /* bytes per lane: PTX ISA, cp.async */

struct transfer {
    const struct inst *at;
    const struct function *function; /* that at belongs to */
    struct transfer *next;
    uint64_t serial;                 /* of the block's, in order of issue */
    uint32_t warp;                   /* who issued it: its index */
    uint32_t mask;                   /* lanes whose bytes are under way */
    uint32_t bytes;                  /* per lane */
    uint32_t least, most;            /* of the lanes' groups */
    bool stamped;                    /* stamp is set */
    uint32_t to[LANES];
    uint8_t data[LANES * TRANSFER_MOST]; /* of the lanes, one by one */
    uint8_t brings[LANES];           /* bytes of it that were read; the rest is
                                        zeros */
    uint32_t group[LANES];           /* of each thread, as it counts them; if
                                        they differ */
    uint32_t stamp[LANES];           /* race stamp of the write; 0: of when it
                                        lands */
    uint64_t from[LANES];            /* global memory, and how much of it; if
                                        races are looked for */
    uint8_t from_bytes[LANES];
};

static inline uint8_t *transfer_data(struct transfer *t, int lane)
{
    return t->data + t->bytes * (uint32_t)lane;
}

static inline uint32_t transfer_group(const struct transfer *t, int lane)
{
    return t->least == t->most ? t->least : t->group[lane];
}

/* 4, 8 and 16 bytes are what lanes copy; or less from the source. */
static inline void transfer_copy(uint8_t *to, const uint8_t *from,
                                 uint32_t bytes)
{
    if (bytes == 4)
        __builtin_memcpy(to, from, 4);
    else if (bytes == TRANSFER_MOST)
        __builtin_memcpy(to, from, TRANSFER_MOST);
    else
        __builtin_memcpy(to, from, bytes);
}

/* Behind the warp's others, with no lane under way. */
struct transfer *transfer_new(struct warp *w, const struct inst *i);
/* As its warp counts them by now. */
void transfer_groups(struct transfer *t, const uint32_t groups[LANES]);
/* a: the write that was issued. Accuses whoever writes the same bytes. */
void transfer_begin(const struct access *a, struct transfer *t);
/* a: the read, of the same lanes; some may read nothing. Takes a's stamps. */
void transfer_reads(struct access *a, struct transfer *t);
/* lanes: part of t->mask. */
void transfer_land(struct block *b, struct transfer *t, uint32_t lanes);
/* Forgets those of the warp that have landed. */
void transfers_sweep(struct warp *w);
/* A count per word: k->arriving. */
void transfers_open(struct worker *k);
void transfers_reset(struct worker *k);
void transfers_close(struct worker *k);
/* Something is on its way to these bytes, by any kind of transfer. */
bool transfer_arrives(const struct worker *k, uint64_t address, uint32_t bytes);
/* Accuses lane of a, which touches these shared bytes of k's block. */
bool transfer_accuse(const struct access *a, int lane, struct worker *k,
                     uint64_t address);

#endif
