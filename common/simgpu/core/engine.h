// SPDX-License-Identifier: MIT
/*
 * engine.h: a GPU that executes decoded PTX and says what it saw.
 *
 *   engine_open, engine_close
 *   engine_alloc, engine_free           device memory, exact to the byte
 *   engine_alloc_mapped                 memory that the host maps too
 *   engine_revive                       memory of a graph
 *   engine_read, engine_write, engine_fill, engine_copy, engine_undefine
 *   engine_load, engine_unload          PTX module -> decoded module
 *   engine_kernel, engine_symbol        look-ups by mangled name
 *   engine_provides                     printf, malloc and their like
 *   engine_launch                       runs a grid to its end, or to a fault
 *   engine_launch_open, engine_launch_step, engine_launch_close
 *                                       the same, warp instruction by warp
 *                                       instruction
 *   engine_launch_look, engine_launch_found
 *                                       of a launch in steps: what it counted
 *                                       by now, how much it found
 *   engine_access_cost                  what an access of a step cost
 *   engine_launch_run, engine_launch_finish
 *                                       a part of it, or its rest, unfollowed
 *   engine_launch_begin, engine_launch_go, engine_launch_end
 *                                       the same, part by part
 *   engine_work, engine_touch           a piece of a stream's work begins; the
 *                                       bytes that a copy or memset touches
 *   engine_stream, engine_record, engine_wait, engine_sync
 *                                       what orders work
 *
 * The engine executes; counters, memory checks and the race detector are
 * observers that get one event per warp instruction and never change state.
 * Everything here is called from one thread; engine_launch spreads blocks
 * over config.workers threads of its own.
 */
#ifndef SIMGPU_ENGINE_H
#define SIMGPU_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../gpu.h"
#include "../ptx/ptx.h"

enum engine_check {
    CHECK_COUNTERS = 1 << 0, /* requests, sectors, wavefronts, flops */
    CHECK_MEMORY = 1 << 1,   /* bounds, lifetime, alignment, uninitialised */
    CHECK_RACES = 1 << 2,    /* shared and global memory, within a block and
                                between blocks of a launch */
    CHECK_STREAMS = 1 << 4,  /* the same between kernels, copies and the like
                                of streams that nothing orders; a kernel's
                                accesses are known with CHECK_RACES */
    CHECK_ALL = 7 | CHECK_STREAMS,
    CHECK_TRAFFIC = 1 << 3, /* caches, scoreboards, lines: struct traffic. On
                               one thread */
};

/* An array that kernels read: what they load of it is counted apart. */
struct engine_input {
    uint64_t first, bytes; /* address and size; 0 bytes: no further one */
    bool small;            /* one that others dwarf */
};
enum { ENGINE_INPUTS = 8 };

struct engine_config {
    const struct gpu_model *gpu;
    uint64_t memory_bytes;       /* of the GPU; 0: as the model has. Small on
                                    a host with little address space */
    int workers;                 /* threads; 0: one per core */
    unsigned checks;             /* enum engine_check, or-ed */
    uint64_t seed;               /* 0: blocks and warps in natural order;
                                    else a shuffle drawn from it */
    uint64_t instruction_budget; /* per launch; 0: none */
    int still_rounds;            /* rounds of polling in which nothing changes,
                                    after which the launch is a deadlock; 0:
                                    it goes on. Needs CHECK_COUNTERS */
    uint64_t host_bytes;         /* of the host's memory that this process may
                                    take; 0: no limit */
    size_t max_findings;         /* kept per launch; 0: 16 */
    uint64_t watch;              /* address whose writers are FIND_WATCHED */
    struct engine_input inputs[ENGINE_INPUTS];
    const char *isa;             /* for tests, when the engine is opened: no
                                    wider vector code than "base" or "avx2".
                                    NULL: the widest that there is */
};

/*
 * Access counters; as an H200 counts (tests/hardware).
 * requests: warp instructions with at least one active lane. sectors:
 * distinct 32-byte lines. conflicts: wavefronts beyond the unavoidable.
 * flops: floating-point operations of any type, those of tensor cores included;
 * a multiply-add counts two. *_tensor_ops: operations of tensor cores by the
 * type that they multiply, likewise; int8 stands for the narrower integers,
 * too. JSON keys are these names.
 */
