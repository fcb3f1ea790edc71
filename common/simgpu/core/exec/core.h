// SPDX-License-Identifier: MIT
/*
 * core.h: the engine's own structures, shared by the files of core/.
 *
 *   engine, module, function, kernel   what outlives a launch
 *   inst                               one decoded instruction
 *   run, worker, block, warp, leaf     what executes
 *
 * A register is 32 lanes side by side, so that a handler is one loop that
 * the compiler turns into vector code. A warp's lanes are spread over a tree
 * of nodes: leaves run, inner nodes wait for their children at the
 * reconvergence point (divergence) or at the return (a call).
 */
#ifndef SIMGPU_CORE_H
#define SIMGPU_CORE_H

#include <pthread.h>
#include <stdatomic.h>

#include "simgpu/core/memory/access.h"
#include "simgpu/core/engine.h"
#include "simgpu/core/memory/memory.h"

enum {
    LANES = 32,
    FULL = -1,            /* as uint32_t: all lanes */
    MAX_WARPS = 32,       /* a block: 1024 threads */
    MAX_BARRIERS = 16,    /* a block: PTX ISA, bar */
    MAX_VECTOR = 8,       /* registers a vector access */
    WIDE_HALF = 8 * LANES, /* from a 128-bit register's low half to its high */
    MAX_CALL_DEPTH = 128, /* frames a thread; recursion ends in FAULT_STACK */
    LOCAL_CALL_BYTES = 64 << 10, /* local memory for calls whose depth is not
                                    known beforehand */
    SHARED_START = 1024,  /* so that a null shared pointer is out of bounds */
    RESERVED_START = 256, /* below: the system's part, where it is named */
    SHARED_GAP = 128,     /* between variables; keeps every word's bank */
};

/* Where generic addresses of the small spaces begin: far from every
 * allocation, and unmapped in any client. */
#define SHARED_WINDOW 0x100000000000ull
#define LOCAL_WINDOW 0x110000000000ull
#define PARAM_WINDOW 0x120000000000ull
#define WINDOW_BYTES 0x001000000000ull
/* What a register holds that nobody wrote: NaN as fp16, bf16, fp32, fp64. */
#define UNSET_BITS 0x7fff7fff7fff7fffull
#define FUNC_WINDOW 0x130000000000ull /* "addresses" of functions */

struct warp;
struct inst;

/* Executes i for the lanes of mask; returns what to execute next, or NULL
 * when the warp has nothing to run now. */
typedef const struct inst *handler(struct warp *w, const struct inst *i,
                                   uint32_t mask);

/* One register's worth of a scalar handler: operands in, result out. */
typedef uint64_t scalar(uint64_t a, uint64_t b, uint64_t c,
                        const struct inst *i);

/* Dense: a cache line, read front to back. Slots are byte offsets in the
 * frame's registers. */
struct inst {
    handler *fn;
    uint32_t guard;    /* slot of the guard predicate + 1; 0: none */
    uint32_t guard_xor; /* all ones: @!p */
    uint32_t d, a, b, c;
    int64_t imm;       /* address offset, or the opcode's own */
    union {
        const struct inst *target; /* branch, or call: callee's entry */
        scalar *eval;
        uint64_t bits;
    };
    const struct inst *rpc; /* where diverged lanes meet again */
    const struct detail *detail;
    uint8_t flops, mods, p0, p1;
    uint32_t source;   /* into function->ptx order: for messages */
};
_Static_assert(sizeof(struct inst) <= 80, "an instruction stays small");

/* What only some instructions need. */
struct detail {
    uint8_t space;        /* enum ptx_space */
    uint8_t size;         /* bytes an element */
    uint8_t n;            /* elements a lane: 1, 2, 4, 8 */
    uint8_t reg;          /* bytes a register lane: 4, 8 or 16 */
    bool is_signed, write, atomic, address64, acquire, async;
    bool is_volatile, release, /* st.release, atom.acq_rel */
        block_scope;           /* .cta: not for other blocks */
    uint8_t width_b, width_c, width_d; /* register bytes of b, c, d */
    uint8_t op;           /* enum atom_op and the like */
    uint8_t type_class, type_bits;
    uint32_t used;        /* bytes of a load that somebody uses; 0: all */
    uint32_t cache;       /* index of the window cache */
    uint32_t slot[MAX_VECTOR]; /* registers of a vector; NO_SLOT: sink */
    uint32_t source[MAX_VECTOR]; /* atomics: what is added and the like */
    const struct ptx_var_info *var; /* base variable, where it is named */
    const struct detail *from; /* async: the source as a load */
    const char *text;     /* "wgmma.mma_async..." for UNSUPPORTED */
    struct call_info *call;
    const struct inst **targets;  /* brx.idx */
    uint32_t n_targets;
};
#define NO_SLOT UINT32_MAX

