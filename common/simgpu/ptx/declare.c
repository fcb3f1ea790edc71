// SPDX-License-Identifier: MIT
/*
 * declare.c: registers, variables and parameters.
 *
 *   ptx_read_registers      .reg .b32 %r<25>, x;
 *   ptx_read_variables      .shared .align 4 .b8 tile[4224];
 *   ptx_read_parameter      one .param of a function's header
 *   ptx_is_variable_space   does this token begin a variable's declaration?
 *   ptx_read_attribute      .attribute(.managed)
 *
 * Source: the PTX ISA, "State Spaces, Types, and Variables".
 */
#include "reader.h"

#include <stdio.h>
#include <string.h>

enum { MAX_REGISTERS = 1 << 20 }; /* per module: 100 kernels of 10,000 */
/* More than any GPU's memory, or than a 32-bit host can hold. */
#define MAX_VARIABLE_BYTES \
    ((size_t)(sizeof(size_t) > 4 ? 1ull << 40 : 1ull << 30))

static const struct type_row {
    const char *name;
    struct ptx_type type;
} types[] = {
    {"b8", {PTX_BITS, 1, 8}},       {"b16", {PTX_BITS, 1, 16}},
    {"b32", {PTX_BITS, 1, 32}},     {"b64", {PTX_BITS, 1, 64}},
    {"b128", {PTX_BITS, 1, 128}},   {"u8", {PTX_UNSIGNED, 1, 8}},
    {"u16", {PTX_UNSIGNED, 1, 16}}, {"u32", {PTX_UNSIGNED, 1, 32}},
    {"u64", {PTX_UNSIGNED, 1, 64}}, {"s8", {PTX_SIGNED, 1, 8}},
    {"s16", {PTX_SIGNED, 1, 16}},   {"s32", {PTX_SIGNED, 1, 32}},
    {"s64", {PTX_SIGNED, 1, 64}},   {"f16", {PTX_FLOAT, 1, 16}},
    {"f16x2", {PTX_FLOAT, 2, 32}},  {"f32", {PTX_FLOAT, 1, 32}},
    {"f64", {PTX_FLOAT, 1, 64}},    {"bf16", {PTX_BFLOAT, 1, 16}},
    {"bf16x2", {PTX_BFLOAT, 2, 32}}, {"pred", {PTX_PRED, 1, 1}},
    {"texref", {PTX_OPAQUE, 1, 64}}, {"samplerref", {PTX_OPAQUE, 1, 64}},
    {"surfref", {PTX_OPAQUE, 1, 64}},
};

static const struct space_row {
    const char *name;
    enum ptx_space space;
} spaces[] = {
    {"global", PTX_SPACE_GLOBAL}, {"shared", PTX_SPACE_SHARED},
    {"local", PTX_SPACE_LOCAL},   {"const", PTX_SPACE_CONST},
    {"param", PTX_SPACE_PARAM},   {"tex", PTX_SPACE_GLOBAL},
};

/* The part of a declaration before the name. */
struct declaration {
    struct ptx_type type;
    uint8_t space;
    bool is_pointer;  /* .ptr: space and .align then speak of its target */
    bool is_managed;
    uint32_t align;   /* 0: not given */
    uint32_t vector;  /* .v2, .v4; else 1 */
};

static bool is_text(const struct token *token, const char *text)
{
    return token->kind == T_DOT && token->length == strlen(text) &&
           memcmp(token->text, text, token->length) == 0;
}

static const struct space_row *find_space(const struct token *token)
{
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (is_text(token, spaces[i].name))
            return &spaces[i];
    return NULL;
}

static const struct type_row *find_type(const struct token *token)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is_text(token, types[i].name))
            return &types[i];
    return NULL;
}

bool ptx_is_variable_space(const struct token *token)
{
    return find_space(token) != NULL;
}

/* Returns true for .managed; other attributes are ignored. */
bool ptx_read_attribute(struct reader *r)
{
    bool managed = false;
    int open = 0;
    do {
        if (r->token.kind == T_END || (!open && !reader_is(r, '(')))
            reader_expected(r, "'(' … ')' after .attribute");
        open += reader_is(r, '(') - reader_is(r, ')');
        managed |= r->token.kind == T_DOT && is_text(&r->token, "managed");
        reader_next(r);
    } while (open);
    return managed;
}

