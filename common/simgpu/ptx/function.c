// SPDX-License-Identifier: MIT
/*
 * function.c: kernels and functions.
 *
 *   ptx_read_function   .entry or .func: a declaration or a definition
 *   ptx_read_alias      .alias name, other;
 *   ptx_apply_aliases   at the module's end: replaces the uses of aliases
 *
 * Parameters and the outermost names of a body share one scope. Inner scopes
 * are counted, without recursion.
 */
#include "reader.h"

#include <string.h>

enum { MAX_OPERANDS = 64 }; /* per instruction; the most known is twelve */

/* Instructions ---------------------------------------------------------- */

static struct ptx_inst *new_inst(struct reader *r)
{
    struct ptx_func *f = reader_func(r);
    f->insts = reader_grow(r, f->insts, f->n_insts, &r->cap_insts,
                           sizeof *f->insts);
    struct ptx_inst *inst = &f->insts[f->n_insts++];
    *inst = (struct ptx_inst){.guard = -1, .loc = r->loc,
                              .used_bytes = r->used_bytes,
                              .stays_loop = r->stays_loop,
                              .ptx_line = r->token.line};
    r->used_bytes = 0;
    r->stays_loop = false;
    return inst;
}

/* @%p or @!%p. */
static void read_guard(struct reader *r, struct ptx_inst *inst)
{
    inst->guard_negated = reader_take(r, '!');
    struct name *name = reader_name(r, "a predicate");
    const struct binding *b = names_visible(name);
    if (!b || b->kind != BIND_REG ||
        reader_func(r)->regs[b->index].type.class != PTX_PRED)
        reader_fail(r, "%s is not a predicate", name->text);
    inst->guard = b->index;
}

static void read_suffixes(struct reader *r, struct ptx_inst *inst)
{
    while (r->token.kind == T_DOT) {
        if (inst->n_suffixes == PTX_MAX_SUFFIXES)
            reader_fail(r, "more than %d suffixes", PTX_MAX_SUFFIXES);
        inst->suffix[inst->n_suffixes++] = reader_intern(r, r->token)->text;
        reader_next(r);
    }
}

static void read_operands(struct reader *r, struct ptx_inst *inst)
{
    struct ptx_operand operands[MAX_OPERANDS];
    size_t n = 0;
    bool is_call = strcmp(inst->op, "call") == 0;
    for (bool more = !reader_is(r, ';'); more; more = reader_take(r, ',')) {
        if (n == MAX_OPERANDS)
            reader_fail(r, "more than %d operands", MAX_OPERANDS);
        operands[n++] = ptx_read_operand(r, is_call);
    }
    if (!reader_is(r, ';'))
        reader_expected(r, "',' or ';'");
    inst->operands = reader_alloc(r, n ? n : 1, sizeof *inst->operands);
    memcpy(inst->operands, operands, n * sizeof *operands);
    inst->n_operands = (uint16_t)n;
    for (size_t i = 0; i < n; i++)
        ptx_defer_names(r, &inst->operands[i], inst->ptx_line, false);
    reader_next(r);
}

/* The opcode has been read. */
static void read_instruction(struct reader *r, struct ptx_inst *inst,
                             const struct name *op)
{
    inst->op = op->text;
    read_suffixes(r, inst);
    read_operands(r, inst);
}

/* Labels ---------------------------------------------------------------- */

/* name: .branchtargets a, b;   name: .calltargets f, g; */
static void read_targets(struct reader *r, struct binding *label)
{
    int32_t line = r->token.line;
    struct ptx_operand *list = reader_alloc(r, 1, sizeof *list);
    *list = ptx_read_elems(r, PTX_LIST, ';', false, 0);
    ptx_defer_names(r, list, line, true);
    label->list = list;
}

static void read_label(struct reader *r, struct name *name)
{
    int32_t next = (int32_t)reader_func(r)->n_insts;
    struct binding *label = reader_bind(r, name, BIND_LABEL, next);
    r->last_label = next;
    if (reader_take_dot(r, "branchtargets") ||
        reader_take_dot(r, "calltargets"))
        read_targets(r, label);
    else if (reader_take_dot(r, "callprototype"))
        reader_skip_past(r, ';');
}