/* Where an instruction comes from. */
struct source {
    const char *file;
    int line;
    int ptx_line;
    const char *op;     /* interned text: "ld.global.f32" */
};

/* A variable as the engine laid it out. */
struct variable {
    const char *name;
    uint8_t space;
    bool dynamic;      /* extern [] shared */
    uint64_t address;  /* in its space */
    uint64_t bytes;
    int32_t func;
};

struct call_info {
    const struct function *callee; /* NULL: indirect, or builtin */
    uint8_t builtin;               /* enum builtin */
    uint32_t n_args, n_results;
    uint32_t *arg, *result;        /* offsets in the caller's param frame */
    uint32_t *arg_bytes, *result_bytes;
};
enum builtin {
    BUILTIN_NONE, BUILTIN_PRINTF, BUILTIN_ASSERT, BUILTIN_MALLOC, BUILTIN_FREE,
    BUILTIN_MISSING,
};

/* A slot filled when a warp starts. */
enum special {
    SP_TID_X, SP_TID_Y, SP_TID_Z, SP_NTID_X, SP_NTID_Y, SP_NTID_Z,
    SP_CTAID_X, SP_CTAID_Y, SP_CTAID_Z, SP_NCTAID_X, SP_NCTAID_Y, SP_NCTAID_Z,
    SP_LANEID, SP_WARPID, SP_NWARPID, SP_SMID, SP_NSMID, SP_GRIDID,
    SP_LANEMASK_EQ, SP_LANEMASK_LE, SP_LANEMASK_LT, SP_LANEMASK_GE,
    SP_LANEMASK_GT, SP_DYNAMIC_SMEM, SP_TOTAL_SMEM, SP_ZERO, SP_ONE,
    SP_GRID_LOW, SP_GRID_HIGH, /* where a cooperative grid's barrier lies */
    N_SPECIALS,
};
struct constant { uint64_t bits; uint32_t slot; uint8_t size; };
struct special_slot { enum special what; uint32_t slot; uint8_t size; };

struct function {
    const char *name;
    struct module *module;
    struct inst *insts;
    size_t n_insts;
    uint32_t frame_bytes;    /* registers */
    uint32_t param_bytes;    /* of .param variables in the frame, a lane */
    uint32_t local_bytes;    /* of local variables, a lane */
    bool grows;              /* has alloca */
    struct constant *constants;
    size_t n_constants;
    struct constant *unset;  /* registers that some path reads unwritten */
    size_t n_unset;
    struct special_slot *specials;
    size_t n_specials;
    struct source *sources;
    size_t n_sources;
    uint32_t *params, *returns;  /* offsets in the param frame */
    uint32_t *param_size, *return_size;
    size_t n_params, n_returns;
    bool is_entry;
};

struct kernel {
    struct kernel_info info;
    struct function *function;
    struct module *module;
    struct kernel *next;
    struct variable *shared;  /* in address order; the dynamic one last */
    size_t n_shared;
    uint32_t static_end;      /* shared address where dynamic memory begins */
    bool reserved_shared;     /* shared[0] is the system's part */
    uint32_t local_bytes;     /* a lane, calls included */
};

struct module {
    struct engine *engine;
    struct module *next;
    struct function *functions;
    size_t n_functions;
    struct kernel *kernels;
    struct variable *variables;
    size_t n_variables;
    uint32_t n_caches;        /* memory instructions */
    bool reserved_shared;     /* code asks where the system's part lies */
    void *text;               /* arena of everything decoded */
};

