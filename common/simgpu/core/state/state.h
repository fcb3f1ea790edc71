// SPDX-License-Identifier: MIT
/*
 * state.h: a launch while it executes.
 *
 *   engine                     what outlives a launch
 *   run, worker, cluster       one launch, and who executes its blocks
 *   block, warp, node, frame   what executes
 *
 * A warp's lanes are spread over a tree of nodes: leaves run, inner nodes wait
 * for their children at the reconvergence point (divergence) or at the return
 * (a call).
 */
#ifndef SIMGPU_STATE_H
#define SIMGPU_STATE_H

#include <stdatomic.h>

#include "program.h"
#include "simgpu/core/memory/memory.h"

struct lane_table;

struct engine {
    struct engine_config config;
    struct memory memory;
    struct module *modules;
    const struct lane_table *lanes; /* handlers of one vector width */
    int64_t launches;
    size_t heap_bytes;        /* asked for; 0: as devices begin */
    struct heap *heap;        /* of malloc in kernels; NULL: none calls it */
    struct streams *streams;
    bool registered;          /* kernels may use the host's addresses */
    struct race *races;       /* kept for the next launch's workers */
    uint64_t grid_barrier;    /* address; 0: no cooperative launch so far */
    struct lock *wide;        /* held while 128 bits are read or written, so
                                 that none is seen half done */
    struct lock *watched;     /* held while running changes or is looked at */
    struct run *running;      /* NULL: no launch runs */
    uint64_t began;           /* nanoseconds of the host's clock */
    uint64_t clock;           /* what a clock showed when the latest launch
                                 began; or since, of a launch that has clocks
                                 of its own (observer.now) */
    atomic_ullong leapt;      /* by how much clocks are ahead of the host's:
                                 exec/freeze.c */
};

/* A set of registers, and the callee's parameters. */
struct frame {
    const struct function *function;
    struct frame *next;       /* free list */
    uint32_t local_base;      /* lanes' local memory begins here */
    uint32_t filled_for;      /* the warp whose specials it holds, plus 1 */
    uint32_t grown[LANES];    /* alloca: bytes taken behind the variables */
    uint8_t *params;          /* [lane][function->param_bytes] */
    _Alignas(64) uint8_t regs[];
};

enum node_state {
    NODE_RUN,      /* a leaf that can run */
    NODE_INNER,    /* waits for its children */
    NODE_BARRIER,  /* a leaf at a barrier of the block */
    NODE_SYNC,     /* a leaf at a .sync instruction of the warp */
    NODE_OBJECT,   /* a leaf that waits for a phase of an mbarrier */
    NODE_CLUSTER,  /* a leaf at the barrier of the cluster */
    NODE_QUOTA,    /* a leaf that waits for registers */
};

struct node {
    uint32_t mask;            /* leaf: its lanes; inner: lanes arrived */
    uint8_t state;
    bool is_call;             /* root of a callee; parent is the caller */
    uint8_t depth;            /* of calls */
    uint8_t barrier;
    int children;
    uint32_t spins;           /* backward branches since it was chosen */
    uint32_t sync;            /* lanes a .sync waits for */
    uint32_t expected;        /* threads the barrier waits for */
    uint32_t phase;           /* of the mbarrier, that is to end */
    const struct mbarrier *object; /* NODE_OBJECT */
    const struct inst *pc;    /* of a leaf that is not current, or of an inner
                                 node: where to go on */
    const struct inst *rpc;
    const struct inst *call;
    struct node *parent;
    struct frame *frame;
    struct node *next;        /* list of leaves, or free list */
};

/* What observers keep of an mbarrier, of a cluster's barrier, or of a
 * warp's fences. records: of malloc, or NULL. */
struct object_order {
    void *records;
};

struct worker;
struct block;
struct suspect;
struct observer;