/* Bodies ---------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*read)(struct reader *r);
} directives[] = {
    {"reg", ptx_read_registers}, {"loc", ptx_read_loc},
    {"file", ptx_read_file},     {"pragma", ptx_read_pragma},
    {"section", ptx_skip_section},
};

static void read_directive(struct reader *r)
{
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (reader_take_dot(r, directives[i].name)) {
            directives[i].read(r);
            return;
        }
    bool is_extern = reader_take_dot(r, "extern");
    if (!ptx_is_variable_space(&r->token))
        reader_expected(r, "a directive of a function's body");
    ptx_read_variables(r, is_extern);
}

static void read_statement(struct reader *r)
{
    if (r->token.kind == T_DOT) {
        read_directive(r);
    } else if (reader_take(r, '@')) {
        struct ptx_inst *inst = new_inst(r);
        read_guard(r, inst);
        read_instruction(r, inst, reader_name(r, "an instruction"));
    } else if (!reader_take(r, ';')) {
        struct token token = r->token;
        struct name *name = reader_name(r, "an instruction, a label or '}'");
        if (reader_take(r, ':')) {
            read_label(r, name);
        } else {
            struct ptx_inst *inst = new_inst(r);
            inst->ptx_line = token.line;
            read_instruction(r, inst, name);
        }
    }
}

static bool ends_function(const struct ptx_inst *inst)
{
    static const char *const ops[] = {"ret", "exit", "trap", "bra", "brx"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (inst->guard < 0 && strcmp(inst->op, ops[i]) == 0)
            return true;
    return false;
}

/* Adds a ret if control can reach the end of the body, or if a label stands
 * there: every label then precedes an instruction. */
static void close_body(struct reader *r)
{
    const struct ptx_func *f = reader_func(r);
    if (f->n_insts && (size_t)r->last_label < f->n_insts &&
        ends_function(&f->insts[f->n_insts - 1]))
        return;
    struct ptx_inst *inst = new_inst(r);
    inst->op = reader_intern(r, (struct token){.text = "ret", .length = 3})
                   ->text;
}

/* After '{', through its '}'. */
static void read_body(struct reader *r)
{
    size_t mark[MAX_SCOPES]; /* pending names at the scope's beginning */
    int base = r->names.depth;
    r->cap_regs = r->cap_insts = 0;
    r->loc = -1;
    r->first_loc = r->module->n_locs;
    r->last_label = 0;
    mark[base] = r->n_pending;
    for (bool done = false; !done;) {
        if (reader_take(r, '{')) {
            if (!names_push(&r->names))
                reader_fail(r, "more than %d nested scopes", MAX_SCOPES);
            mark[r->names.depth] = r->n_pending;
        } else if (reader_is(r, '}')) {
            ptx_resolve_pending(r, mark[r->names.depth]);
            done = r->names.depth == base;
            if (done)
                close_body(r);
            else
                names_pop(&r->names);
            reader_next(r);
        } else {
            read_statement(r);
        }
    }
}

/* Headers --------------------------------------------------------------- */

/* After '(': indices of the parameters, in order. */
static int32_t *read_parameters(struct reader *r, size_t *n)
{
    int32_t *list = NULL;
    size_t capacity = 0;
    *n = 0;
    for (bool more = !reader_is(r, ')'); more; more = reader_take(r, ',')) {
        int32_t var = ptx_read_parameter(r);
        list = reader_grow(r, list, *n, &capacity, sizeof *list);
        list[(*n)++] = var;
    }
    reader_expect(r, ')');
    return list;
}

/* The name follows the return parameters: (…) name (…). */
static struct name *peek_name(struct reader *r)
{
    struct lexer lexer = r->lexer;
    struct token token = r->token;
    if (reader_take(r, '('))
        reader_skip_past(r, ')');
    struct name *name = reader_name(r, "a function's name");
    r->lexer = lexer;
    r->token = token;
    return name;
}

static int32_t find_function(struct reader *r, struct name *name)
{
    struct ptx_module *m = r->module;
    const struct binding *b = names_here(&r->names, name);
    if (b && b->kind == BIND_FUNC)
        return b->index;
    m->funcs = reader_grow(r, m->funcs, m->n_funcs, &r->cap_funcs,
                           sizeof *m->funcs);
    int32_t index = (int32_t)m->n_funcs;
    reader_bind(r, name, BIND_FUNC, index);
    m->funcs[m->n_funcs++] = (struct ptx_func){.name = name->text,
                                               .alias = -1};
    return index;
}

/* The offsets of a C struct with the parameters as members. */
static void lay_out(struct reader *r, struct ptx_func *f)
{
    size_t at = 0;
    for (size_t i = 0; i < f->n_params; i++) {
        struct ptx_var *v = &r->module->vars[f->params[i]];
        size_t align = v->align ? v->align : 1;
        at = (at + align - 1) / align * align;
        if (at > UINT32_MAX / 2 || v->bytes > UINT32_MAX / 2)
            reader_fail(r, "the parameters are larger than any GPU accepts");
        v->offset = (uint32_t)at;
        at += v->bytes;
    }
    f->param_bytes = at;
}

static void read_signature(struct reader *r)
{
    struct ptx_func *f = reader_func(r);
    f->n_params = f->n_returns = 0;
    if (reader_take(r, '('))
        f->returns = read_parameters(r, &f->n_returns);
    reader_next(r); /* the name */
    if (reader_take(r, '('))
        f->params = read_parameters(r, &f->n_params);
    if (f->is_entry)
        lay_out(r, f);
}