struct engine {
    struct engine_config config;
    struct memory memory;
    struct module *modules;
    int isa;                  /* into lane_tables */
    int64_t launches;
    size_t heap_bytes;        /* asked for; 0: as devices begin */
    struct heap *heap;        /* of malloc in kernels; NULL: none calls it */
    size_t n_shared;          /* allocations that a client maps */
    struct streams *streams;
    bool registered;          /* kernels may use the host's addresses */
    struct race *races;       /* kept for the next launch's workers */
    uint64_t grid_barrier;    /* address; 0: no cooperative launch so far */
};

/* A set of registers, and the callee's parameters. */
struct frame {
    const struct function *function;
    struct frame *next;       /* free list */
    uint32_t local_base;      /* lanes' local memory begins here */
    uint32_t grown[LANES];    /* alloca: bytes taken behind the variables */
    uint8_t *params;          /* [lane][function->param_bytes] */
    _Alignas(64) uint8_t regs[];
};

enum node_state {
    NODE_RUN,      /* a leaf that can run */
    NODE_INNER,    /* waits for its children */
    NODE_BARRIER,  /* a leaf at a barrier of the block */
    NODE_SYNC,     /* a leaf at a .sync instruction of the warp */
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
    const struct inst *pc;    /* of a leaf that is not current, or of an inner
                                 node: where to go on */
    const struct inst *rpc;
    const struct inst *call;
    struct node *parent;
    struct frame *frame;
    struct node *next;        /* list of leaves, or free list */
};

struct worker;
struct block;

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
    const struct release *acquired; /* race_order.c: what it has seen */
    bool done;
    bool spins;               /* polls memory: perhaps for a lane that waits */
    struct frame *root;       /* the kernel's frame, kept over blocks */
    uint8_t *local, *local_init;
    struct copy *copies;      /* asynchronous, under way, as issued */
    uint32_t groups[LANES];   /* of copies, committed */
    uint64_t exchange[LANES]; /* what lanes show each other in a .sync */
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
    struct warp warps[MAX_WARPS];
    struct barrier barriers[MAX_BARRIERS];
};

struct found;
struct tap;

/* A shared access whose cost is known: distances from the first address. */
struct pattern {
    uint32_t mask;            /* 0: none yet */
    uint32_t offset[LANES];
    struct wavefronts cost;
};

struct worker {
    struct engine_counters counters;
    struct run *run;
    struct tap *tap;          /* CHECK_TRAFFIC, or NULL */
    uint32_t slot;            /* where its block is, on the multiprocessor */
    struct window *windows;   /* a cache slot a memory instruction */
    struct pattern *patterns; /* the same */
    struct block block;
    uint8_t *shared;          /* the byte at shared address a is shared[a] */
    uint8_t *shared_init;
    struct race *race;        /* NULL: not looked for */
    uint32_t pending;         /* lanes' asynchronous copies under way */
    uint16_t *copying;        /* the same, a shared word each; or NULL */
    struct copy *free_copies;
    struct frame *frames;     /* free ones, any function */
    struct node *nodes;
    struct found *found;
    struct worker *mate;      /* cooperative: the thread's next block */
    uint64_t order;           /* of the block among all, as they are taken */
    uint64_t spent;           /* instructions already told to the budget */
    uint8_t *local, *local_init;
    pthread_t thread;
    bool started;
};

/* One launch. */
struct run {
    struct engine *engine;
    struct kernel *kernel;
    const struct launch *launch;
    unsigned checks;
    uint64_t n_blocks;
    atomic_ullong fault_order;  /* of the first faulty block; blocks before it
                                   still run, so that the report does not
                                   depend on timing */
    enum engine_fault fault;
    uint64_t budget;
    uint64_t watch;           /* engine_config.watch */
    uint8_t races;            /* enum race_mode */
    bool narrow;              /* some accesses are of less than a word */
    struct race_order *order; /* NULL: the kernel has no fence */
    struct race_cell *cells;  /* RACES_FENCED: of global memory */
    struct tap *tap;          /* CHECK_TRAFFIC, or NULL */
    uint64_t n_sampled;       /* blocks that run; 0: all */
    uint32_t shared_end;      /* past the last shared address */
    size_t max_found;
    uint8_t *params;
    pthread_mutex_t out;        /* printf, fault */
    /* Written by all workers: on a cache line that nothing else is on. */
    _Alignas(64) atomic_ullong next_block;
    atomic_ullong spent;
};