struct warp {
    uint8_t *regs;            /* of the current leaf's frame */
    uint32_t mask;            /* of the current leaf */
    uint32_t dead;            /* lanes that exited or never were */
    struct node *leaf;        /* current */
    struct worker *worker;
    struct block *block;
    uint32_t slice;           /* backward branches before others get a turn */
    struct node *leaves;
    uint32_t index;           /* in the block */
    uint64_t tags[LANES];     /* race.h: what each lane's accesses leave */
    uint32_t stamp;           /* of all its lanes' tags; 0: they differ */
    uint32_t full;            /* stamp of the last .sync of all its lanes */
    struct warp_order *order; /* NULL: no partial .sync and no fence so far */
    struct warp_notes *notes; /* race_waits.c; NULL: no lane waited alone */
    const struct release *acquired; /* race_order.c: what it has seen */
    bool early;               /* has not waited for the launch before */
    bool done;
    struct warp_spin {        /* exec/spin.c: */
        struct {
            const struct inst *at; /* an access that polls make, or NULL; */
            uint64_t where;   /* its addresses, */
            uint64_t state;   /* and all registers behind it; 0: not asked */
        } seen[4];            /* the latest ones, */
        uint8_t next;         /* from here on */
        uint8_t tries;        /* in a row of known ones with other registers */
        bool looked;          /* there was one since it began */
        bool sure;            /* it waits for others, */
        bool began_sure;      /* and did as its slice began */
        uint64_t did, left;   /* what was written by the latest of these; and
                                 at the end of its last slice; */
        uint64_t warps, lanes; /* instructions of its worker before its slice */
    } spin;
    bool spins;               /* polls memory: perhaps for a lane that waits */
    bool polled;              /* has done so in this slice */
    struct warp_asked {       /* access/count.c: */
        const struct access_form *form; /* its latest strong load, or NULL; */
        uint32_t mask;        /* its lanes, */
        uint64_t at[LANES];   /* where they read, */
        uint64_t value[LANES]; /* and what */
        bool wrote;           /* the warp itself has written since; */
        bool waits;           /* it was repeated until others had; */
        uint64_t requests, sectors, bytes; /* else what is still to be counted
                                              of this */
    } asked;
    struct frame *root;       /* the kernel's frame, kept over blocks */
    uint8_t *local, *local_init;
    struct transfer *transfers, **transfers_end; /* under way, as issued */
    uint32_t groups[LANES];   /* of transfers: how many each committed */
    uint32_t bulk_groups[LANES]; /* the same, of bulk copies */
    uint64_t landed;          /* most bytes that came by one wait for groups */
    int64_t ahead;            /* twice what they left, less what they brought */
    uint32_t product_groups;  /* of wgmma: how many it committed */
    struct together {         /* what the four warps of a group do together: */
        uint32_t n;           /* how many times this one did; */
        const struct inst *at; /* where it did last, and whose code that is */
        const struct function *in;
    } product, resize;        /* wgmma, setmaxnreg */
    struct warp_proxy *proxy; /* race_proxy.c; NULL: no proxy fence so far */
    uint32_t arrived;         /* lanes that came to the cluster's barrier and
                                 have not waited: its phase goes on; */
    uint32_t passed;          /* or has ended */
    uint32_t bulk_loads;      /* bulk copies to shared memory that it issued */
    uint32_t quota;           /* registers per thread; 0: as launched */
    struct warp_divided {     /* by 0, at last: */
        uint32_t lanes;       /* which; */
        const struct function *in;
        const struct inst *at; /* where */
    } divided;
    uint64_t exchange[LANES]; /* what lanes show each other in a .sync */
    struct suspect *suspect;  /* suspect.c; NULL: nothing so far */
    const struct observer *follower; /* of suspect values; NULL: none */
    struct warp_still {       /* exec/still.c: */
        uint64_t kept;        /* its state some slices ago, */
        uint8_t age, span;    /* how many, and how many at most; */
        bool found;           /* it came back to a state; */
        bool looked;          /* it polled memory in this slice */
    } still;
};