static uint32_t alignment(struct reader *r)
{
    int64_t align = reader_int(r, "an alignment", 1, 1 << 20);
    if (align & (align - 1))
        reader_fail(r, "alignment %lld is not a power of two",
                    (long long)align);
    return (uint32_t)align;
}

/* Old PTX numbers constant banks: .const[3]. */
static void skip_bank(struct reader *r)
{
    if (!reader_take(r, '['))
        return;
    reader_int(r, "a bank", 0, 10);
    reader_expect(r, ']');
}

static void read_space(struct reader *r, struct declaration *d)
{
    const struct space_row *row = find_space(&r->token);
    reader_next(r);
    if (d->is_pointer)
        return;
    d->space = row->space;
    skip_bank(r);
}

static struct declaration read_declaration(struct reader *r)
{
    struct declaration d = {.vector = 1};
    bool typed = false;
    while (r->token.kind == T_DOT) {
        const struct type_row *type = find_type(&r->token);
        if (type) {
            d.type = type->type;
            typed = true;
            reader_next(r);
        } else if (find_space(&r->token)) {
            read_space(r, &d);
        } else if (reader_take_dot(r, "align")) {
            uint32_t align = alignment(r);
            d.align = d.is_pointer ? d.align : align;
        } else if (reader_take_dot(r, "ptr")) {
            d.is_pointer = true;
        } else if (reader_take_dot(r, "attribute")) {
            d.is_managed |= ptx_read_attribute(r);
        } else if (reader_take_dot(r, "v2")) {
            d.vector = 2;
        } else if (reader_take_dot(r, "v4")) {
            d.vector = 4;
        } else {
            reader_expected(r, "a state space, .align or a type");
        }
    }
    if (!typed)
        reader_expected(r, "a type");
    return d;
}

static int32_t add_register(struct reader *r, const char *text, size_t n,
                            struct ptx_type type)
{
    struct ptx_func *f = reader_func(r);
    if (++r->n_regs > MAX_REGISTERS)
        reader_fail(r, "more than %d registers", MAX_REGISTERS);
    struct name *name = names_intern(&r->names, text, n);
    if (!name)
        reader_fail(r, "out of memory");
    f->regs = reader_grow(r, f->regs, f->n_regs, &r->cap_regs,
                          sizeof *f->regs);
    f->regs[f->n_regs] = (struct ptx_reg){name->text, type};
    return (int32_t)f->n_regs++;
}

enum { MAX_NAME = 4096 }; /* of a register: mangled names are not registers */

/* %r<25>: %r0 to %r24. */
static void numbered_registers(struct reader *r, const struct name *stem,
                               struct ptx_type type)
{
    char text[MAX_NAME + 16];
    int64_t count = reader_int(r, "a number of registers", 0, MAX_REGISTERS);
    for (int64_t i = 0; i < count; i++) {
        int n = snprintf(text, sizeof text, "%s%lld", stem->text,
                         (long long)i);
        int32_t index = add_register(r, text, (size_t)n, type);
        reader_bind(r, names_intern(&r->names, text, (size_t)n), BIND_REG,
                    index);
    }
    reader_expect(r, '>');
}

/* .reg .v4 .f32 v: four registers, v.x to v.w. */
static void vector_registers(struct reader *r, struct name *stem,
                             const struct declaration *d)
{
    char text[MAX_NAME + 16];
    int32_t first = (int32_t)reader_func(r)->n_regs;
    for (uint32_t i = 0; i < d->vector; i++) {
        int n = snprintf(text, sizeof text, "%s.%c", stem->text, "xyzw"[i]);
        add_register(r, text, (size_t)n, d->type);
    }
    reader_bind(r, stem, BIND_VECTOR, first)->count = (int32_t)d->vector;
}

