// SPDX-License-Identifier: MIT
/*
 * traffic.h: the observer that follows every instruction and every byte.
 *
 *   traffic_begin, traffic_end    around a launch; what was seen
 *   traffic_access                one access of a warp
 *   traffic_spill                 what ptxas added to an instruction
 *   traffic_pause, traffic_now    what makes it wait, and its clock
 *   traffic_finish                what was seen, by line of the source
 *
 * An engine that looks runs on one thread: what a cache holds depends on who
 * came before. Nothing here changes what a program computes.
 */
#ifndef SIMGPU_TRAFFIC_H
#define SIMGPU_TRAFFIC_H

#include "cache.h"
#include "clocks.h"
#include "contention.h"
#include "dirty.h"
#include "merge.h"
#include "scoreboard.h"
#include "swaps.h"
#include "simgpu/core/state/observe.h"

enum { TRAFFIC_EXTENTS = 16 }; /* arrays whose extents are followed */

/* Above all lines of global memory: of threads' local memory. */
#define TRAFFIC_LOCAL_LINES (UINT64_C(1) << 56)

struct lines { /* of one request */
    uint64_t line[LANES];
    uint8_t sectors[LANES];
    uint32_t words[LANES];      /* that a store writes: dirty.h */
    uint32_t n, n_sectors;
};

struct tally { /* of one PTX instruction */
    uint64_t issued, lanes;
    uint64_t requests, sectors, missed; /* global; missed: not in L1 */
    uint64_t shared, wavefronts, conflicts;
    uint64_t replays;                   /* of loads of constants */
};

struct traffic_function {
    struct tally *tally; /* [instructions]; NULL: none ran so far */
};

struct traffic_extent { /* lines of an array that a block touched */
    uint64_t first, last;
    bool any;
};

struct traffic_meeting { /* at a barrier */
    uint64_t at, least;             /* clock of the last arrival; and if nobody
                                       had to wait for what he polls */
};

struct traffic_slot { /* where a block of the multiprocessor runs */
    struct scoreboard scoreboard[MAX_WARPS];
    struct merge merge[MAX_WARPS];
    struct traffic_spilled {
        uint64_t due;               /* accesses still to be made, in parts of
                                       an instruction, */
        uint64_t n;                 /* and made so far */
    } spilled[MAX_WARPS];
    struct traffic_meeting meeting[MAX_BARRIERS];
    struct traffic_meeting met;     /* when all its threads did last */
    struct swaps swaps;             /* since then */
    uint64_t start;                 /* clocks of the blocks that ran here */
    struct traffic_extent extent[TRAFFIC_EXTENTS]; /* by traffic->arrays */
    bool counted;
};

struct traffic_probe {
    const struct run *run;
    struct traffic_function *functions; /* by their order in the module */
    struct cache *l1;               /* per multiprocessor, when used */
    struct cache constants;         /* of a multiprocessor: the nearest part */
    struct cache l2, fetched;       /* fetched: pairs of sectors that device
                                       memory gave */
    struct dirty dirty;             /* of L2: to be written back */
    struct contention *contention;
    size_t l1_bytes;
    struct traffic_slot *slots;
    uint32_t n_slots;
    struct traffic *traffic;
    uint64_t warm;                  /* blocks that only warm the caches */
    uint64_t spills;                /* accesses to what ptxas spilled, in all
                                       instructions of the kernel */
    /* The instruction at hand. */
    struct traffic_slot *slot;      /* NULL: another multiprocessor's, of which
                                       the atomics alone are noted */
    bool counted;                   /* nor is what a warp does that spins */
    const struct source *source;
    struct tally *tally;
    uint32_t latency, port;         /* clocks of its access */
    uint32_t pause;                 /* the warp does nothing else meanwhile */
    uint32_t done;                  /* until others see it; 0: not global */
    uint32_t mask;                  /* its lanes */
    uint64_t began;                 /* the launch, by the device's clock */
    uint32_t warp;                  /* whose */
    bool asked;                     /* it touched global memory, */
    bool copies;                    /* by an asynchronous copy, */
    bool bulk;                      /* a bulk copy */
    bool apart;                     /* farther than L2 is large */
    bool polls;                     /* as a spin loop may, */
    uint64_t polled;                /* this address */
    int left;                       /* instructions until it pauses */
    struct scoreboard *board;       /* NULL: in a function that is called */
    uint64_t at;                    /* clock of its issue */
};

/* Needs CHECK_TRAFFIC. The launch is about to run: opens its probe, and has its
 * blocks chosen and watched from here. */
void traffic_begin(struct run *r);
/* It has run: what was seen, for traffic_free. */
struct traffic *traffic_end(struct run *r);
/* Multiprocessors, or groups of them that run a cluster each. */
uint64_t traffic_groups(const struct run *r);
/* A wait for copies under way; ahead: later ones stay under way. */
void traffic_wait(struct traffic_probe *t, bool ahead);
/* traffic_access.c: one access of a warp, its clocks into the probe. */
void traffic_access(const struct access *a);
/* Lines of local memory: clocks until all of it is there. */
uint32_t traffic_touch(struct traffic_probe *t, struct worker *k,
                       const struct lines *x, bool write);
/* traffic_local.c: the same for an access to local memory; and of a
 * multiprocessor's threads. */
void traffic_local(struct traffic_probe *t, const struct access *a);
/* Accesses to what ptxas spilled, in all instructions of the kernel. */
uint64_t traffic_spills(const struct run *r);
/* Registers of a thread that are not taken for good. */
int traffic_free_registers(const struct run *r);
/* Before the instruction at hand, of the kernel itself; puts off its clock. */
void traffic_spill(struct traffic_probe *t, struct warp *w, uint32_t mask);
/* Forgets what L1 holds. */
void traffic_empty_l1(struct traffic_probe *t, struct worker *k);
/* traffic_pause.c: after an instruction; and in this launch's own time. */
void traffic_pause(struct traffic_probe *t, struct warp *w,
                   const struct inst *i);
uint64_t traffic_now(struct warp *w, bool nanoseconds);
/* traffic_report.c: keeps the access if it is of the warp that is traced. */
void traffic_trace(struct traffic_probe *t, const struct access *a);
/* Lines, from the instructions' tallies; and the busiest place of atomics. */
void traffic_finish(struct traffic_probe *t);
void traffic_free(struct traffic *t);

#endif