struct barrier {
    uint32_t arrived;  /* threads */
    uint32_t expected; /* 0: all that live */
    uint32_t reduce_count;
    uint32_t warps;    /* that arrived, a bit each */
    uint32_t when[MAX_WARPS]; /* race stamps */
};

struct block {
    uint32_t id[3];
    uint64_t index;
    uint32_t n_warps, n_threads, live;
    uint32_t start;      /* race stamps of this block are above */
    uint32_t floor;      /* race stamp of the last barrier of all threads */
    uint32_t (*met)[MAX_WARPS]; /* warp a's accesses below met[b][a] are
                                   ordered before warp b's; NULL: none */
    uint32_t (*own)[MAX_WARPS * LANES]; /* the same of thread a's own */
    uint32_t (*landed)[MAX_WARPS * LANES]; /* of what its copies wrote */
    struct warp warps[MAX_WARPS];
    struct barrier barriers[MAX_BARRIERS];
    uint32_t n_transfers;       /* of its warps, under way */
    uint64_t transfer_serial;   /* of the last one issued */
    struct bulk *bulks, **bulks_end; /* under way, as issued: to its memory, or
                                        its threads' */
    struct mbarrier **mbarriers;
    uint32_t n_mbarriers, mbarrier_room;
    uint32_t timeouts;          /* rounds in which waits ended by their time
                                   limit, and nothing else happened */
    struct cluster_seen *seen;  /* race_cluster.c; NULL: nothing */
    bool joined;                /* some thread has waited for the cluster's
                                   barrier: all its blocks have started */
};

/* Blocks that run at once, meet at a barrier and reach each other's shared
 * memory. Each has a worker, and one thread runs them in turns. Every block is
 * in a cluster; in most launches it is alone there. */
struct cluster {
    uint32_t n;          /* blocks */
    uint32_t id[3];      /* in the grid of clusters */
    uint32_t arrived;    /* threads, at the barrier's present phase */
    struct worker *member[CLUSTER_MOST]; /* by rank */
    struct object_order order;
};

struct found;
struct mbarrier;
struct transfer;
struct bulk;
struct traffic_probe;
struct pattern;
struct observer;
struct steps;

