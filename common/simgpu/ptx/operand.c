// SPDX-License-Identifier: MIT
/*
 * operand.c: operands of instructions.
 *
 *   ptx_read_operand      one operand
 *   ptx_read_elems        a list of operands, through its closing bracket
 *   ptx_defer_names       records the unresolved names in an operand
 *   ptx_resolve_pending   at a scope's end: resolves names by its labels
 *
 * A label may follow the branch to it, and a label of an inner scope hides an
 * outer one. So a name that is not a register, variable or function stays
 * UNRESOLVED until its scope closes; if that scope has no such label, the name
 * is passed on to the outer scope.
 */
#include "reader.h"

#include <string.h>

enum {
    UNRESOLVED = 255, /* kind of an operand that waits for its label */
    MAX_NESTING = 4,  /* [map, {x, y}] needs two */
    MAX_ELEMS = 512,  /* wgmma has 128 accumulators; call lists vary */
};

static struct ptx_operand operand(struct reader *r, bool is_call, int depth);

static struct ptx_operand plain(int kind, int64_t bits)
{
    return (struct ptx_operand){.kind = (uint8_t)kind, .index = -1,
                                .bits = bits};
}

static struct ptx_operand register_operand(struct reader *r, int32_t index)
{
    struct ptx_operand o = plain(PTX_REG, 0);
    o.index = index;
    o.name = reader_func(r)->regs[index].name;
    return o;
}

/* v alone means {v.x, v.y}; v.x is one register. */
static struct ptx_operand vector_register(struct reader *r,
                                          const struct binding *b)
{
    static const char places[] = "xyzwrgba";
    if (r->token.kind == T_DOT && r->token.length == 1) {
        const char *p = strchr(places, r->token.text[0]);
        int32_t place = p ? (int32_t)(p - places) % 4 : b->count;
        if (place >= b->count)
            reader_expected(r, "an element of the vector");
        reader_next(r);
        return register_operand(r, b->index + place);
    }
    struct ptx_operand o = plain(PTX_VECTOR, 0);
    o.n_elems = (uint16_t)b->count;
    o.elems = reader_alloc(r, o.n_elems, sizeof *o.elems);
    for (int32_t i = 0; i < b->count; i++)
        o.elems[i] = register_operand(r, b->index + i);
    return o;
}

/* Special registers: these families, and names that are not numbered. */
static bool is_special(const struct name *name)
{
    static const char *const numbered[] = {"%clock64", "%envreg", "%pm",
                                           "%reserved_smem_offset_"};
    char last = name->text[name->length - 1];
    if (last < '0' || last > '9')
        return true;
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
        if (strncmp(name->text, numbered[i], strlen(numbered[i])) == 0)
            return true;
    return false;
}

/* %laneid, %tid.x: one name, with its dotted part. */
static struct ptx_operand special(struct reader *r, struct name *name)
{
    if (!is_special(name))
        reader_fail(r, "register %s is not declared", name->text);
    struct ptx_operand o = plain(PTX_SPECIAL, 0);
    if (r->token.kind == T_DOT) {
        size_t n = name->length + 1 + r->token.length;
        char *text = reader_alloc(r, n + 1, 1);
        memcpy(text, name->text, name->length);
        text[name->length] = '.';
        memcpy(text + name->length + 1, r->token.text, r->token.length);
        name = names_intern(&r->names, text, n);
        if (!name)
            reader_fail(r, "out of memory");
        reader_next(r);
    }
    o.name = name->text;
    return o;
}

/* A variable's address may have an offset: table+8. */
static int64_t offset_after(struct reader *r)
{
    return reader_is(r, '+') || reader_is(r, '-') ? ptx_read_expr(r) : 0;
}

static struct ptx_operand named(struct reader *r)
{
    struct name *name = reader_name(r, "an operand");
    const struct binding *b = names_visible(name);
    if (!b && name->text[0] == '%')
        return special(r, name);
    if (!b && strcmp(name->text, "WARP_SZ") == 0)
        return plain(PTX_INT, 32);
    if (!b && strcmp(name->text, "_") == 0)
        return plain(PTX_SINK, 0);
    struct ptx_operand o = plain(UNRESOLVED, 0);
    o.name = name->text;
    if (!b || b->kind == BIND_LABEL)
        return o;
    if (b->kind == BIND_VECTOR)
        return vector_register(r, b);
    if (b->kind == BIND_REG)
        return register_operand(r, b->index);
    o.kind = b->kind == BIND_VAR ? PTX_VAR : PTX_FUNC;
    o.index = b->index;
    if (o.kind == PTX_VAR)
        o.bits = offset_after(r);
    return o;
}

/* Each element ends at ',' or at the closing character. */
struct ptx_operand ptx_read_elems(struct reader *r, enum ptx_operand_kind kind,
                                  char close, bool is_call, int depth)
{
    struct ptx_operand o = plain(kind, 0);
    size_t n = 0, capacity = 0;
    while (!reader_take(r, close)) {
        if (n && !reader_take(r, ','))
            reader_expected(r, (char[]){'\'', ',', '\'', ' ', 'o', 'r', ' ',
                                        '\'', close, '\'', '\0'});
        if (n >= MAX_ELEMS)
            reader_fail(r, "more than %d elements in one operand", MAX_ELEMS);
        o.elems = reader_grow(r, o.elems, n, &capacity, sizeof *o.elems);
        o.elems[n++] = operand(r, is_call, depth + 1);
    }
    o.n_elems = (uint16_t)n;
    return o;
}

