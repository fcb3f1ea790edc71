// SPDX-License-Identifier: MIT
/*
 * names.h: the symbol table of a module: interned names and their bindings.
 *
 *   names_open    an empty table in an arena
 *   names_intern  text -> its struct name; equal texts give equal pointers
 *   names_push, names_pop    open and close a scope
 *   names_bind    binds a name in the innermost scope, until that closes
 *   names_here    the name's binding in the innermost scope itself, or NULL
 *   names_visible the name's innermost binding of all scopes, or NULL
 */
#ifndef SIMGPU_NAMES_H
#define SIMGPU_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "ptx.h"

enum binding_kind { BIND_REG, BIND_VECTOR, BIND_VAR, BIND_FUNC, BIND_LABEL };

struct binding {
    enum binding_kind kind;
    int32_t index;     /* register, variable, function, instruction */
    int32_t count;     /* BIND_VECTOR: registers from index on */
    const struct ptx_operand *list; /* BIND_LABEL of .branchtargets */
    int depth;         /* of its scope; 0: the module */
    struct name *name;
    struct binding *outer; /* the binding that it hides */
    struct binding *next;  /* in the same scope */
};

struct name {
    const char *text;
    size_t length;
    struct binding *meaning;
    struct name *next; /* in the same bucket */
};

enum { MAX_SCOPES = 64 }; /* nested braces; nvcc and inline asm need three */

struct names {
    struct arena *arena;
    struct name **buckets;
    size_t n_buckets, n_names;
    struct binding *scopes[MAX_SCOPES];
    int depth;
};

bool names_open(struct names *names, struct arena *arena);
struct name *names_intern(struct names *names, const char *text, size_t n);
bool names_push(struct names *names);
void names_pop(struct names *names);
struct binding *names_bind(struct names *names, struct name *name,
                           enum binding_kind kind, int32_t index);
struct binding *names_here(const struct names *names, const struct name *name);
struct binding *names_visible(const struct name *name);

#endif