#define ENGINE_COUNTERS(X)                                                     \
    X(warp_instructions)   /* without loops that wait: exec/spin.h */          \
    X(lane_instructions)                                                       \
    X(global_load_requests)                                                    \
    X(global_load_sectors)                                                     \
    X(global_load_bytes)   /* asked for by active lanes */                     \
    X(global_store_requests)                                                   \
    X(global_store_sectors)                                                    \
    X(global_store_bytes)                                                      \
    X(async_copy_requests) /* global to shared: cp.async */                    \
    X(async_copy_fetches)  /* of them, those that read global memory */        \
    X(async_copy_sectors)  /* of global memory */                              \
    X(async_copy_bytes)                                                        \
    X(bulk_copies)         /* threads' bulk copies, global and shared */       \
    X(bulk_load_sectors)   /* of global memory: what they read, */             \
    X(bulk_load_bytes)                                                         \
    X(bulk_store_sectors)  /* and what they write */                           \
    X(bulk_store_bytes)                                                        \
    X(loads_by_multipliers) /* bulk copies to shared memory by warps that use  \
                               wgmma, before or after */                       \
    X(input_sectors)       /* loaded of config.inputs, in any way: large */    \
    X(parameter_sectors)   /* ones, and small ones */                          \
    X(repeated_bytes)      /* of loads by threads, beyond those of the sectors \
                              that they touch; if there are config.inputs */   \
    X(bytes_asked_again)   /* of loads by threads: what an earlier lane of     \
                              one asks for; if there are config.inputs */      \
    X(async_waits)         /* waits of a warp that bring copies (async.c) */   \
    X(async_waits_ahead)   /* of them, those that leave copies under way */    \
    X(shared_load_requests)                                                    \
    X(shared_load_wavefronts)                                                  \
    X(shared_load_conflicts)                                                   \
    X(shared_store_requests)                                                   \
    X(shared_store_wavefronts)                                                 \
    X(shared_store_conflicts)                                                  \
    X(constant_load_requests)                                                  \
    X(constant_load_replays) /* for addresses beyond a warp's first one */     \
    X(local_load_requests)                                                     \
    X(local_store_requests)                                                    \
    X(global_atomics)      /* warp instructions: atom and red */               \
    X(global_atomic_sectors)                                                   \
    X(global_atomic_bytes)                                                     \
    X(shared_atomics)                                                          \
    X(barriers)            /* warp instructions: bar.sync and kin */           \
    X(mbarrier_arrivals)   /* of warps, at barriers in shared memory */        \
    X(branches)                                                                \
    X(divergent_branches)                                                      \
    X(flops)                                                                   \
    X(fp64_tensor_ops)                                                         \
    X(tf32_tensor_ops)                                                         \
    X(fp16_tensor_ops)                                                         \
    X(bf16_tensor_ops)                                                         \
    X(fp8_tensor_ops)                                                          \
    X(int8_tensor_ops)

struct engine_counters {
#define X(name) uint64_t name;
    ENGINE_COUNTERS(X)
#undef X
};

/* Why a launch ended before its last block. FAULT_NONE: it did not. */
enum engine_fault {
    FAULT_NONE,
    FAULT_ADDRESS,     /* out of bounds, freed, null */
    FAULT_MISALIGNED,
    FAULT_ASSERT,      /* device assert() */
    FAULT_TRAP,        /* __trap(), abort */
    FAULT_BUDGET,      /* instruction budget spent: endless loop? */
    FAULT_DEADLOCK,    /* a barrier or .sync that can never complete */
    FAULT_STACK,       /* call depth or local memory exhausted */
    FAULT_FOOTPRINT,   /* config.host_bytes spent on what it touches */
    FAULT_BARRIER,     /* a barrier used as the PTX ISA does not allow */
    FAULT_ILLEGAL,     /* an instruction with operands that GPUs refuse */
    FAULT_UNSUPPORTED, /* reached an instruction we do not know */
};