struct worker {
    struct engine_counters counters;
    struct busiest_block began;   /* what it had done before its block, */
    struct busiest_block busiest; /* and most of all within one */
    struct run *run;
    uint32_t slot;            /* where its block is, on the multiprocessor */
    struct window *windows;   /* per site: the array touched last */
    struct pattern *patterns; /* per site: the cost met last */
    struct block block;
    uint8_t *shared;          /* the byte at shared address a is shared[a] */
    uint8_t *shared_init;
    struct race *race;        /* NULL: not looked for */
    uint32_t pending;         /* lanes' transfers under way */
    uint16_t *arriving;       /* the same, per shared word; or NULL */
    uint16_t *leaving;        /* bulk copies that read it; or NULL */
    struct transfer *free_transfers;
    struct frame *frames;     /* free ones, any function */
    struct node *nodes;
    struct found *found;
    struct worker *mate;      /* cooperative, or of a cluster: the thread's
                                 next block */
    struct cluster *cluster;
    uint32_t rank;            /* in the cluster */
    bool guest;               /* joined a sampled launch, so that others can go
                                 on: nothing of it counts */
    bool stranger;            /* its block is another multiprocessor's */
    uint64_t order;           /* of the block among all, as they are taken */
    uint64_t spent;           /* instructions already told to the budget */
    bool is_over;             /* it is spent, and no warp has said so yet */
    struct spun {             /* instructions of loops that waited */
        uint64_t warps, lanes;
    } spun;
    uint64_t weighed;         /* when pages_beyond last looked */
    uint8_t *local, *local_init;
    struct spread_out *spread_out; /* lanes_matrix.c's; or NULL */
    /* Where the scheduler is: */
    struct round {
        bool busy;            /* some warp did not poll */
        bool changed;         /* something has, perhaps; exec/still.c */
        bool elsewhere;       /* some warp did more than ask again */
        uint32_t next;        /* the warp whose turn comes */
        bool left, moved;     /* some warp has not exited; one has run */
        bool paused;          /* within the turn of warp next */
    } round;
    bool has_block;
    bool moved;               /* some warp has run in the last round */
    atomic_uint waits;        /* rounds in which its warps did nothing but poll
                                 memory: perhaps for another block */
    uint32_t calm;            /* rounds in which its warps asked again, and
                                 wrote nothing */
    uint32_t stuck;           /* of a thread's first: rounds over its blocks in
                                 which all waited and none could join */
    bool over;                /* cooperative: its block has ended */
    struct worker *turn;      /* of the first mate: whose round; NULL: a new
                                 round over all */
    bool any_left;            /* some of this round have not ended; */
    bool any_moved;           /* have run, or did more than wait */
    bool under_way;           /* of a cluster's first: it has begun */
    struct worker *beside;    /* the first of the thread's next cluster */
    struct worker *in_turn;   /* of a thread's first: whose cluster's round;
                                 NULL: a new round over all */
    bool clusters_left, clusters_moved; /* of this round: the same as above */
    struct worker_still {     /* exec/still.c: */
        uint32_t calm, cycle; /* rounds in which nothing changed; the most of
                                 them until a warp comes back to a state */
        atomic_int rounds;    /* such cycles; -1: it has ended */
        int noted;            /* of them, when all workers were asked; or 0 */
        bool mapped;          /* the host may write what its block looks at */
        uint64_t idle, did;   /* atomics that changed nothing; deeds before */
        uint64_t done;        /* deeds before this round */
        unsigned changes;     /* of the clock, before this round */
        uint64_t lo, hi;      /* global memory that its block has looked at */
        struct warp *looking; /* who did last, where, at what */
        const struct inst *look;
        const struct source *place;
        bool tests;           /* an mbarrier, by test_wait */
        int lane;
        uint8_t space;
        uint32_t bytes;
        uint64_t at;
    } still;
};

/* Arrays that stores may reach; not known (any more): all of memory. */
enum { REACHED_MOST = 8 };
struct reached {
    atomic_bool known;
    uint8_t n;
    struct { uint64_t lo, hi; } array[REACHED_MOST];
};