/* .maxntid 256, 1, 1: missing numbers are 1. */
static void read_numbers(struct reader *r, uint32_t numbers[3])
{
    for (int i = 0; i < 3; i++)
        numbers[i] = 1;
    if (r->token.kind != T_INT)
        return;
    int i = 0;
    do {
        if (i == 3)
            reader_fail(r, "more than three numbers in a directive");
        numbers[i++] = (uint32_t)reader_int(r, "a limit", 0, INT32_MAX);
    } while (reader_take(r, ','));
}

/* Unknown tuning directives are skipped, with their numbers. */
static void read_limits(struct reader *r)
{
    struct ptx_func *f = reader_func(r);
    while (r->token.kind == T_DOT) {
        uint32_t skipped[3], one[3];
        if (reader_take_dot(r, "pragma")) {
            ptx_read_pragma(r);
        } else if (reader_take_dot(r, "maxntid")) {
            read_numbers(r, f->maxntid);
        } else if (reader_take_dot(r, "reqntid")) {
            read_numbers(r, f->reqntid);
        } else if (reader_take_dot(r, "minnctapersm")) {
            read_numbers(r, one);
            f->minnctapersm = one[0];
        } else if (reader_take_dot(r, "maxnreg")) {
            read_numbers(r, one);
            f->maxnreg = one[0];
        } else if (reader_take_dot(r, "reqnctapercluster")) {
            read_numbers(r, f->cluster);
        } else if (reader_take_dot(r, "maxclusterrank")) {
            read_numbers(r, one);
            f->maxclusterrank = one[0];
        } else if (reader_take_dot(r, "explicitcluster")) {
            f->explicit_cluster = true;
        } else if (reader_take_dot(r, "blocksareclusters")) {
            f->blocks_are_clusters = true;
        } else {
            reader_next(r);
            read_numbers(r, skipped);
        }
    }
}

void ptx_read_function(struct reader *r)
{
    bool is_entry = reader_take_dot(r, "entry");
    if (!is_entry)
        reader_next(r); /* .func */
    if (reader_take_dot(r, "attribute"))
        ptx_read_attribute(r);
    r->func = find_function(r, peek_name(r));
    struct ptx_func *f = reader_func(r);
    const struct ptx_func before = *f;
    f->linkage = r->linkage;
    r->linkage = PTX_LOCAL; /* of its parameters, and in its body */
    f->is_entry = is_entry;
    f->ptx_line = r->token.line;
    names_push(&r->names);
    read_signature(r);
    read_limits(r);
    if (reader_take(r, ';')) {
        if (before.has_body) /* declared again after its definition */
            *f = before;
    } else {
        if (before.has_body)
            reader_fail(r, "%s is defined twice", f->name);
        reader_expect(r, '{');
        f->has_body = true;
        read_body(r);
    }
    names_pop(&r->names);
    r->func = -1;
}

/* Aliases --------------------------------------------------------------- */

static int32_t function_named(struct reader *r)
{
    struct name *name = reader_name(r, "a function's name");
    const struct binding *b = names_visible(name);
    if (!b || b->kind != BIND_FUNC)
        reader_fail(r, "%s is not a function", name->text);
    return b->index;
}

void ptx_read_alias(struct reader *r)
{
    struct ptx_module *m = r->module;
    int32_t from = function_named(r);
    reader_expect(r, ',');
    int32_t to = function_named(r);
    reader_expect(r, ';');
    if (m->funcs[from].has_body || !m->funcs[to].has_body)
        reader_fail(r, "an alias of %s needs its body", m->funcs[to].name);
    r->aliases = reader_grow(r, r->aliases, r->n_aliases, &r->cap_aliases,
                             sizeof *r->aliases);
    r->aliases[r->n_aliases++] = (struct alias){from, to};
    m->funcs[from].alias = to;
}

static void rename_func(const struct reader *r, int32_t *func)
{
    for (size_t i = 0; i < r->n_aliases; i++)
        if (r->aliases[i].from == *func)
            *func = r->aliases[i].to;
}

static void rename_operand(const struct reader *r, struct ptx_operand *o)
{
    if (o->kind == PTX_FUNC)
        rename_func(r, &o->index);
    for (size_t i = 0; i < o->n_elems; i++)
        rename_operand(r, &o->elems[i]);
}

void ptx_apply_aliases(struct reader *r)
{
    struct ptx_module *m = r->module;
    if (!r->n_aliases)
        return;
    for (size_t i = 0; i < m->n_vars; i++)
        for (size_t k = 0; k < m->vars[i].n_relocs; k++)
            rename_func(r, &m->vars[i].relocs[k].func);
    for (size_t i = 0; i < m->n_funcs; i++)
        for (size_t k = 0; k < m->funcs[i].n_insts; k++)
            for (size_t j = 0; j < m->funcs[i].insts[k].n_operands; j++)
                rename_operand(r, &m->funcs[i].insts[k].operands[j]);
}