enum finding_kind {
    FIND_OUT_OF_BOUNDS,  /* ends the launch: FAULT_ADDRESS */
    FIND_USE_AFTER_FREE, /* ends the launch: FAULT_ADDRESS */
    FIND_MISALIGNED,     /* ends the launch: FAULT_MISALIGNED */
    FIND_UNINITIALISED,  /* a read of bytes nobody wrote; goes on */
    FIND_SHUFFLE,        /* a lane's value that no lane gave, used; goes on */
    FIND_RACE,           /* goes on */
    FIND_PROXY,          /* a proxy fence is missing between two accesses; goes
                            on */
    FIND_UNFENCED,       /* a message without fences; goes on */
    FIND_EXITED,         /* shared memory of a block that may have exited; goes
                            on */
    FIND_WATCHED,        /* a write to config.watch: no error; goes on */
    FIND_EQUAL_WRITES,   /* plain writes of one value, which nothing orders: no
                            error; goes on */
    FIND_PARTED,         /* warps of one block wait at different barriers, and
                            go on together: no error, but what explains a race
                            of the launch; without one it is dropped */
    FIND_DEADLOCK,
    FIND_BARRIER,        /* ends the launch (FAULT_BARRIER), unless lanes of a
                            warp came by different ways */
    FIND_ILLEGAL,        /* ends the launch: FAULT_ILLEGAL */
    FIND_ASSERT,
    FIND_TRAP,
    FIND_BUDGET,
    FIND_STACK,
    FIND_FOOTPRINT,
    FIND_UNSUPPORTED,
    N_FINDING_KINDS,
};

/* No error, but worth knowing. */
static inline bool finding_is_note(enum finding_kind kind)
{
    return kind == FIND_EQUAL_WRITES || kind == FIND_PARTED;
}

/* An accusation of two accesses: `other` is the earlier one. */
static inline bool finding_has_other(enum finding_kind kind)
{
    return kind == FIND_RACE || kind == FIND_PROXY || kind == FIND_UNFENCED ||
           kind == FIND_EQUAL_WRITES;
}

struct site { /* where, in the learner's source */
    const char *file; /* NULL: built without -lineinfo */
    int line;
    const char *call_file; /* NULL, or who called a function that is inlined */
    int call_line;
    uint32_t thread[3];
    uint32_t bytes; /* of an access; 0: unknown */
    bool write;
    bool atomic;
    bool frees;     /* free in a kernel: a write to all of its block */
};

/* One accusation. Equal ones (same kind and source line) are merged: count. */
struct finding {
    enum finding_kind kind;
    const char *kernel;      /* mangled */
    uint32_t block[3];
    struct site at;
    struct site other;       /* where finding_has_other: the earlier access */
    uint8_t space;           /* enum ptx_space */
    uint64_t address;        /* as the program sees it */
    uint32_t bytes;          /* of the access */
    const char *array;       /* mangled variable name, or NULL */
    int64_t allocation;      /* cudaMalloc order from 1; 0: none near */
    int64_t offset;          /* of the access in array or allocation: may be
                                negative or past its end */
    uint64_t array_bytes;    /* its size */
    uint64_t count;
    char detail[160];        /* opcode for UNSUPPORTED, message for ASSERT */
    /* Race between streams: what `other` is part of, a kernel or "memset" and
     * the like, as `kernel` is here; else NULL. Without a file where it is no
     * kernel. */
    const char *other_kernel;
    uint64_t stream, other_stream;
};

/*
 * What CHECK_TRAFFIC sees. Of a sampled launch these are the counted blocks'
 * own; `blocks` of `grid_blocks`. Sectors have 32 bytes.
 */
enum { TRAFFIC_LOCAL = -1 }; /* id: the threads' local memory */
struct traffic_array { /* of one allocation: what reaches device memory */
    int64_t id;
    uint64_t bytes;              /* its size */
    uint64_t read_sectors, write_sectors;
    uint64_t asked_sectors;      /* that one multiprocessor's share of L2 did
                                    not have */
    uint64_t left_whole, left_partly; /* written sectors that L2 had to give
                                    up: all of their bytes were written, or not
                                    (perhaps by blocks that were not seen) */
    double held;                 /* share of it that L2 has at the start */
    uint64_t apart_sectors;      /* of those read, by requests whose lanes lie
                                    farther apart than L2 is large */
    uint64_t first, last;        /* lines of 128 bytes that requests touched; */
    uint64_t requests, spans;    /* from a request's first line to its last: of
                                    all requests, summed */
    uint64_t blocks, block_spans; /* the same of all blocks that touched it */
};
/* The same counts by what the instruction does: loads and stores are requests
 * to global memory, and an asynchronous copy is none of them. */