/* One launch. */
#define NO_QUOTA UINT64_MAX
struct run {
    struct engine *engine;
    struct kernel *kernel;
    const struct launch *launch;
    unsigned checks;
    uint64_t n_blocks;
    uint32_t cluster[3];      /* blocks of a cluster, along each axis */
    uint32_t cluster_blocks;  /* in all */
    bool explicit_cluster;    /* the program asked for one */
    atomic_ullong fault_order;  /* of the first faulty block; blocks before it
                                   still run, so that the report does not
                                   depend on timing */
    enum engine_fault fault;
    uint64_t budget;
    int still_rounds;         /* as engine_config has it; or 0 */
    atomic_uint stirs;        /* how often a worker was no longer still, by now
                                 and when all were asked */
    unsigned noted_stirs;
    atomic_uint still_asks;   /* rounds after which all might have been still */
    bool pauses;              /* launch/parts.c: it runs part by part; */
    atomic_bool pause;        /* all workers are to stop after this round; */
    struct worker *standing;  /* it is at a standstill, as this one saw; */
    bool standing_mapped;     /* but the host may write what it polls; */
    bool standing_timed;      /* or a clock that goes on may change something */
    struct run_time {         /* exec/freeze.c: */
        atomic_bool read;     /* some warp has read a clock; since it froze */
        atomic_bool frozen;   /* the clock stands still, */
        atomic_ullong at;     /* at this; */
        atomic_uint changes;  /* it has stopped, gone on, or leapt: two each */
        atomic_uint rounds;   /* of all blocks, since the last change */
        atomic_uint vain;     /* how often it had to go on */
        atomic_bool tried;    /* nothing has changed since it leapt by days */
        bool leaps;           /* as nobody else can run; */
        int leapt;            /* how often it has */
    } time;
    uint64_t watch;           /* engine_config.watch */
    const struct engine_input *inputs; /* engine_config.inputs; NULL: none */
    const struct observer *races, *traffic; /* who looks on; or NULL */
    uint8_t race_mode;        /* enum race_mode */
    struct reached reached;   /* what this launch's stores may reach */
    bool early;               /* begins beside the stream's last launch */
    bool narrow;              /* some accesses are of less than a word */
    bool takes_turns;         /* some stores are volatile */
    struct race_order *order; /* NULL: the kernel has no fence */
    struct race_unfenced *unfenced; /* NULL: the kernel passes no message by
                                       strong accesses alone */
    struct race_cell *cells;  /* RACES_FENCED: of global memory */
    struct traffic_probe *probe;          /* CHECK_TRAFFIC, or NULL */
    struct steps *steps;      /* followed step by step, or NULL */
    uint64_t quota;           /* of a launch in steps: warp instructions until
                                 it pauses; NO_QUOTA: it does not */
    /* Which block runs as the order-th; NULL: in order, or shuffled. */
    uint64_t (*choose)(const struct run *r, uint64_t order);
    /* Of a sampled launch: the blocks that run, how many of them in turns, and
     * whether those that ended are enough. n_sampled 0: all blocks run. */
    uint64_t n_sampled;
    uint32_t n_slots;
    uint32_t n_counted;       /* workers whose blocks may count: the first */
    uint64_t next_stranger;   /* other cluster, if those that run wait for it */
    bool (*enough)(const struct worker *k);
    bool (*is_sampled)(const struct run *r, uint64_t block);
    /* Blocks that wait for each other: scheduler.c. workers: an array with
     * room for so many; opened: how many of them are, the first ones. */
    struct worker *workers;
    uint32_t room, threads;   /* room: for so many blocks */
    atomic_uint opened;
    atomic_uint stuck;        /* threads all of whose blocks only wait, and that
                                 have no room for one more */
    atomic_bool in_turns;     /* some thread runs several blocks in turns */
    uint32_t shared_end;      /* past the last shared address */
    size_t max_found;
    uint8_t *params;
    struct lock *out;         /* printf, fault */
    /* Written by all workers: on a cache line that nothing else is on. */
    _Alignas(64) atomic_ullong next_block;
    atomic_ullong spent;
};

static inline void *slot(const struct warp *w, uint32_t offset)
{
    return w->regs + offset;
}

/* One lane's register of 8 bytes or, if bytes is less, of 4. */
static inline uint64_t slot_get(const struct warp *w, uint32_t at, int lane,
                                int bytes)
{
    return bytes >= 8 ? ((uint64_t *)slot(w, at))[lane]
                      : ((uint32_t *)slot(w, at))[lane];
}

static inline void slot_put(struct warp *w, uint32_t at, int lane, int bytes,
                            uint64_t value)
{
    if (bytes >= 8)
        ((uint64_t *)slot(w, at))[lane] = value;
    else
        ((uint32_t *)slot(w, at))[lane] = (uint32_t)value;
}

/* How many clusters the grid has. */
static inline uint64_t run_clusters(const struct run *r)
{
    return r->n_blocks / r->cluster_blocks;
}

/* No store of this launch reaches the array that holds the address. */
static inline bool run_is_constant(const struct run *r, uint64_t address)
{
    bool out = atomic_load_explicit(&r->reached.known, memory_order_relaxed);
    for (int k = 0; k < r->reached.n; k++)
        out &= address < r->reached.array[k].lo ||
               address >= r->reached.array[k].hi;
    return out;
}

/* A store has reached another array: from here on nothing is known. */
static inline void run_strays(struct run *r)
{
    atomic_store_explicit(&r->reached.known, false, memory_order_relaxed);
}

static inline struct run *run_of(const struct warp *w)
{
    return w->worker->run;
}

#endif