static inline void *slot(const struct warp *w, uint32_t offset)
{
    return w->regs + offset;
}

static inline struct run *run_of(const struct warp *w)
{
    return w->worker->run;
}

static inline int first_lane(uint32_t mask)
{
    return __builtin_ctz(mask);
}

/* execute: lanes_run.c, one a vector width */
typedef void run_warp(struct warp *w);

/* frame.c */
struct frame *frame_new(struct worker *k, const struct function *f);
void frame_begin(struct warp *w, struct frame *f, uint32_t base);

/* control.c: the tree of nodes */
struct node *node_new(struct worker *k);
void node_recycle(struct worker *k, struct node *n);
void warp_start(struct warp *w, const struct function *f, uint32_t lanes);
const struct inst *leaf_choose(struct warp *w);
struct node *add_leaf(struct warp *w, const struct node *like, uint32_t mask,
                      const struct inst *pc);
struct node *make_inner(struct warp *w, const struct inst *pc);
const struct inst *leaf_leave(struct warp *w, const struct inst *i, uint32_t mask);
const struct inst *block_leaf(struct warp *w, const struct inst *i,
                              uint32_t mask, enum node_state state);
void merge_waiting(struct warp *w, enum node_state state);
struct node *part_leaf(struct warp *w, struct node *leaf, uint32_t mask,
                       struct node **apart);
bool release_early(struct warp *w);
bool release_exits(struct warp *w);
void note_poll(struct warp *w);
handler op_branch, op_branch_uniform, op_branch_index, op_reconverge, op_exit,
    op_return, op_call, op_unsupported, op_trap, op_nop;

/* sync.c: barriers and .sync operations */
handler op_barrier, op_warp_sync, op_shuffle, op_vote, op_match, op_redux,
    op_elect, op_activemask, op_fence, op_barrier_arrive, op_barrier_reduce;
void sync_recheck(struct warp *w);
bool barrier_recheck(struct block *b);
void deadlock(struct block *b);

/* access.c and memop.c: any access, lane by lane */
handler op_load, op_store, op_atomic, op_load_param, op_load_wide,
    op_store_wide, op_discard;
/* 128 bits are read and written under it, so that none is seen half done. */
extern pthread_mutex_t wide_lock;

/* device_calls.c */
void call_printf(struct warp *w, const struct inst *i, uint32_t mask);
void call_assert(struct warp *w, const struct inst *i, uint32_t mask);

/* race.c: a launch, a worker; race_words.c: an access */
void race_open(struct run *r);
void race_close(struct run *r);
void race_worker_open(struct worker *k);
void race_worker_close(struct worker *k);
void race_engine_close(struct engine *engine);
void race_report(struct worker *workers, int n);
void race_access(struct warp *w, const struct inst *i, uint32_t mask,
                 const uint64_t *addr, bool shared);
/* The two halves of a shared access: is it ordered; it has happened. */
void race_look(struct warp *w, const struct inst *i, uint32_t mask,
               const uint64_t *addr);
void race_keep(struct warp *w, const struct inst *i, uint32_t mask,
               const uint64_t *addr);

/* race_order.c: what orders accesses */
void race_block_begins(struct worker *k);
void race_sync(struct warp *w, uint32_t members);
void race_arrives(struct warp *w, uint32_t mask, struct barrier *x);
void race_barrier(struct block *b, struct barrier *x, uint32_t waiting);
void race_fence(struct warp *w, uint32_t mask, bool gpu);
/* Before a strong write, and after a strong read, of these addresses. */
void race_release(struct warp *w, const struct inst *i, uint32_t mask,
                  const uint64_t *addr, bool shared);
void race_acquire(struct warp *w, const struct inst *i, uint32_t mask,
                  const uint64_t *addr, bool shared);

/* finding.c */
void finding_add(struct warp *w, const struct inst *i, int lane,
          enum finding_kind kind, struct finding *f);
const struct inst *raise_fault(struct warp *w, enum engine_fault fault);
struct site site_of(const struct warp *w, const struct inst *i, int lane);
void thread_of(const struct warp *w, int lane, uint32_t thread[3]);
const struct source *source_of(const struct function *f, const struct inst *i);

#endif