#define TRAFFIC_LINE_KINDS(X)                                                  \
    X(loads)                                                                   \
    X(load_sectors)                                                            \
    X(stores)                                                                  \
    X(store_sectors)                                                           \
    X(shared_loads)                                                            \
    X(shared_load_conflicts)                                                   \
    X(shared_store_conflicts)                                                  \
    X(constant_replays)                                                        \
    X(async_waits)                                                             \
    X(atomics)                                                                 \
    X(local_requests)                                                          \
    X(barriers)
struct traffic_line { /* of the source */
    const char *file;
    int line;
    uint64_t issued, lanes;      /* warp instructions; their active lanes */
    uint64_t global_requests, global_sectors, l1_missed;
    uint64_t shared_requests, shared_wavefronts, shared_conflicts;
#define X(name) uint64_t name;
    TRAFFIC_LINE_KINDS(X)
#undef X
};
struct traffic_event { /* one access of the warp that is traced */
    const char *file, *op;
    int line;
    uint8_t space;               /* enum ptx_space */
    bool write, atomic;
    uint32_t mask, bytes;        /* bytes per lane */
    uint64_t address[32];        /* shared: within the block's memory */
};
struct traffic {
    uint64_t grid_blocks, blocks;
    int resident;                /* blocks that a multiprocessor holds */
    int warps;                   /* per block */
    size_t shared_bytes;         /* per block */
    int registers;               /* per thread, assumed or given */
    double clean;                /* share of L2 that need not be written back
                                    first, at the start */
    uint64_t *by_class;          /* warp instructions by enum issue_class */
    uint64_t by_pipe[GPU_N_PIPES]; /* operations of each unit */
    uint64_t instructions, lanes;
    uint64_t issue_slots;        /* instructions of the machine, before */
    uint64_t fence_slots;        /* in which fences keep L1 from others */
    uint64_t merged;             /* ptxas merges so many with others: merge.h */
    uint64_t unit_clocks;        /* of the load/store unit of a
                                    multiprocessor */
    uint64_t l1_sectors, l1_hits;       /* loads */
    uint64_t l2_read_sectors, l2_hits;  /* what L1 does not have */
    uint64_t l2_single_sectors;         /* of them, alone of their line; */
    uint64_t l2_bulk_sectors;           /* by bulk copies; */
    uint64_t l2_copied_sectors;         /* by any asynchronous copy */
    uint64_t l2_write_sectors, atomics; /* atomics: lanes */
    uint64_t l2_partial_sectors; /* of those written: not all bytes of them */
    uint64_t l2_atomic_sectors;  /* of those written, by atomics */
    uint64_t atomic_clocks;      /* of a multiprocessor's atomics in L2 */
    uint64_t contended_clocks;   /* of L2 for atomics at the busiest place that
                                    several blocks touched, */
    uint64_t contended_own;      /* that one block alone touched */
    uint64_t waits, waits_ahead; /* for copies; that leave some under way */
    uint64_t local_sectors;
    uint64_t spilled;            /* accesses to what ptxas spilled, assumed */
    uint64_t alone_clocks;       /* sum over blocks: the slowest warp's, had
                                    it been alone */
    uint64_t alone_most;         /* the slowest block's */
    uint64_t alone_waited;       /* less of alone_clocks, if whatever a warp
                                    polls for were there at once */
    struct traffic_array *arrays;
    size_t n_arrays;
    struct traffic_line *lines;  /* by file and line */
    size_t n_lines;
    struct traffic_event *events;
    size_t n_events;
};

struct launch_spills {       /* bytes of a thread, from ptxas */
    uint32_t frame;          /* of all its local memory */
    uint32_t stores, loads;  /* that its instructions move, each counted once */
};

struct launch {
    uint32_t grid[3], block[3];
    size_t dynamic_shared;   /* bytes */
    const void *params;      /* the parameter block, kernel_info.param_bytes */
    FILE *out;               /* device printf goes here */
    bool cooperative;        /* all blocks run at once and may wait for each
                                other */
    uint32_t cluster[3];     /* blocks of a cluster; 0: as the kernel says.
                                Divides the grid; not of a cooperative launch */
    bool dependent;          /* may begin before its stream's last launch has
                                ended (programmatic dependent launch) */
    int registers;           /* per thread, from ptxas; 0: unknown */
    struct launch_spills spills; /* CHECK_TRAFFIC: their costs */
    bool sample;             /* CHECK_TRAFFIC: run some blocks of one
                                multiprocessor, not all */
    bool fair;               /* CHECK_TRAFFIC: blocks take turns, as many as
                                the GPU holds at once, so that none takes all
                                work of a queue. Not of clusters */
    uint32_t trace_warp;     /* CHECK_TRAFFIC: whose accesses become events, */
    uint32_t trace_events;   /* so many at most, of the block in the middle */
};