void ptx_read_registers(struct reader *r)
{
    struct declaration d = read_declaration(r);
    do {
        struct name *name = reader_name(r, "a register's name");
        if (name->length > MAX_NAME)
            reader_fail(r, "a register's name is too long");
        if (d.vector > 1)
            vector_registers(r, name, &d);
        else if (reader_take(r, '<'))
            numbered_registers(r, name, d.type);
        else
            reader_bind(r, name, BIND_REG,
                        add_register(r, name->text, name->length, d.type));
    } while (reader_take(r, ','));
    reader_expect(r, ';');
}

/* [32][33], [] or nothing. */
static struct shape read_shape(struct reader *r, const struct declaration *d)
{
    size_t count[MAX_DIMENSIONS];
    struct shape s = {.sized = true};
    while (reader_take(r, '[')) {
        if (s.n == MAX_DIMENSIONS)
            reader_fail(r, "more than %d dimensions", MAX_DIMENSIONS);
        count[s.n] = 0;
        if (s.n == 0 && reader_is(r, ']'))
            s.sized = false;
        else
            count[s.n] = (size_t)reader_int(r, "an array's length", 0,
                                            (int64_t)MAX_VARIABLE_BYTES);
        s.n++;
        reader_expect(r, ']');
    }
    size_t bytes = (size_t)(d->type.bits + 7) / 8 * d->vector;
    s.bytes[s.n] = bytes;
    for (int i = s.n; i-- > 0; s.bytes[i] = bytes)
        if (__builtin_mul_overflow(bytes, count[i], &bytes) ||
            bytes > MAX_VARIABLE_BYTES)
            reader_fail(r, "the variable is larger than any memory");
    return s;
}

static int32_t add_variable(struct reader *r, struct name *name,
                            const struct declaration *d, size_t bytes)
{
    struct ptx_module *m = r->module;
    m->vars = reader_grow(r, m->vars, m->n_vars, &r->cap_vars,
                          sizeof *m->vars);
    uint32_t natural = (uint32_t)(d->type.bits + 7) / 8 * d->vector;
    m->vars[m->n_vars] = (struct ptx_var){
        .name = name->text, .space = d->space, .type = d->type,
        .linkage = r->linkage, .bytes = bytes,
        .align = d->align ? d->align : natural,
        .func = r->func, .is_managed = d->is_managed};
    return (int32_t)m->n_vars++;
}

/* An .extern declaration and its definition are one variable. */
static int32_t declare_variable(struct reader *r, struct name *name,
                                const struct declaration *d, size_t bytes,
                                bool is_extern)
{
    struct binding *b = names_here(&r->names, name);
    struct ptx_var *old = b && b->kind == BIND_VAR ? &r->module->vars[b->index]
                                                   : NULL;
    if (old && is_extern)
        return b->index;
    if (old && old->is_extern) {
        int32_t fresh = add_variable(r, name, d, bytes);
        r->module->vars[b->index] = r->module->vars[fresh];
        r->module->n_vars--;
        return b->index;
    }
    int32_t var = add_variable(r, name, d, bytes);
    r->module->vars[var].is_extern = is_extern;
    reader_bind(r, name, BIND_VAR, var);
    return var;
}

void ptx_read_variables(struct reader *r, bool is_extern)
{
    struct declaration d = read_declaration(r);
    do {
        struct name *name = reader_name(r, "a variable's name");
        struct shape shape = read_shape(r, &d);
        int32_t var = declare_variable(r, name, &d, shape.bytes[0],
                                       is_extern);
        if (reader_take(r, '='))
            ptx_read_init(r, var, &shape);
    } while (reader_take(r, ','));
    reader_expect(r, ';');
}

int32_t ptx_read_parameter(struct reader *r)
{
    if (reader_is_dot(r, "reg"))
        reader_fail(r, "parameters in registers are not supported");
    if (!reader_is_dot(r, "param"))
        reader_expected(r, ".param");
    struct declaration d = read_declaration(r);
    struct name *name = reader_name(r, "a parameter's name");
    struct shape shape = read_shape(r, &d);
    int32_t var = add_variable(r, name, &d, shape.bytes[0]);
    reader_bind(r, name, BIND_VAR, var);
    return var;
}
