// SPDX-License-Identifier: MIT
/*
 * program.h: a decoded program, as the decoder leaves it and the rest of the
 * engine reads it.
 *
 *   inst, detail              one instruction, and what only some need
 *   function, kernel, module  what outlives a launch
 *
 * A register is 32 lanes side by side, so that a handler is one loop that the
 * compiler turns into vector code.
 */
#ifndef SIMGPU_PROGRAM_H
#define SIMGPU_PROGRAM_H

#include "access.h"
#include "form.h"

enum {
    MAX_WARPS = 32,       /* per block: 1024 threads */
    MAX_BARRIERS = 16,    /* per block: PTX ISA, bar */
    MAX_VECTOR = 8,       /* registers per vector access */
    CLUSTER_MOST = 16,    /* blocks: PTX ISA, with the non-portable attribute */
    CLUSTER_PORTABLE = 8,
    WIDE_HALF = 8 * LANES, /* from a 128-bit register's low half to its high */
    MAX_CALL_DEPTH = 128, /* frames per thread; beyond: FAULT_STACK */
    LOCAL_CALL_BYTES = 64 << 10, /* local memory for calls whose depth is not
                                    known beforehand */
    SHARED_START = 1024,  /* so that a null shared pointer is out of bounds */
    RESERVED_START = 256, /* below: the system's part, where it is named */
    SHARED_GAP = 128,     /* bytes at least between variables */
};

/* Where generic addresses of the small spaces begin: far from every
 * allocation, and unmapped in any client. */
#define SHARED_WINDOW 0x100000000000ull
#define LOCAL_WINDOW 0x110000000000ull
#define PARAM_WINDOW 0x120000000000ull
#define WINDOW_BYTES 0x001000000000ull
/* Above this bit a shared address names a block of the cluster: its rank + 1;
 * 0: the block's own memory. */
enum { SHARED_RANK = 24 };
/* What a register holds that nobody wrote: NaN as fp16, bf16, fp32, fp64. */
#define UNSET_BITS 0x7fff7fff7fff7fffull
#define FUNC_WINDOW 0x130000000000ull /* "addresses" of functions */

/* Executes i for the lanes of mask; returns what to execute next, or NULL
 * when the warp has nothing to run now. */
typedef const struct inst *handler(struct warp *w, const struct inst *i,
                                   uint32_t mask);

/* The second half of a .sync operation (exec/sync.c): the members have given
 * their values, and the lanes of mask take what they need. */
typedef void exchange(struct warp *w, const struct inst *i, uint32_t mask,
                      uint32_t members);

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
    uint16_t flops;
    uint8_t mods, p0, p1;
    uint32_t source;   /* into function->ptx order: for messages */
    bool unnamed;      /* a meeting point: no instruction of the program */
};
_Static_assert(sizeof(struct inst) <= 80, "an instruction stays small");

/* detail.op of atomics. */
/* What follows the size of cp.async: nothing, src-size, or ignore-src. */
enum copy_extra { COPY_WHOLE, COPY_SIZED, COPY_IGNORED };

enum atom_op {
    ATOM_ADD, ATOM_MIN, ATOM_MAX, ATOM_AND, ATOM_OR, ATOM_XOR, ATOM_EXCH,
    ATOM_CAS, ATOM_INC, ATOM_DEC,
};

/* What only some instructions need. */
struct detail {
    uint8_t space;        /* enum ptx_space */
    uint8_t size;         /* bytes per element */
    uint8_t n;            /* elements per lane */
    uint8_t reg;          /* bytes per lane of a register: 4, 8, 16 */
    bool is_signed, address64, fence;
    bool whole;           /* all lanes of the warp must come together */
    struct access_form access; /* of a memory instruction; its destination, of
                                  a copy */
    const struct access_form *from; /* a copy's source */
    exchange *finish; /* of shuffles, votes and the like */
    handler *slow; /* of a handler in vector code: for what is not plain */
    uint8_t width_b, width_c, width_d; /* register bytes of b, c, d */
    uint8_t op;           /* enum atom_op and the like */
    uint8_t type_class, type_bits;
    uint32_t pair;        /* d of d|p: the second result, a predicate; or
                             NO_SLOT */
    uint32_t extra;       /* the operand after c: a mask of lanes, or the
                             carry flags */
    uint32_t *slot;       /* [n] registers of a vector; NO_SLOT: a sink */
    uint32_t *source;     /* [n] atomics: what is added and the like */
    const struct ptx_var_info *var; /* base variable, where it is named */
    const struct matrix *matrix;     /* of a product */
    const struct fragment *fragment; /* of wmma.load and wmma.store */
    const struct group *group;       /* of wgmma */
    const char *text;     /* "wgmma.mma_async..." for UNSUPPORTED */
    struct call_info *call;
    struct bulk_info *bulk;
    const struct inst **targets;  /* brx.idx */
    uint32_t n_targets;
};
#define NO_SLOT UINT32_MAX

/* How ptxas makes one atomic of a warp's: by the number of lanes, which bring
 * the same value; by a sum or the like of what they bring; by their running
 * sums, if no lane is missing. */
enum joined { JOINED_NOT, JOINED_BY_COUNT, JOINED_BY_VALUE, JOINED_IF_WHOLE };

/* What is known of an instruction beyond what executing it takes: where it
 * comes from, and for the scoreboard what it is and which registers it names.
 * A register that is read and written is in both lists. */