/* What the busiest block did; each figure is the largest of any block. */
struct busiest_block {
    uint64_t warp_instructions;
    uint64_t sectors;         /* of global memory, loaded, stored or copied */
};

struct launch_report {
    enum engine_fault fault;
    struct engine_counters counters;
    struct busiest_block busiest; /* of those that ended */
    struct finding *findings; /* owned by the report */
    size_t n_findings;        /* kept */
    uint64_t memory_errors;   /* found, kept or not */
    uint64_t races;
    uint64_t equal_writes;    /* which are no races; */
    uint64_t unlisted;        /* of them, at lines for whose notes there was no
                                 room */
    double seconds;           /* host time */
    struct traffic *traffic;  /* owned; NULL without CHECK_TRAFFIC */
};

struct kernel_info {
    const char *name;
    size_t param_bytes;
    size_t n_params;
    size_t *param_offset, *param_size;
    size_t static_shared, local_bytes, const_bytes;
    uint32_t maxntid;         /* .maxntid product; 0: not given */
    uint32_t registers;       /* per thread, if its bounds tell; or 0 */
    uint32_t cluster[3];      /* .reqnctapercluster; 0: not given */
    uint32_t max_cluster;     /* .maxclusterrank; 0: not given */
    bool needs_cluster;       /* .explicitcluster */
    bool blocks_are_clusters; /* .blocksareclusters: a grid of clusters */
};

struct engine;
struct module;
struct kernel;

struct engine *engine_open(const struct engine_config *config);
void engine_close(struct engine *engine);
void engine_configure(struct engine *engine, const struct engine_config *c);

/* Addresses are device addresses: 256-byte aligned, unmapped in the host
 * program. engine_alloc returns 0 when the model GPU's memory is exhausted. */
uint64_t engine_alloc(struct engine *engine, size_t bytes);
enum allocation_kind {
    ALLOCATION_PLAIN,
    ALLOCATION_MANAGED,
    ALLOCATION_PINNED, /* the host's memory, in the reach of kernels */
    ALLOCATION_MODULE, /* a __managed__ variable */
};
/* In pages that the client maps at the same address: managed, or pinned. */
uint64_t engine_alloc_mapped(struct engine *engine, size_t bytes,
                             enum allocation_kind kind);
/* Memory of the client's own, whose pages it will map from here. Kernels reach
 * it by the address returned, and by the client's. */
uint64_t engine_register(struct engine *engine, uint64_t host, size_t bytes);
/* Bytes for malloc in kernels; false: some are in use, or there are not so
 * many. */
bool engine_heap(struct engine *engine, size_t bytes);

/* How far the launch is that runs. */
struct engine_progress {
    const char *kernel;          /* mangled; NULL: none runs */
    double seconds;              /* since it began */
    uint64_t blocks, n_blocks;   /* begun, of all */
    uint64_t warp_instructions;  /* rounded down, by some thousands */
};
/* For another thread than the launch's; kernel lives as long as its module.
 * false: none runs. */
bool engine_progress(struct engine *engine, struct engine_progress *p);
/* As cudaMallocAsync gives it: cudaFree does not wait for who uses it. */
void engine_pool(struct engine *engine, uint64_t address);
enum mem_status { MEM_OK, MEM_BAD_ADDRESS, MEM_DOUBLE_FREE };
enum mem_status engine_free(struct engine *engine, uint64_t address);
/* A freed allocation lives again at its address, with no byte written: the
 * memory nodes of a graph. MEM_DOUBLE_FREE: it lives; MEM_BAD_ADDRESS: it is
 * unknown, or memory is full. */
enum mem_status engine_revive(struct engine *engine, uint64_t address);
enum mem_status engine_write(struct engine *engine, uint64_t to,
                             const void *from, size_t n);