/* After '[': base, base+4, base+-4, and more operands after commas. */
static struct ptx_operand address(struct reader *r, int depth)
{
    struct ptx_operand o = plain(PTX_ADDRESS, 0);
    struct ptx_operand base = operand(r, false, depth + 1);
    if (base.kind == PTX_REG)
        o.bits = offset_after(r);
    else if (base.kind == PTX_VAR)
        o.bits = base.bits, base.bits = 0;
    else if (base.kind != PTX_INT)
        reader_expected(r, "a register, a variable or a number after '['");
    struct ptx_operand rest = plain(PTX_ADDRESS, 0);
    if (reader_take(r, ','))
        rest = ptx_read_elems(r, PTX_ADDRESS, ']', false, depth);
    else
        reader_expect(r, ']');
    o.n_elems = (uint16_t)(rest.n_elems + 1);
    o.elems = reader_alloc(r, o.n_elems, sizeof *o.elems);
    o.elems[0] = base;
    if (rest.n_elems)
        memcpy(o.elems + 1, rest.elems, rest.n_elems * sizeof *o.elems);
    return o;
}

static struct ptx_operand float_operand(struct reader *r, bool minus)
{
    bool single = r->token.kind == T_F32;
    uint64_t sign = minus ? (single ? UINT64_C(1) << 31 : UINT64_C(1) << 63)
                          : 0;
    int64_t bits = (int64_t)(r->token.bits ^ sign);
    reader_next(r);
    return plain(single ? PTX_F32 : PTX_F64, bits);
}

static bool is_float(const struct reader *r)
{
    return r->token.kind == T_F32 || r->token.kind == T_F64;
}

/* -%r1, -0f3F800000, -5: only an integer may continue as an expression. */
static struct ptx_operand minus(struct reader *r)
{
    struct lexer lexer = r->lexer;
    struct token token = r->token;
    reader_next(r);
    if (is_float(r))
        return float_operand(r, true);
    if (r->token.kind == T_NAME) {
        struct ptx_operand o = named(r);
        o.negated = true;
        return o;
    }
    r->lexer = lexer;
    r->token = token;
    return plain(PTX_INT, ptx_read_expr(r));
}

/* !%p: a predicate; any other '!' begins a constant expression. */
static struct ptx_operand negation(struct reader *r)
{
    struct lexer ahead = r->lexer;
    if (lex_next(&ahead).kind != T_NAME)
        return plain(PTX_INT, ptx_read_expr(r));
    reader_next(r);
    struct ptx_operand o = named(r);
    o.negated = true;
    return o;
}

static struct ptx_operand primary(struct reader *r, bool is_call, int depth)
{
    if (r->token.kind == T_NAME)
        return named(r);
    if (is_float(r))
        return float_operand(r, false);
    if (reader_is(r, '-'))
        return minus(r);
    if (reader_is(r, '!'))
        return negation(r);
    if (reader_take(r, '['))
        return address(r, depth);
    if (reader_take(r, '{'))
        return ptx_read_elems(r, PTX_VECTOR, '}', false, depth);
    if (is_call && reader_take(r, '('))
        return ptx_read_elems(r, PTX_LIST, ')', false, depth);
    if (r->token.kind == T_INT || reader_is(r, '(') || reader_is(r, '~') ||
        reader_is(r, '+'))
        return plain(PTX_INT, ptx_read_expr(r));
    reader_expected(r, "an operand");
}

static struct ptx_operand operand(struct reader *r, bool is_call, int depth)
{
    if (depth > MAX_NESTING)
        reader_fail(r, "an operand nested too deeply");
    struct ptx_operand first = primary(r, is_call, depth);
    if (!reader_take(r, '|'))
        return first;
    struct ptx_operand pair = plain(PTX_PAIR, 0);
    pair.n_elems = 2;
    pair.elems = reader_alloc(r, 2, sizeof *pair.elems);
    pair.elems[0] = first;
    pair.elems[1] = primary(r, false, depth + 1);
    return pair;
}

struct ptx_operand ptx_read_operand(struct reader *r, bool is_call)
{
    return operand(r, is_call, 0);
}

void ptx_defer_names(struct reader *r, struct ptx_operand *o, int32_t line,
                     bool in_list)
{
    if (o->kind == UNRESOLVED) {
        r->pending = reader_grow(r, r->pending, r->n_pending, &r->cap_pending,
                                 sizeof *r->pending);
        r->pending[r->n_pending++] = (struct pending){
            o, names_intern(&r->names, o->name, strlen(o->name)), line,
            in_list};
    }
    for (size_t i = 0; i < o->n_elems; i++)
        ptx_defer_names(r, &o->elems[i], line, in_list);
}

static bool resolve(const struct names *names, const struct pending *p)
{
    const struct binding *b = names_here(names, p->name);
    if (!b || b->kind != BIND_LABEL || (b->list && p->in_list))
        return false;
    p->operand->kind = PTX_LABEL;
    p->operand->index = b->index;
    if (b->list) {
        p->operand->kind = PTX_LIST;
        p->operand->index = -1;
        p->operand->elems = b->list->elems;
        p->operand->n_elems = b->list->n_elems;
    }
    return true;
}

void ptx_resolve_pending(struct reader *r, size_t from)
{
    size_t kept = from;
    for (size_t i = from; i < r->n_pending; i++)
        if (!resolve(&r->names, &r->pending[i]))
            r->pending[kept++] = r->pending[i];
    r->n_pending = kept;
    if (r->names.depth > 1 || kept == from)
        return;
    r->token.line = r->pending[from].line;
    reader_fail(r, "%s is not declared", r->pending[from].name->text);
}