struct source {
    const char *file;
    int line;
    const char *call_file; /* where a function that was inlined is called, or */
    int call_line;         /* NULL: first in another file, if it ends in one */
    int ptx_line;
    const char *op;     /* its spelling, kept by the module: "ld.global.f32" */
    const struct form *form; /* NULL: not known */
    uint32_t *slot;     /* n_read slots, then n_written; the guard is read */
    uint16_t n_read, n_written;
    uint8_t class;      /* enum issue_class */
    bool unrolled;      /* ends a loop that ptxas unrolls */
    uint8_t joined;     /* enum joined, of an atomic */
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

/* A bulk copy's operands: slots. Its target is detail.access. */
struct bulk_address {
    uint32_t slot;
    bool wide;                     /* 64 bits */
    int64_t imm;
};
struct bulk_info {
    struct bulk_address to, from, object;
    uint32_t bytes, mask;
    bool counts;                   /* on an mbarrier, and not in a group */
    bool multicast, reduces;
    struct access_form source, signal; /* signal: at the mbarrier */
    /* Of a box of a tensor: */
    struct bulk_address map;
    struct access_form at_map;
    uint32_t at[5];                /* the box's coordinates, */
    uint8_t rank;                  /* so many */
    const struct detail *combines; /* by the map's element type; size 0: not
                                      allowed */
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
    SP_LANEMASK_GT, SP_DYNAMIC_SMEM, SP_TOTAL_SMEM,
    SP_CLUSTERID_X, SP_CLUSTERID_Y, SP_CLUSTERID_Z,
    SP_NCLUSTERID_X, SP_NCLUSTERID_Y, SP_NCLUSTERID_Z,
    SP_CLUSTER_CTAID_X, SP_CLUSTER_CTAID_Y, SP_CLUSTER_CTAID_Z,
    SP_CLUSTER_NCTAID_X, SP_CLUSTER_NCTAID_Y, SP_CLUSTER_NCTAID_Z,
    SP_CLUSTER_CTARANK, SP_CLUSTER_NCTARANK, SP_EXPLICIT_CLUSTER,
    SP_GRID_LOW, SP_GRID_HIGH, /* where a cooperative grid's barrier lies */
    N_SPECIALS,
};
struct constant { uint64_t bits; uint32_t slot; uint8_t size; };
struct special_slot { enum special what; uint32_t slot; uint8_t size; };

/* Where the addresses of a function's stores come from (decode/written.c):
 * sets of pointers, a bit for each, and of the two below. */
#define FROM_ANY (1ull << 63)       /* cannot be told */
#define FROM_ELSEWHERE (1ull << 62) /* shared or local memory */
enum { POINTERS_MOST = 62, STORES_MOST = 32 };

struct written {
    uint32_t n_pointers, n_stores;
    struct pointer {
        uint64_t at;   /* among the kernel's parameters, or an address */
        bool of_param;
    } pointer[POINTERS_MOST];
    uint64_t store[STORES_MOST];
};

/* An instruction whose effect depends on a register that no path has set; its
 * handler is op_unset. */
struct unset_use {
    const struct inst *at, *first; /* first: what read such a register first */
    handler *fn;                   /* its own handler */
};

/* A selection, or a predicate's logic, that may throw away what a load gave;
 * its handler is op_chosen, and its imm the number here. */
struct choice {
    const struct inst *load;
    handler *fn;       /* its own handler */
    uint32_t decides;  /* slot of the predicate that decides, */
    uint32_t flip;     /* and ~0 if it must be false for the load to count */
};

struct function {
    const char *name;
    struct module *module;
    struct inst *insts;
    size_t n_insts;
    uint32_t frame_bytes;    /* registers */
    uint32_t rows[4];        /* predicates end, and registers of 4 bytes per
                                lane begin; of 8; of 16; what none writes */
    uint32_t param_bytes;    /* of .param variables in the frame, per lane */
    uint32_t local_bytes;    /* of local variables, per lane */
    bool grows;              /* has alloca */
    bool awaits, takes;      /* some of its strong reads do: access_form */
    struct constant *constants;
    size_t n_constants;
    struct constant *unset;  /* registers that some path reads unwritten */
    size_t n_unset;
    struct unset_use *uses;  /* of what no path has written */
    size_t n_uses;
    struct choice *choices;
    size_t n_choices;
    struct special_slot *specials;
    size_t n_specials;
    struct source *sources;
    size_t n_sources;
    uint32_t *params, *returns;  /* offsets in the param frame */
    uint32_t *param_size, *return_size;
    size_t n_params, n_returns;
    const struct written *written; /* NULL: it has no body */
    bool is_entry;
};

struct kernel {
    struct kernel_info info;
    struct function *function;
    struct module *module;
    struct kernel *next;
    struct variable *shared;
    size_t n_shared;
    uint32_t static_end;      /* shared address where dynamic memory begins */
    bool reserved_shared;     /* shared[0] is the system's part */
    uint32_t local_bytes;     /* per lane, calls included */
};

/* What has a site. */
struct module_site {
    const struct inst *inst;
    const struct function *function;
    const struct access_form *form;
};

struct module {
    struct engine *engine;
    struct module *next;
    struct function *functions;
    size_t n_functions;
    struct kernel *kernels;
    struct variable *variables;
    size_t n_variables;
    uint32_t n_sites;         /* memory instructions: access_form.site */
    struct module_site *sites; /* [n_sites + 1]; NULL: not known */
    bool reserved_shared;     /* code asks where the system's part lies */
    void *text;               /* arena of everything decoded */
};

#endif