enum mem_status engine_read(struct engine *engine, void *to, uint64_t from,
                            size_t n);
enum mem_status engine_copy(struct engine *engine, uint64_t to, uint64_t from,
                            size_t n);
/* width 1, 2 or 4: cudaMemset and the 2-D, D16 and D32 forms. Fills the heap of
 * kernels, too, as an H200 does. */
enum mem_status engine_fill(struct engine *engine, uint64_t to, uint32_t value,
                            int width, size_t n_values);
/* Has any of these bytes of an allocation been written? */
bool engine_written(const struct engine *engine, uint64_t address, size_t n);
/* Memory that malloc in kernels gives: the host cannot copy it. */
bool engine_in_heap(const struct engine *engine, uint64_t address);
/* Marks bytes as never written, so that reading them is a finding. */
enum mem_status engine_undefine(struct engine *engine, uint64_t to, size_t n);

/*
 * Work is done in the order of these calls; whether another order would do is a
 * matter of streams and events. Both are named by the caller's numbers: streams
 * from 1, events from 0.
 */
enum { STREAM_HOST = 0, STREAM_LEGACY = 1 };
/* blocking: waits for the default stream, and that for it. */
void engine_stream(struct engine *engine, uint64_t stream, bool blocking);
/* Work is remembered from now on; else it is from the first stream on that is
 * not the default one. */
void engine_streams_apart(struct engine *engine);
void engine_stream_gone(struct engine *engine, uint64_t stream);
void engine_record(struct engine *engine, uint64_t stream, uint64_t event);
/* The stream, or the host, waits for the event as recorded last. */
void engine_wait(struct engine *engine, uint64_t stream, uint64_t event);
/* The host waits for a stream, or with STREAM_HOST for all. */
void engine_sync(struct engine *engine, uint64_t stream);
/* A piece of work begins, "memset" or a kernel (what: kept, not copied).
 * waited: the host waits for its end. */
void engine_work(struct engine *engine, uint64_t stream, const char *what,
                 bool waited);
/* It touches n bytes. value: what all words of four bytes hold after; or
 * NULL. A free counts as a write. */
void engine_touch(struct engine *engine, uint64_t address, size_t n, bool write,
                  const uint32_t *value);
/* It writes a word that kernels under way may poll: as by a volatile store that
 * a fence precedes. */
void engine_touch_signal(struct engine *engine, uint64_t address, size_t n);
/* Races of copies, memsets and frees since engine_forget_findings. */
size_t engine_findings(const struct engine *engine,
                       const struct finding **list);
void engine_forget_findings(struct engine *engine);

struct allocation {
    int64_t id;       /* from 1, in order of engine_alloc */
    uint64_t address;
    size_t bytes;
    bool live, module; /* module: a __device__ or __constant__ variable */
    enum allocation_kind kind;
    int pages;         /* descriptor, where a client maps it too; else 0 */
    uint64_t host;     /* registered memory: the client's address; else 0 */
    bool pooled;       /* by cudaMallocAsync: cudaFree does not wait for it */
    bool kept;         /* freed, but not all of its memory is given back */
};
size_t engine_allocations(const struct engine *engine,
                          const struct allocation **list);
size_t engine_memory_free(const struct engine *engine);

/* The module keeps what it needs of ptx, which may be freed after. An unknown
 * opcode is not an error here, but a FAULT_UNSUPPORTED when reached. */
struct module *engine_load(struct engine *engine, const struct ptx_module *ptx,
                           char *error, size_t error_size);
void engine_unload(struct engine *engine, struct module *module);
/* The engine executes calls of a function of this name without PTX for it. */
bool engine_provides(const char *function);
struct kernel *engine_kernel(struct module *module, const char *mangled);
const struct kernel_info *engine_kernel_info(const struct kernel *kernel);
/* Address and size of a __device__ or __constant__ variable; 0: none. */
uint64_t engine_symbol(struct module *module, const char *name, size_t *bytes);

/* Runs to the end. The configuration must be valid: the runtime checks it. */
void engine_launch(struct engine *engine, struct kernel *kernel,
                   const struct launch *launch, struct launch_report *report);
void engine_report_free(struct launch_report *report);

