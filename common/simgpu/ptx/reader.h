// SPDX-License-Identifier: MIT
/*
 * reader.h: the internal interface of the PTX reader's parts.
 *
 *   reader.c    tokens, memory, errors
 *   expr.c      constant expressions
 *   operand.c   operands, and names used before their declaration
 *   declare.c   variables, registers, parameters
 *   init.c      initialisers
 *   function.c  functions: headers and bodies
 *   read.c      the module; ptx_read
 *
 * Errors end the reading through reader_fail, which jumps to ptx_read:
 * everything is in the module's arena, so nothing leaks.
 */
#ifndef SIMGPU_READER_H
#define SIMGPU_READER_H

#include <setjmp.h>

#include "arena.h"
#include "lex.h"
#include "names.h"
#include "ptx.h"

/* An operand whose name was not yet declared when it was read. */
struct pending {
    struct ptx_operand *operand;
    struct name *name;
    int32_t line;
    bool in_list; /* in .branchtargets, where it must be a plain label */
};

/* .alias from, to; */
struct alias {
    int32_t from, to;
};

struct reader {
    struct lexer lexer;
    struct token token; /* the next one */
    struct names names;
    struct arena *arena;
    struct ptx_module *module;
    int32_t func;       /* being read; -1 outside */
    uint8_t linkage;    /* of the declaration being read */
    int32_t last_label; /* the instruction after the latest label */
    int32_t loc;        /* of the next instructions; -1: none yet */
    uint32_t used_bytes; /* of the next load; 0: all */
    bool stays_loop;    /* the next instruction's */
    struct pending *pending;
    size_t n_pending;
    struct alias *aliases;
    size_t n_aliases;
    size_t cap_funcs, cap_vars, cap_locs, cap_files, cap_regs, cap_insts,
        cap_pending, cap_aliases;
    size_t first_loc;   /* of this function */
    size_t n_regs;      /* of all functions */
    size_t init_bytes;  /* of all variables */
    jmp_buf failed;
    char *error;
    size_t error_size;
};

_Noreturn void reader_fail(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "expected WHAT, found 'token'". */
_Noreturn void reader_expected(struct reader *r, const char *what);
void *reader_alloc(struct reader *r, size_t count, size_t size);
/* Makes room for one more element; returns array or its larger copy. */
void *reader_grow(struct reader *r, void *array, size_t n, size_t *capacity,
                  size_t size);

/* Tokens. take: consumes the token if it is next; expect: or else fails. */
void reader_next(struct reader *r);
bool reader_is(const struct reader *r, int punct);
bool reader_is_dot(const struct reader *r, const char *text);
bool reader_take(struct reader *r, int punct);
bool reader_take_dot(struct reader *r, const char *text);
void reader_expect(struct reader *r, char punct);
struct name *reader_name(struct reader *r, const char *what);
struct name *reader_intern(struct reader *r, struct token token);
int64_t reader_int(struct reader *r, const char *what, int64_t low,
                   int64_t high);
void reader_skip_past(struct reader *r, char punct);
struct ptx_func *reader_func(struct reader *r);

/* Binds in the innermost scope; fails if the name is bound there already. */
struct binding *reader_bind(struct reader *r, struct name *name,
                            enum binding_kind kind, int32_t index);

/* expr.c */
int64_t ptx_read_expr(struct reader *r);

/* operand.c */
struct ptx_operand ptx_read_operand(struct reader *r, bool is_call);
/* Through the closing character. */
struct ptx_operand ptx_read_elems(struct reader *r, enum ptx_operand_kind kind,
                                  char close, bool is_call, int depth);
void ptx_defer_names(struct reader *r, struct ptx_operand *operand,
                     int32_t line, bool in_list);
void ptx_resolve_pending(struct reader *r, size_t from);

/* declare.c */
enum { MAX_DIMENSIONS = 8 };
struct shape { /* of an array; n is 0 for a scalar */
    size_t bytes[MAX_DIMENSIONS + 1]; /* [d]: of what d indices select */
    int n;
    bool sized; /* false: name[] */
};
bool ptx_is_variable_space(const struct token *token);
void ptx_read_registers(struct reader *r);            /* after .reg */
void ptx_read_variables(struct reader *r, bool is_extern); /* at its space */
int32_t ptx_read_parameter(struct reader *r);         /* at .param */
bool ptx_read_attribute(struct reader *r);            /* after .attribute */

/* init.c */
void ptx_read_init(struct reader *r, int32_t var, const struct shape *shape);

/* function.c */
void ptx_read_function(struct reader *r); /* at .entry, .func */
void ptx_read_alias(struct reader *r);    /* after .alias */
void ptx_apply_aliases(struct reader *r);

/* read.c */
void ptx_read_loc(struct reader *r);     /* after .loc */
void ptx_read_file(struct reader *r);    /* after .file */
void ptx_skip_section(struct reader *r); /* after .section */
void ptx_read_pragma(struct reader *r);  /* after .pragma */

#endif
