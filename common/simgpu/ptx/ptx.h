// SPDX-License-Identifier: MIT
/*
 * ptx.h: the syntax of one PTX module, read into arrays.
 *
 *   ptx_read   text -> struct ptx_module, or an error that names the PTX line
 *   ptx_free   frees it
 *   link.h     several modules -> one
 *
 * The reader knows syntax and names, not semantics. It resolves registers,
 * variables, labels and functions, with their scopes, into indices. What an
 * opcode with its suffixes means is known to core/decode/ alone: a new opcode
 * needs no change here.
 */
#ifndef SIMGPU_PTX_H
#define SIMGPU_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ptx_space {
    PTX_SPACE_GENERIC,
    PTX_SPACE_GLOBAL,
    PTX_SPACE_SHARED,
    PTX_SPACE_LOCAL,
    PTX_SPACE_CONST,
    PTX_SPACE_PARAM,
};

/* A type as written: "u32", "f16x2", "pred". bits is 1 for pred. */
enum ptx_class { PTX_BITS, PTX_UNSIGNED, PTX_SIGNED, PTX_FLOAT, PTX_BFLOAT,
                 PTX_PRED, PTX_OPAQUE };
struct ptx_type {
    uint8_t class;   /* enum ptx_class */
    uint8_t lanes;   /* 2 for f16x2, bf16x2; else 1 */
    uint16_t bits;   /* of the whole: 32 for f16x2 */
};

enum ptx_operand_kind {
    PTX_REG,      /* index: into func->regs */
    PTX_SPECIAL,  /* name: "%tid.x", "%laneid", "%clock64" ... */
    PTX_INT,      /* bits: the value, sign-extended to 64 bits */
    PTX_F32,      /* bits: a 0f... immediate, in the low 32 bits */
    PTX_F64,      /* bits: a 0d... immediate, or a decimal with a point */
    PTX_VAR,      /* index: into module->vars (its address, or a parameter);
                     bits: an offset from it */
    PTX_FUNC,     /* index: into module->funcs */
    PTX_LABEL,    /* index: the instruction after the label; there always is
                     one, because a ret is added to a body that lacks it */
    PTX_ADDRESS,  /* [base + bits]; elems[0] is the base: REG, VAR or INT */
    PTX_VECTOR,   /* {a, b, c, d}: elems */
    PTX_LIST,     /* (a, b) of a call; branch targets of brx: elems */
    PTX_PAIR,     /* a|b of setp and shfl: elems[0], elems[1] */
    PTX_SINK,     /* _ */
};

struct ptx_operand {
    uint8_t kind;     /* enum ptx_operand_kind */
    bool negated;     /* !%p, or -%r */
    uint16_t n_elems;
    int32_t index;
    int64_t bits;
    const char *name; /* PTX_SPECIAL; for messages elsewhere */
    struct ptx_operand *elems;
};

enum { PTX_MAX_SUFFIXES = 16 };

struct ptx_inst {
    const char *op;  /* "ld"; interned: never NULL */
    const char *suffix[PTX_MAX_SUFFIXES]; /* "global", "v4", "f32" */
    uint8_t n_suffixes;
    bool guard_negated;      /* @!%p */
    int32_t guard;           /* register index, or -1 */
    uint16_t n_operands;
    struct ptx_operand *operands;
    uint32_t used_bytes;     /* of a load: one bit per byte; 0: all */
    bool stays_loop;         /* .pragma "nounroll" stands before it */
    int32_t loc;             /* into module->locs, or -1 */
    int32_t ptx_line;        /* line in the PTX text, from 1 */
};

/* A .loc: the instruction's position in the CUDA source. */
struct ptx_loc {
    int32_t file;       /* into module->files */
    int32_t line;
    int32_t column;
    int32_t inlined_at; /* the caller's, into module->locs; or -1 */
};

struct ptx_reg {
    const char *name; /* "%rd4" */
    struct ptx_type type;
};

/* An initialiser word that holds an address: *(init + offset) = &symbol. */
struct ptx_reloc {
    size_t offset;
    int64_t addend;
    int32_t var;      /* into module->vars, or -1 */
    int32_t func;     /* into module->funcs, or -1 */
    bool generic;     /* generic(symbol); else the address in its space */
};

/* Who knows a name. Of two definitions, the one of the later kind is taken. */
enum ptx_linkage {
    PTX_LOCAL,   /* this module alone */
    PTX_EXTERN,  /* declared here, defined elsewhere */
    PTX_WEAK,    /* one of all equal definitions is taken */
    PTX_COMMON,  /* the largest one is */
    PTX_VISIBLE, /* there must be only this one */
};

struct ptx_var {
    const char *name;  /* "_ZZ1kPKfPfiE4tile" */
    uint8_t space;     /* enum ptx_space */
    uint8_t linkage;   /* enum ptx_linkage */
    struct ptx_type type;
    uint32_t align;
    size_t bytes;      /* 0: extern [] (dynamic shared memory) */
    uint32_t offset;   /* entry parameters: in the parameter block */
    int32_t func;      /* owner: into module->funcs, or -1 */
    bool is_extern;
    bool is_managed;   /* host code accesses it too */
    uint8_t *init;     /* `bytes` bytes, or NULL: zeros */
    struct ptx_reloc *relocs;
    size_t n_relocs;
};

struct ptx_func {
    const char *name;
    uint8_t linkage;     /* enum ptx_linkage */
    int32_t alias;       /* stands for that function: into module->funcs, or
                            -1 */
    bool is_entry;
    bool has_body;       /* false: a declaration, e.g. vprintf */
    int32_t *params;     /* into module->vars, in order */
    size_t n_params;
    int32_t *returns;    /* into module->vars */
    size_t n_returns;
    size_t param_bytes;  /* entry: size of the parameter block */
    struct ptx_reg *regs;
    size_t n_regs;
    struct ptx_inst *insts;
    size_t n_insts;
    uint32_t maxntid[3]; /* .maxntid; 0: not given */
    uint32_t reqntid[3]; /* .reqntid; 0: not given */
    uint32_t cluster[3]; /* .reqnctapercluster; 0: not given */
    uint32_t minnctapersm, maxnreg, maxclusterrank;
    bool explicit_cluster;    /* .explicitcluster: the launch or
                                 .reqnctapercluster has to say */
    bool blocks_are_clusters; /* .blocksareclusters */
    int32_t ptx_line;
};

struct ptx_module {
    int version_major, version_minor;
    const char *target;  /* "sm_75", "sm_90a" */
    bool debug;          /* some of it was compiled without optimisation */
    struct ptx_func *funcs;
    size_t n_funcs;
    struct ptx_var *vars;
    size_t n_vars;
    struct ptx_loc *locs;
    size_t n_locs;
    const char **files;  /* as .file gives them; files[i] may be NULL */
    size_t n_files;
    void *arena;         /* owns every string and array above */
};

/*
 * Reads text (n bytes; NUL not required). On failure returns NULL and writes a
 * message with the PTX line to error (error_size bytes). A declaration and the
 * definition of the same function are one entry of funcs. Source: the PTX ISA,
 * "Syntax" and "Directives".
 */
struct ptx_module *ptx_read(const char *text, size_t n, char *error,
                            size_t error_size);
void ptx_free(struct ptx_module *module);

#endif