/*
 * The same in steps. One thread runs one block after the other (those of a
 * cooperative launch in turns), in the order in which engine_launch does with
 * one worker, so memory, counters and findings are the same in the end.
 * CHECK_TRAFFIC does not apply. Between two steps the caller may read and
 * write device memory; another launch has to wait for engine_launch_close.
 */
enum { ENGINE_STEP_ACCESSES = 3 };
struct engine_access {
    uint8_t space;            /* enum ptx_space: where the bytes lie */
    bool write, atomic;
    bool merges;              /* shared: passes may be one */
    uint32_t mask, bytes;     /* bytes per lane */
    uint64_t address[32];     /* in its space */
};
struct engine_step {          /* one warp instruction that was executed */
    uint32_t block[3], warp;  /* warp: within its block */
    uint32_t mask;            /* lanes */
    const char *function;     /* mangled; */
    uint32_t pc;              /* and the instruction's number in it */
    const char *file;         /* NULL: built without -lineinfo */
    int line, ptx_line;
    const char *op;           /* "ld.global.f32" */
    uint32_t n_accesses;      /* none, or one per address space touched */
    struct engine_access access[ENGINE_STEP_ACCESSES];
};
/* Sectors of global memory; of shared memory wavefronts, by passes that serve
 * so many lanes each. 0: of another space, or of a bulk copy. */
struct engine_cost {
    uint32_t sectors, lanes, wavefronts;
};
struct engine_cost engine_access_cost(const struct engine_access *a);
struct engine_stepped;
/* launch is copied. Never NULL. */
struct engine_stepped *engine_launch_open(struct engine *engine,
                                          struct kernel *kernel,
                                          const struct launch *launch);
/* Executes up to n warp instructions. Returns how many; fewer than n: the
 * launch is over. */
size_t engine_launch_step(struct engine_stepped *launch,
                          struct engine_step *steps, size_t n);
/* What it has counted and found by now; some races between blocks are only
 * known once it is closed. The caller calls engine_report_free. */
void engine_launch_look(const struct engine_stepped *launch,
                        struct launch_report *report);
/* How many different findings there are by now, at less cost. */
size_t engine_launch_found(const struct engine_stepped *launch);
/* Executes about n warp instructions, as fast as a launch that is not followed:
 * it stops between two warps' turns, so a few thousand more may be executed.
 * Returns whether the launch is over. */
bool engine_launch_run(struct engine_stepped *launch, uint64_t n);
/* Executes what is left. */
void engine_launch_finish(struct engine_stepped *launch);
/* Frees the launch, which may be unfinished. */
void engine_launch_close(struct engine_stepped *launch,
                         struct launch_report *report);

/*
 * The same part by part, on all threads (parts.c). Between two parts the caller
 * may do with the engine what it likes, but for engine_configure, and run parts
 * of other launches: engine_work comes before engine_launch_begin, as it does
 * before engine_launch.
 */
struct engine_stepped *engine_launch_begin(struct engine *engine,
                                           struct kernel *kernel,
                                           const struct launch *launch);
/* Until it ends (true), stands still, or pauses because engine_tend asked. */
bool engine_launch_go(struct engine_stepped *launch);
/* Frees the launch, which may be unfinished. */
void engine_launch_end(struct engine_stepped *launch,
                       struct launch_report *report);
/* Of one that has not ended: it does not stand still, as far as is known; only
 * other work can end its polling; the host can, too; or its clock can, which it
 * reads. */
enum engine_stand { STAND_NOT, STAND_FOR_ANY, STAND_FOR_HOST, STAND_FOR_TIME };
enum engine_stand engine_launch_stands(const struct engine_stepped *launch);
/* It has done nothing but poll memory for long. */
bool engine_launch_polls(const struct engine_stepped *launch);
/* Grows whenever it may have changed memory. */
uint64_t engine_launch_deeds(const struct engine_stepped *launch);
/* Where and what it polls; false: not known. */
bool engine_launch_at(const struct engine_stepped *launch, struct finding *x);
/* It stands still for ever: a fault. false: not before its clock has leapt to
 * later times; let it go on, and ask again. */
bool engine_launch_condemn(struct engine_stepped *launch, const char *why);
/* For another thread, from time to time: the launch that runs pauses if it has
 * run, or polled, for long, and somebody asks for the engine, or other launches
 * have paused. */
void engine_tend(struct engine *engine, bool asked, bool others);

#endif
